import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import {
  forgetConversas,
  type KnownConversas,
  NO_CONVERSAS,
  putConversas,
  updateConversa,
} from '@balcao/contract/sync/known-conversas'
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { changeCache, storeAnswer } from './requests.ts'

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

export function changeKnown(client: QueryClient, change: (known: KnownConversas) => KnownConversas): void {
  const known = knownConversas(client)
  const changed = change(known)
  if (changed === known) return
  if (known === NO_CONVERSAS) client.setQueryDefaults(KNOWN_KEY, OPTIONS)
  client.setQueryData(KNOWN_KEY, changed)
}

/** Stores copies of conversas that the server sent. */
export function storeConversas(client: QueryClient, conversas: readonly Conversa[]): void {
  changeCache(() => changeKnown(client, (known) => putConversas(known, conversas)))
}

export function updateKnown(client: QueryClient, id: string, update: (conversa: Conversa) => Conversa): void {
  changeKnown(client, (known) => updateConversa(known, id, update))
}

/** Forgets conversas that ended, or that the person may not read. */
export function forgetKnown(client: QueryClient, ids: readonly string[]): void {
  changeCache(() => changeKnown(client, (known) => forgetConversas(known, ids)))
}

/** Reads one conversa of the server. */
export function fetchConversa(client: QueryClient, id: string, signal?: AbortSignal): Promise<{ conversa: Conversa }> {
  return storeAnswer(
    () => call(conversaHumanaRoute, { params: { id }, ...(signal === undefined ? {} : { signal }) }),
    ({ conversa }) => storeConversas(client, [conversa]),
  )
}
