import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import * as z from 'zod/mini'

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
  return parsed.filter((found) => found !== null)
}

async function readProcFile(pid: number): Promise<SystemProcess | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name between parentheses may itself contain spaces and parentheses.
  const [status, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (status === 'Z' || status === 'X') return null
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  return { pid, parent: Number(parent), group: Number(group), command }
}

async function listPsProcesses(): Promise<SystemProcess[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,state=,command='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, status, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (pid === undefined || status?.startsWith('Z') === true) return []
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command: command ?? '' }]
  })
}

function treeOf(roots: ReadonlySet<number>, processes: readonly SystemProcess[]): SystemProcess[] {
  const tree = new Set(roots)
  for (let before = -1; before !== tree.size;) {
    before = tree.size
    for (const { pid, parent, group } of processes) if (tree.has(parent) || roots.has(group)) tree.add(pid)
  }
  return processes.filter(({ pid }) => tree.has(pid) && pid !== process.pid)
}

export async function findProfileProcesses(folder: string): Promise<SystemProcess[]> {
  return filterProfileProcesses(folder, await listProcesses())
}

export function filterProfileProcesses(folder: string, processes: readonly SystemProcess[]): SystemProcess[] {
  return treeOf(rootsOf(folder, processes), processes)
}

function rootsOf(folder: string, processes: readonly SystemProcess[]): Set<number> {
  const argument = `--user-data-dir=${folder} `
  return new Set(processes.filter(({ command }) => `${command} `.includes(argument)).map(({ pid }) => pid))
}

export async function endProfileProcesses(folder: string): Promise<number> {
  // Orphans keep their process group after the root has ended.
  const roots = new Set<number>()
  const seen = new Set<number>()
  const until = performance.now() + END_TIMEOUT_MS
  for (;;) {
    const processes = await listProcesses()
    for (const pid of rootsOf(folder, processes)) roots.add(pid)
    const alive = treeOf(new Set([...roots, ...seen]), processes)
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

const POWERSHELL_TIMEOUT_MS = 20_000
/** Only browsers and their helpers: process ids are reused, so a parent id may belong to an unrelated process. */
const BROWSER_COMMAND = /--(user-data-dir|type)=/
const POWERSHELL_QUERY = [
  'Get-CimInstance Win32_Process -Filter "CommandLine LIKE \'%--%\'"',
  'Select-Object ProcessId,ParentProcessId,CommandLine',
  'ConvertTo-Json -Compress',
].join(' | ')

const windowsProcessSchema = z.object({
  ProcessId: z.number(),
  ParentProcessId: z.number(),
  CommandLine: z.nullable(z.string()),
})

async function listWindowsProcesses(): Promise<SystemProcess[]> {
  const args = ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL_QUERY]
  const options = { maxBuffer: 2 ** 24, timeout: POWERSHELL_TIMEOUT_MS, windowsHide: true }
  try {
    return parseWindowsProcesses((await run('powershell.exe', args, options)).stdout)
  } catch {
    return []
  }
}

export function parseWindowsProcesses(json: string): SystemProcess[] {
  const parsed = z.array(z.unknown()).parse(json.trim() === '' ? [] : [JSON.parse(json)].flat())
  return parsed.flatMap((raw) => {
    const { data } = windowsProcessSchema.safeParse(raw)
    const command = data?.CommandLine ?? ''
    if (data === undefined || !BROWSER_COMMAND.test(command)) return []
    // Windows has no process groups. Quotes around a path or an argument are removed.
    return [{ pid: data.ProcessId, parent: data.ParentProcessId, group: -1, command: command.replaceAll('"', '') }]
  })
}
