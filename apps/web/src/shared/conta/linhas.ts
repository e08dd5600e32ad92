import type { Linha } from '@balcao/contract/entities/linha'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { linhasRoute } from '@balcao/contract/routes/linhas'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const NO_LINHAS: readonly Linha[] = []
const STALE_MS = 60_000

/** The lines of the account, the main one first. Empty until they are loaded. */
export function useLinhas(): readonly Linha[] {
  const { data } = useQuery({
    queryKey: QUERY_KEYS.linhas,
    queryFn: async ({ signal }): Promise<readonly Linha[]> => (await call(linhasRoute, { signal })).linhas,
    staleTime: STALE_MS,
    retry: false,
  })
  return data ?? NO_LINHAS
}

/** Empty while the account has one line: then no screen names it. */
export function useManyLinhas(): readonly Linha[] {
  const linhas = useLinhas()
  return linhas.length > 1 ? linhas : NO_LINHAS
}

/** A deletion is announced with the main line, so that one reads the list again. */
export function applyLinha(client: QueryClient, { linha }: ServerEventPayloads['linhaMudou']): void {
  const known = client.getQueryData<readonly Linha[]>(QUERY_KEYS.linhas)
  if (known === undefined) return
  if (linha.principal || !known.some(({ id }) => id === linha.id)) {
    void client.invalidateQueries({ queryKey: QUERY_KEYS.linhas })
    return
  }
  client.setQueryData(
    QUERY_KEYS.linhas,
    known.map((one) => (one.id === linha.id ? linha : one)),
  )
}
