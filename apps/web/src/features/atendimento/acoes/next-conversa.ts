import type { ConversaReader } from '@balcao/contract/conversa-access'
import { openConversas } from '@balcao/contract/sync/known-conversas'
import type { QueryClient } from '@tanstack/react-query'
import { compareInView, isInView, isUnanswered } from '#features/atendimento/lista/views.ts'
import { knownConversas } from '#shared/data/conversas/known-conversas.ts'

const STORAGE_KEY = 'abrir-proxima'
const OFF = 'nao'

/** Whether the end of a conversa opens the next one. The choice stays on this device. */
export function opensNext(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== OFF
}

export function storeOpensNext(opens: boolean): void {
  if (opens) localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, OFF)
}

/** The person's conversa that has no answer for the longest time. Undefined: none. */
export function findNextOwn(client: QueryClient, me: ConversaReader, endedId: string): string | undefined {
  const nowMs = Date.now()
  const own = openConversas(knownConversas(client)).filter(
    (conversa) => conversa.id !== endedId && isUnanswered(conversa) && isInView(conversa, 'minhas', me, nowMs),
  )
  return own.toSorted(compareInView)[0]?.id
}
