import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { listWindowsProcesses } from './windows-processes.ts'

export interface SystemProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly command: string
}

const END_TIMEOUT_MS = 5_000
const POLL_MS = 25
const run = promisify(execFile)

export async function listProcesses(): Promise<SystemProcess[]> {
  if (process.platform === 'win32') return listWindowsProcesses()
  if (process.platform !== 'linux') return listPsProcesses()
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parsed = await Promise.all(names.map((name) => readProcFile(Number(name)).catch(() => null)))
  return parsed.filter((processo) => processo !== null)
}

async function readProcFile(pid: number): Promise<SystemProcess | null> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name between parentheses may itself contain spaces and parentheses.
  const [situation, pai, grupo] = state.slice(state.lastIndexOf(')') + 2).split(' ')
  // A zombie has already ended.
  if (situation === 'Z' || situation === 'X') return null
  const comando = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  return { pid, parent: Number(pai), group: Number(grupo), command: comando }
}

async function listPsProcesses(): Promise<SystemProcess[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,state=,command='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, pai, grupo, situation, comando] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || situation?.startsWith('Z') === true) return []
    return [{ pid: Number(pid), parent: Number(pai), group: Number(grupo), command: comando ?? '' }]
  })
}

function treeOf(roots: ReadonlySet<number>, processes: readonly SystemProcess[]): SystemProcess[] {
  const dentro = new Set(roots)
  for (let before = -1; before !== dentro.size;) {
    before = dentro.size
    for (const { pid, parent, group } of processes) if (dentro.has(parent) || roots.has(group)) dentro.add(pid)
  }
  return processes.filter(({ pid }) => dentro.has(pid) && pid !== process.pid)
}

export async function findProfileProcesses(folder: string): Promise<SystemProcess[]> {
  return filterProfileProcesses(folder, await listProcesses())
}

export function filterProfileProcesses(folder: string, processes: readonly SystemProcess[]): SystemProcess[] {
  return treeOf(rootsOf(folder, processes), processes)
}

function rootsOf(folder: string, processes: readonly SystemProcess[]): Set<number> {
  const marca = `--user-data-dir=${folder} `
  return new Set(processes.filter(({ command }) => `${command} `.includes(marca)).map(({ pid }) => pid))
}

/** Kills the processes and resolves with their number when all have ended. Rejects after a timeout. */
export async function endProfileProcesses(folder: string): Promise<number> {
  // Orphans keep their process group after the root has ended.
  const raizes = new Set<number>()
  const seen = new Set<number>()
  const until = performance.now() + END_TIMEOUT_MS
  for (;;) {
    const processos = await listProcesses()
    for (const pid of rootsOf(folder, processos)) raizes.add(pid)
    const alive = treeOf(new Set([...raizes, ...seen]), processos)
    if (alive.length === 0) return seen.size
    for (const { pid } of alive) {
      seen.add(pid)
      kill(pid)
    }
    if (performance.now() > until) throw new Error(`browser processes still running: ${folder}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

/** Memory in bytes, with shared pages counted proportionally (PSS); null outside Linux. */
export async function memoryOf(processes: readonly Pick<SystemProcess, 'pid'>[]): Promise<number | null> {
  if (process.platform !== 'linux' || processes.length === 0) return null
  const parts = await Promise.all(processes.map(({ pid }) => proportionalMemory(pid).catch(() => 0)))
  return parts.reduce((sum, part) => sum + part, 0)
}

async function proportionalMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024
}
