import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { Processo } from './processos.ts'

const rodar = promisify(execFile)
const PRAZO_MS = 20_000
/** Only browsers and their helpers: a process outlives its parent's number, which may be anybody's by now. */
const DE_NAVEGADOR = /--(user-data-dir|type)=/
const PERGUNTA = [
  'Get-CimInstance Win32_Process -Filter "CommandLine LIKE \'%--%\'"',
  'Select-Object ProcessId,ParentProcessId,CommandLine',
  'ConvertTo-Json -Compress',
].join(' | ')

const processoSchema = z.object({
  ProcessId: z.number(),
  ParentProcessId: z.number(),
  CommandLine: z.nullable(z.string()),
})

/** The browsers that run; none where PowerShell does not say. */
export async function doWindows(): Promise<Processo[]> {
  const argumentos = ['-NoProfile', '-NonInteractive', '-Command', PERGUNTA]
  const opcoes = { maxBuffer: 2 ** 24, timeout: PRAZO_MS, windowsHide: true }
  try {
    return lerProcessos((await rodar('powershell.exe', argumentos, opcoes)).stdout)
  } catch {
    return []
  }
}

/** What PowerShell said: nothing, one process, or a list of them. */
export function lerProcessos(json: string): Processo[] {
  const lidos = z.array(z.unknown()).parse(json.trim() === '' ? [] : [JSON.parse(json)].flat())
  return lidos.flatMap((bruto) => {
    const { data } = processoSchema.safeParse(bruto)
    const comando = data?.CommandLine ?? ''
    if (data === undefined || !DE_NAVEGADOR.test(comando)) return []
    // There are no groups; a path with spaces stands between quotes, or its whole argument does.
    return [{ pid: data.ProcessId, pai: data.ParentProcessId, grupo: -1, comando: comando.replaceAll('"', '') }]
  })
}
