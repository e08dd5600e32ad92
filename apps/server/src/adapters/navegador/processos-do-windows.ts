import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { Processo } from './processos.ts'

const rodar = promisify(execFile)
const PRAZO_MS = 20_000
/** Only browsers and their helpers: process ids are reused, so a parent id may belong to an unrelated process. */
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

export async function doWindows(): Promise<Processo[]> {
  const argumentos = ['-NoProfile', '-NonInteractive', '-Command', PERGUNTA]
  const opcoes = { maxBuffer: 2 ** 24, timeout: PRAZO_MS, windowsHide: true }
  try {
    return lerProcessos((await rodar('powershell.exe', argumentos, opcoes)).stdout)
  } catch {
    return []
  }
}

export function lerProcessos(json: string): Processo[] {
  const lidos = z.array(z.unknown()).parse(json.trim() === '' ? [] : [JSON.parse(json)].flat())
  return lidos.flatMap((bruto) => {
    const { data } = processoSchema.safeParse(bruto)
    const comando = data?.CommandLine ?? ''
    if (data === undefined || !DE_NAVEGADOR.test(comando)) return []
    // Windows has no process groups. Quotes around a path or an argument are removed.
    return [{ pid: data.ProcessId, pai: data.ParentProcessId, grupo: -1, comando: comando.replaceAll('"', '') }]
  })
}
