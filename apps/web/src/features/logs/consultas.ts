import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Log } from '@balcao/contract/entities/log'
import { logsRoute } from '@balcao/contract/routes/registros'
import { aplicarEmLogs } from '@balcao/contract/sync/registros'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { type Aplicar, semPerder, useAoVivo } from './ao-vivo.ts'
import { aceita, consultaDe, type Filtro } from './filtro.ts'

export interface LogsLidos {
  readonly logs: readonly Log[]
  readonly proximoCursor?: string | undefined
}
export function useLogs(filtro: Filtro, ligada: boolean) {
  const { contaId } = useUsuario()
  const queryKey = [...CHAVES.logs, filtro]
  const aplicar: Aplicar<LogsLidos> = (lidos, evento) =>
    evento.evento === 'botLog' && aceita(filtro, evento.dados)
      ? { ...lidos, logs: aplicarEmLogs(lidos.logs, evento, contaId) }
      : lidos
  useAoVivo(queryKey, aplicar)
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      semPerder<LogsLidos>(
        () => call(logsRoute, { query: { ...consultaDe(filtro), limite: LOGS_MANTIDOS }, signal }),
        aplicar,
      ),
    enabled: ligada,
    staleTime: 0,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })
}
