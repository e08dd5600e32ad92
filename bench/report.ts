import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
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

export function figure(valor: number, unidade = ''): string {
  return `${number.format(valor)}${unidade === '' ? '' : ` ${unidade}`}`
}

export function atMost(medida: string, valor: number, limite: number, unidade: string): Line {
  return { medida, valor: figure(valor, unidade), meta: `≤ ${figure(limite, unidade)}`, ok: valor <= limite }
}

export function atLeast(medida: string, valor: number, limite: number, unidade: string): Line {
  return { medida, valor: figure(valor, unidade), meta: `≥ ${figure(limite, unidade)}`, ok: valor >= limite }
}

export function exactly(medida: string, valor: number, certo: number): Line {
  return { medida, valor: figure(valor), meta: figure(certo), ok: valor === certo }
}

export function shown(medida: string, valor: string): Line {
  return { medida, valor, meta: '', ok: true }
}

function markdown(secao: Section): string {
  const linhas = secao.linhas.map(
    ({ medida, valor, meta, ok }) => `| ${medida} | ${valor} | ${meta} | ${ok ? '' : 'missed'} |`,
  )
  const notas = (secao.notas ?? []).map((nota) => `\n${nota}`)
  return [`## ${secao.titulo}`, '', '| Measure | Value | Goal | |', '|---|---|---|---|', ...linhas, ...notas].join('\n')
}

const ARQUIVO = join(import.meta.dirname, '..', 'docs', 'benchmarks.md')

function maquina(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}-${process.arch}, Node ${process.version}`
}

/** Prints the sections of a separate command and replaces their last measurement in docs/benchmarks.md. */
export async function publishPart(secoes: readonly Section[], comando: string): Promise<void> {
  const onde = `Command: \`${comando}\`. Machine: ${maquina()}. Date: ${new Date().toISOString().slice(0, 10)}.`
  const novas = secoes.map((secao) => markdown({ ...secao, notas: [...(secao.notas ?? []), onde] }))
  process.stdout.write(`\n${novas.join('\n\n')}\n`)
  const titulos = new Set(secoes.map(({ titulo }) => titulo))
  const antigas = (await readFile(ARQUIVO, 'utf8')).split(/^(?=## )/m)
  const ficam = antigas.filter((parte) => !titulos.has(/^## (.*)$/m.exec(parte)?.[1] ?? ''))
  await writeFile(ARQUIVO, `${[...ficam.map((parte) => parte.trimEnd()), ...novas].join('\n\n')}\n`)
}

export async function publish(secoes: readonly Section[], comando: string, gravar: boolean): Promise<void> {
  const texto = [
    '# Benchmarks',
    '',
    `Command: \`${comando}\`. Machine: ${maquina()}. Date: ${new Date().toISOString().slice(0, 10)}.`,
    'Every figure was measured in this one run; nothing here is a test, and no test looks at a clock.',
    '',
    ...secoes.map((secao) => `${markdown(secao)}\n`),
  ].join('\n')
  process.stdout.write(`\n${texto}\n`)
  if (gravar) await writeFile(ARQUIVO, texto)
}
