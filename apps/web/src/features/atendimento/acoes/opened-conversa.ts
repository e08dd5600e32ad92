import type { Conversa } from '@balcao/contract/entities/conversa'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ConversaPages, refetchFinished, SINGLE_KEY } from '#features/atendimento/lista/conversa-cache.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

/** Contatos whom the bot serves. */
export const BOT_LIST_KEY = ['atendimento', 'com-o-bot'] as const

/** Puts a conversa that was just opened into the cache, in front of the list. Its event may arrive later. */
export function cacheOpened(client: QueryClient, conversa: Conversa): void {
  const { id } = conversa
  client.setQueryData<ConversaPages>(QUERY_KEYS.conversas, (list) =>
    list === undefined || list.conversas.some((held) => held.id === id && (held.revisao ?? 0) > (conversa.revisao ?? 0))
      ? list
      : { ...list, conversas: [conversa, ...list.conversas.filter((held) => held.id !== id)] },
  )
  client.setQueryData<Conversa>([...SINGLE_KEY, id], conversa)
  void client.invalidateQueries({ queryKey: BOT_LIST_KEY })
  void refetchFinished(client)
}

/** Shows a conversa in the chat. */
export function useShowConversa(): (id: string) => void {
  const navigate = useNavigate()
  return (c) => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c }, resetScroll: false })
}

/** Caches an opened conversa and shows it in the chat. */
export function useShowOpened(): (conversa: Conversa) => void {
  const client = useQueryClient()
  const show = useShowConversa()
  return (conversa) => {
    cacheOpened(client, conversa)
    show(conversa.id)
  }
}
