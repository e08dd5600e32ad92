import type { Linha } from '@balcao/contract/entities/linha'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { linhasRoute } from '@balcao/contract/routes/linhas'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const NO_LINHAS: readonly Linha[] = []
const STALE_MS = 60_000

const linhasOptions = queryOptions({
  queryKey: QUERY_KEYS.linhas,
  queryFn: async ({ signal }): Promise<readonly Linha[]> => (await call(linhasRoute, { signal })).linhas,
  staleTime: STALE_MS,
  retry: false,
  networkMode: 'always',
})

/** With the states of the request, for the screen that lists them. */
export function useLinhasQuery() {
  return useQuery(linhasOptions)
}

/** The lines of the account, the main one first. Empty until they are loaded. */
export function useLinhas(): readonly Linha[] {
  return useLinhasQuery().data ?? NO_LINHAS
}

/** Empty while the account has one line: then no screen names it. */
export function useManyLinhas(): readonly Linha[] {
  const linhas = useLinhas()
  return linhas.length > 1 ? linhas : NO_LINHAS
}

/** Reads the list again. Rejects if the request fails. */
export function refreshLinhas(client: QueryClient): Promise<readonly Linha[]> {
  return client.fetchQuery({ ...linhasOptions, staleTime: 0 })
}

export function patchLinha(client: QueryClient, id: string, change: (known: Linha) => Linha): void {
  client.setQueryData<readonly Linha[]>(QUERY_KEYS.linhas, (known) =>
    known?.map((one) => (one.id === id ? change(one) : one)),
  )
}

/** A deletion is announced with the main line, so that one reads the list again. */
export function applyLinha(client: QueryClient, { linha }: ServerEventPayloads['linhaMudou']): void {
  const known = client.getQueryData<readonly Linha[]>(QUERY_KEYS.linhas)
  if (known === undefined) return
  if (linha.principal || !known.some(({ id }) => id === linha.id)) {
    void client.invalidateQueries({ queryKey: QUERY_KEYS.linhas })
    return
  }
  patchLinha(client, linha.id, () => linha)
}
