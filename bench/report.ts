import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Line {
  readonly measure: string
  readonly value: string
  readonly goal: string
  readonly ok: boolean
}

export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
  readonly notes?: readonly string[]
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

export function figure(value: number, unit = ''): string {
  return `${number.format(value)}${unit === '' ? '' : ` ${unit}`}`
}

export function atMost(measure: string, value: number, limit: number, unit: string): Line {
  return { measure: measure, value: figure(value, unit), goal: `≤ ${figure(limit, unit)}`, ok: value <= limit }
}

export function atLeast(measure: string, value: number, limit: number, unit: string): Line {
  return { measure: measure, value: figure(value, unit), goal: `≥ ${figure(limit, unit)}`, ok: value >= limit }
}

export function exactly(measure: string, value: number, expected: number): Line {
  return { measure: measure, value: figure(value), goal: figure(expected), ok: value === expected }
}

export function shown(measure: string, value: string): Line {
  return { measure: measure, value: value, goal: '', ok: true }
}

/** A section as measured last. */
interface Measured extends Section {
  readonly command: string
  readonly machine: string
  /** `2026-11-23`. */
  readonly date: string
}

const DOCS = join(import.meta.dirname, '..', 'docs')
/** Holds all figures. */
const FIGURES_FILE = join(DOCS, 'benchmarks.json')
/** Holds one line for each section. */
const SUMMARY_FILE = join(DOCS, 'benchmarks.md')

/** Before the first measurement. Above 0.5, other programs used the machine. */
const [LOAD = 0] = loadavg()

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}-${process.arch}, Node ${process.version}, load average before ${LOAD.toFixed(1)}`
}

function print({ title, lines, notes = [] }: Section): void {
  const rows = lines.map(
    ({ measure, value, goal, ok }) => `| ${measure} | ${value} | ${goal} | ${ok ? '' : 'missed'} |`,
  )
  const table = [`## ${title}`, '', '| Measure | Value | Goal | |', '|---|---|---|---|', ...rows]
  process.stdout.write(`\n${[...table, ...notes.map((note) => `\n${note}`)].join('\n')}\n`)
}

function summary(measured: readonly Measured[]): string {
  const runs = Map.groupBy(measured, ({ command, date }) => `\`${command}\`, ${date}`)
  const parts = [...runs].map(([run, sections]) => `## ${run}\n\n${sections.map(summaryLine).join('\n')}\n`)
  return `# Benchmarks

Goals that the last measurement of each section met. All figures, machines and notes are in [benchmarks.json](benchmarks.json). No test depends on them or on elapsed time.

${parts.join('\n')}`
}

function summaryLine({ title, lines }: Measured): string {
  const goals = lines.filter(({ goal }) => goal !== '')
  const missed = goals.filter(({ ok }) => !ok).map(({ measure, value, goal }) => `${measure}: ${value} (${goal})`)
  const met = `- ${title}: ${goals.length - missed.length} of ${goals.length}`
  return missed.length === 0 ? met : `${met}; missed: ${missed.join('; ')}`
}

/** Prints the sections and replaces their last measurements in `docs`. `whole`: the other sections are removed. */
export async function publish(sections: readonly Section[], command: string, whole = false): Promise<void> {
  for (const section of sections) print(section)
  const when = { command, machine: machine(), date: new Date().toISOString().slice(0, 10) }
  const titles = new Set(sections.map(({ title }) => title))
  const old: readonly Measured[] = whole ? [] : JSON.parse(await readFile(FIGURES_FILE, 'utf8'))
  const kept = old.filter(({ title }) => !titles.has(title))
  const measured = [...kept, ...sections.map((section) => ({ ...section, ...when }))]
  await writeFile(FIGURES_FILE, `${JSON.stringify(measured, null, 1)}\n`)
  await writeFile(SUMMARY_FILE, summary(measured))
}
