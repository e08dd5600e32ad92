import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Line {
  readonly medida: string
  readonly valor: string
  readonly meta: string
  readonly ok: boolean
}

export interface Section {
  readonly titulo: string
  readonly linhas: readonly Line[]
  readonly notas?: readonly string[]
}

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

export function figure(value: number, unit = ''): string {
  return `${number.format(value)}${unit === '' ? '' : ` ${unit}`}`
}

export function atMost(measure: string, value: number, limit: number, unit: string): Line {
  return { medida: measure, valor: figure(value, unit), meta: `≤ ${figure(limit, unit)}`, ok: value <= limit }
}

export function atLeast(measure: string, value: number, limit: number, unit: string): Line {
  return { medida: measure, valor: figure(value, unit), meta: `≥ ${figure(limit, unit)}`, ok: value >= limit }
}

export function exactly(measure: string, value: number, expected: number): Line {
  return { medida: measure, valor: figure(value), meta: figure(expected), ok: value === expected }
}

export function shown(measure: string, value: string): Line {
  return { medida: measure, valor: value, meta: '', ok: true }
}

function markdown(section: Section): string {
  const lines = section.linhas.map(
    ({ medida, valor, meta, ok }) => `| ${medida} | ${valor} | ${meta} | ${ok ? '' : 'missed'} |`,
  )
  const notas = (section.notas ?? []).map((note) => `\n${note}`)
  return [`## ${section.titulo}`, '', '| Measure | Value | Goal | |', '|---|---|---|---|', ...lines, ...notas].join(
    '\n',
  )
}

const REPORT_FILE = join(import.meta.dirname, '..', 'docs', 'benchmarks.md')

/** Before the first measurement. Above 0.5, other programs used the machine. */
const [LOAD = 0] = loadavg()

function machine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}-${process.arch}, Node ${process.version}, load average before ${LOAD.toFixed(1)}`
}

/** Prints the sections of a separate command and replaces their last measurement in docs/benchmarks.md. */
export async function publishPart(sections: readonly Section[], command: string): Promise<void> {
  const onde = `Command: \`${command}\`. Machine: ${machine()}. Date: ${new Date().toISOString().slice(0, 10)}.`
  const fresh = sections.map((section) => markdown({ ...section, notas: [...(section.notas ?? []), onde] }))
  process.stdout.write(`\n${fresh.join('\n\n')}\n`)
  const titles = new Set(sections.map(({ titulo }) => titulo))
  const old = (await readFile(REPORT_FILE, 'utf8')).split(/^(?=## )/m)
  const ficam = old.filter((part) => !titles.has(/^## (.*)$/m.exec(part)?.[1] ?? ''))
  await writeFile(REPORT_FILE, `${[...ficam.map((part) => part.trimEnd()), ...fresh].join('\n\n')}\n`)
}

/** Prints the sections of a whole run and replaces docs/benchmarks.md. */
export async function publish(sections: readonly Section[], command: string): Promise<void> {
  const text = [
    '# Benchmarks',
    '',
    `Command: \`${command}\`. Machine: ${machine()}. Date: ${new Date().toISOString().slice(0, 10)}.`,
    'Sections without a separate command were measured in this run. No test depends on these figures or on elapsed time.',
    '',
    ...sections.map((section) => `${markdown(section)}\n`),
  ].join('\n')
  process.stdout.write(`\n${text}\n`)
  await writeFile(REPORT_FILE, text)
}
