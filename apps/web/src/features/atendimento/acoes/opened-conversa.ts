import type { Conversa } from '@balcao/contract/entities/conversa'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { refetchFinished } from '#features/atendimento/lista/conversa-cache.ts'
import { storeConversas } from '#shared/data/conversas/known-conversas.ts'

export const BOT_LIST_KEY = ['atendimento', 'com-o-bot'] as const

/** Stores a conversa that was just opened. Its event may arrive later. */
export function cacheOpened(client: QueryClient, conversa: Conversa): void {
  storeConversas(client, [conversa])
  void client.invalidateQueries({ queryKey: BOT_LIST_KEY })
  void refetchFinished(client)
}

export function useShowConversa(): (id: string) => void {
  const navigate = useNavigate()
  return (c) => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c }, resetScroll: false })
}

export function useShowOpened(): (conversa: Conversa) => void {
  const client = useQueryClient()
  const show = useShowConversa()
  return (conversa) => {
    cacheOpened(client, conversa)
    show(conversa.id)
  }
}
