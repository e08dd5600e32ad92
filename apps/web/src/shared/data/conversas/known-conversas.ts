import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import {
  forgetConversas,
  type KnownConversas,
  NO_CONVERSAS,
  putConversas,
  updateConversa,
} from '@balcao/contract/sync/known-conversas'
import { type QueryClient, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

/**
 * All conversas that this tab knows, by id. Lists in the cache hold only ids. Events and answers end here: `putConversas`
 * keeps the newer copy.
 */

const KNOWN_KEY = [QUERY_KEYS.conversas[0], 'conhecidas'] as const
const OPTIONS = { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false }

export function knownConversas(client: QueryClient): KnownConversas {
  return client.getQueryData<KnownConversas>(KNOWN_KEY) ?? NO_CONVERSAS
}

export function useKnownConversas(): KnownConversas {
  return useQuery<KnownConversas>({ queryKey: KNOWN_KEY, queryFn: skipToken, ...OPTIONS }).data ?? NO_CONVERSAS
}

type Change = () => void

/** For each running request, the changes since it began. */
const running = new Set<Change[]>()

/** Changes cached data, by an event or by an answer. A change may run twice. */
export function changeCache(change: Change): void {
  for (const changes of running) changes.push(change)
  change()
}

/**
 * Stores the answer of a request and applies again the changes that arrived meanwhile, because the answer may be older
 * than they are.
 */
export async function storeAnswer<T>(request: () => Promise<T>, store: (answer: T) => void): Promise<T> {
  const changes: Change[] = []
  running.add(changes)
  try {
    const answer = await request()
    running.delete(changes)
    store(answer)
    for (const change of changes) change()
    return answer
  } finally {
    running.delete(changes)
  }
}

export function changeKnown(client: QueryClient, change: (known: KnownConversas) => KnownConversas): void {
  const known = knownConversas(client)
  const changed = change(known)
  if (changed === known) return
  if (known === NO_CONVERSAS) client.setQueryDefaults(KNOWN_KEY, OPTIONS)
  client.setQueryData(KNOWN_KEY, changed)
}

export function storeConversas(client: QueryClient, conversas: readonly Conversa[]): void {
  changeCache(() => changeKnown(client, (known) => putConversas(known, conversas)))
}

export function updateKnown(client: QueryClient, id: string, update: (conversa: Conversa) => Conversa): void {
  changeKnown(client, (known) => updateConversa(known, id, update))
}

export function forgetKnown(client: QueryClient, id: string): void {
  changeCache(() => changeKnown(client, (known) => forgetConversas(known, [id])))
}

/** Reads one conversa of the server. Reads of the same one share a request. */
export function conversaQuery(client: QueryClient, id: string) {
  return {
    queryKey: [QUERY_KEYS.conversas[0], 'conversa', id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const request = () => call(conversaHumanaRoute, { params: { id }, signal })
      await storeAnswer(request, ({ conversa }) => storeConversas(client, [conversa]))
      return id
    },
    retry: false,
  }
}

/** Reads a conversa that no list contains, for example one opened by a link. Once read, it is read again as the lists are. */
export function useSingleConversa(id: string | undefined, enabled: boolean) {
  const client = useQueryClient()
  const { byId } = useKnownConversas()
  const query = conversaQuery(client, id ?? '')
  const needed = id !== undefined && (enabled || client.getQueryData(query.queryKey) !== undefined)
  const { data, error, refetch } = useQuery({ ...query, enabled: needed })
  return { conversa: data === undefined ? undefined : byId.get(data), error, refetch }
}
