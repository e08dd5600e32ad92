import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { doWindows } from './processos-do-windows.ts'

export interface Processo {
  readonly pid: number
  readonly pai: number
  readonly grupo: number
  readonly comando: string
}

const SUMIR_MS = 5_000
const OLHAR_MS = 25
const rodar = promisify(execFile)

export async function listProcessos(): Promise<Processo[]> {
  if (process.platform === 'win32') return doWindows()
  if (process.platform !== 'linux') return doPs()
  const nomes = (await readdir('/proc')).filter((nome) => /^\d+$/.test(nome))
  const lidos = await Promise.all(nomes.map((nome) => doProc(Number(nome)).catch(() => null)))
  return lidos.filter((processo) => processo !== null)
}

async function doProc(pid: number): Promise<Processo | null> {
  const estado = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name between parentheses may itself contain spaces and parentheses.
  const [situacao, pai, grupo] = estado.slice(estado.lastIndexOf(')') + 2).split(' ')
  // A zombie has already ended.
  if (situacao === 'Z' || situacao === 'X') return null
  const comando = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  return { pid, pai: Number(pai), grupo: Number(grupo), comando }
}

async function doPs(): Promise<Processo[]> {
  const { stdout } = await rodar('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,state=,command='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').flatMap((linha) => {
    const [, pid, pai, grupo, situacao, comando] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(linha) ?? []
    if (pid === undefined || situacao?.startsWith('Z') === true) return []
    return [{ pid: Number(pid), pai: Number(pai), grupo: Number(grupo), comando: comando ?? '' }]
  })
}

function arvoreDe(raizes: ReadonlySet<number>, processos: readonly Processo[]): Processo[] {
  const dentro = new Set(raizes)
  for (let antes = -1; antes !== dentro.size;) {
    antes = dentro.size
    for (const { pid, pai, grupo } of processos) if (dentro.has(pai) || raizes.has(grupo)) dentro.add(pid)
  }
  return processos.filter(({ pid }) => dentro.has(pid) && pid !== process.pid)
}

export async function processosDoPerfil(pasta: string): Promise<Processo[]> {
  return doPerfil(pasta, await listProcessos())
}

export function doPerfil(pasta: string, processos: readonly Processo[]): Processo[] {
  return arvoreDe(donosDe(pasta, processos), processos)
}

function donosDe(pasta: string, processos: readonly Processo[]): Set<number> {
  const marca = `--user-data-dir=${pasta} `
  return new Set(processos.filter(({ comando }) => `${comando} `.includes(marca)).map(({ pid }) => pid))
}

/** Kills the processes and resolves with their number when all have ended. Rejects after a timeout. */
export async function encerrarPerfil(pasta: string): Promise<number> {
  // Orphans keep their process group after the root has ended.
  const raizes = new Set<number>()
  const vistos = new Set<number>()
  const ate = performance.now() + SUMIR_MS
  for (;;) {
    const processos = await listProcessos()
    for (const pid of donosDe(pasta, processos)) raizes.add(pid)
    const vivos = arvoreDe(new Set([...raizes, ...vistos]), processos)
    if (vivos.length === 0) return vistos.size
    for (const { pid } of vivos) {
      vistos.add(pid)
      matar(pid)
    }
    if (performance.now() > ate) throw new Error(`browser processes still running: ${pasta}`)
    await new Promise((resolve) => setTimeout(resolve, OLHAR_MS))
  }
}

function matar(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

/** Memory in bytes, with shared pages counted proportionally (PSS); null outside Linux. */
export async function memoriaDe(processos: readonly Pick<Processo, 'pid'>[]): Promise<number | null> {
  if (process.platform !== 'linux' || processos.length === 0) return null
  const partes = await Promise.all(processos.map(({ pid }) => proporcionalDe(pid).catch(() => 0)))
  return partes.reduce((soma, parte) => soma + parte, 0)
}

async function proporcionalDe(pid: number): Promise<number> {
  const texto = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(texto)?.[1] ?? 0) * 1_024
}
