import type { Log } from '@balcao/contract/entities/log'
import { logsRoute } from '@balcao/contract/routes/registros'
import { call } from '#shared/api-client.ts'
import { baixar } from '#shared/baixar.ts'
import { formatIsoDate } from '#shared/format.ts'
import { consultaDe, type Filtro } from './filtro.ts'

/** Larger exports would overload browser and server: the user must narrow the filter. */
export const EXPORTACAO_MAXIMO = 10_000
/** Page size limit of the server. */
const POR_VEZ = 200

export interface Exportados {
  readonly logs: readonly Log[]
  /** True if more entries matched than were exported. */
  readonly cortado: boolean
}

export async function lerTudo(filtro: Filtro): Promise<Exportados> {
  const logs: Log[] = []
  let cursor: string | undefined
  do {
    const query = { ...consultaDe(filtro), limite: POR_VEZ, ...(cursor === undefined ? {} : { cursor }) }
    const pagina = await call(logsRoute, { query })
    logs.push(...pagina.logs)
    cursor = pagina.proximoCursor
  } while (cursor !== undefined && logs.length < EXPORTACAO_MAXIMO)
  return { logs: logs.slice(0, EXPORTACAO_MAXIMO), cortado: cursor !== undefined }
}

/** `logs-2026-11-21.json`, date in the account's time zone. */
export function nomeDoArquivo(agora: Date): string {
  return `logs-${formatIsoDate(agora)}.json`
}

export function baixarLogs({ logs }: Exportados, agora: Date): void {
  baixar(nomeDoArquivo(agora), 'application/json', `${JSON.stringify(logs, null, 2)}\n`)
}
