import type { Fonte } from '@balcao/contract/entities/fonte'
import { fontesRoute } from '@balcao/contract/routes/ia-fontes'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const FONTES_KEY = ['ia', 'fontes'] as const
/** An account has at most 100 fontes, so one page shows them all. */
const LIMIT = 100
/** The event of a finished reading may be lost. */
const WHILE_READING_MS = 10_000

export function useFontes() {
  return useQuery<readonly Fonte[]>({
    queryKey: FONTES_KEY,
    queryFn: async ({ signal }) => (await call(fontesRoute, { query: { limite: LIMIT }, signal })).fontes,
    networkMode: 'always',
    refetchInterval: ({ state }) =>
      state.data?.some(({ estado }) => estado === 'lendo') === true ? WHILE_READING_MS : false,
  })
}

/** Puts a new or changed fonte into the list, newest first. Does nothing while the list was never read. */
export function putFonte(client: QueryClient, fonte: Fonte): void {
  client.setQueryData<readonly Fonte[]>(FONTES_KEY, (list) => {
    if (list === undefined) return undefined
    const known = list.some(({ id }) => id === fonte.id)
    return known ? list.map((one) => (one.id === fonte.id ? fonte : one)) : [fonte, ...list]
  })
}

export function dropFonte(client: QueryClient, id: string): void {
  client.setQueryData<readonly Fonte[]>(FONTES_KEY, (list) => list?.filter((one) => one.id !== id))
}

interface FonteChange {
  readonly fonte: Fonte
  readonly removida?: true | undefined
}

export function applyFonte(client: QueryClient, { fonte, removida }: FonteChange): void {
  if (removida === true) dropFonte(client, fonte.id)
  else putFonte(client, fonte)
}
