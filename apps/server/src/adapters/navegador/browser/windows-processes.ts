import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { SystemProcess } from './processes.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 20_000
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

export async function listWindowsProcesses(): Promise<SystemProcess[]> {
  const args = ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL_QUERY]
  const opcoes = { maxBuffer: 2 ** 24, timeout: TIMEOUT_MS, windowsHide: true }
  try {
    return parseWindowsProcesses((await run('powershell.exe', args, opcoes)).stdout)
  } catch {
    return []
  }
}

export function parseWindowsProcesses(json: string): SystemProcess[] {
  const parsed = z.array(z.unknown()).parse(json.trim() === '' ? [] : [JSON.parse(json)].flat())
  return parsed.flatMap((raw) => {
    const { data } = windowsProcessSchema.safeParse(raw)
    const comando = data?.CommandLine ?? ''
    if (data === undefined || !BROWSER_COMMAND.test(comando)) return []
    // Windows has no process groups. Quotes around a path or an argument are removed.
    return [{ pid: data.ProcessId, parent: data.ParentProcessId, group: -1, command: comando.replaceAll('"', '') }]
  })
}
