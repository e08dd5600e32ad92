import type { Conversa, Minha } from '@balcao/contract/entities/conversa'
import { leituraRoute } from '@balcao/contract/routes/atendimento-leituras'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { changeCache, updateKnown } from '#shared/data/conversas/known-conversas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'

/** The read position of the person, which the server keeps for all devices. */

const MARK_AFTER_MS = 250

/** Without `minha` the person has not opened the conversa yet. */
export function marksOf({ minha, naoLidas }: Conversa): Minha {
  return minha ?? { naoLidas, marcada: false, fixada: false }
}

/** The number on the row. A conversa marked by hand shows at least one. */
export function unreadCount(conversa: Conversa): number {
  const { naoLidas, marcada } = marksOf(conversa)
  if (marcada) return Math.max(1, naoLidas)
  return conversa.status === 'finalizada' ? 0 : naoLidas
}

export function changeMarks(client: QueryClient, id: string, change: Partial<Minha>): void {
  changeCache(() =>
    updateKnown(client, id, (conversa) => ({ ...conversa, minha: { ...marksOf(conversa), ...change } })),
  )
}

export async function markUnread(client: QueryClient, id: string): Promise<void> {
  changeMarks(client, id, { marcada: true })
  try {
    await call(leituraRoute, { params: { id }, body: { marcada: true } })
  } catch (error) {
    changeMarks(client, id, { marcada: false })
    notify.erro(`Erro ao marcar como não lida: ${errorMessage(error)}`)
  }
}

export async function markRead(client: QueryClient, { id, mensagens }: Conversa): Promise<void> {
  const ate = mensagens.at(-1)?.id
  if (ate === undefined) return
  changeMarks(client, id, { naoLidas: 0, marcada: false })
  await call(leituraRoute, { params: { id }, body: { ate } })
}

/**
 * Marks the open conversa as read while the window is visible and focused: once for each message, and again for a notice
 * about the conversa. A failed mark is repeated with the next focus or message.
 */
export function useMarkRead(conversa: Conversa): void {
  const client = useQueryClient()
  const marked = useRef<string | undefined>(undefined)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const last = conversa.mensagens.at(-1)?.id
    const mark = (): void => {
      if (document.visibilityState !== 'visible' || !document.hasFocus() || marked.current === last) return
      marked.current = last
      markRead(client, conversa).catch(() => (marked.current = undefined))
    }
    const markSoon = (): void => {
      clearTimeout(timer)
      timer = setTimeout(mark, MARK_AFTER_MS)
    }
    const stop = onSocketEvent(({ evento, dados }) => {
      if (evento !== 'avisoNovo' || dados.aviso.conversaId !== conversa.id) return
      marked.current = undefined
      markSoon()
    })
    markSoon()
    addEventListener('focus', markSoon)
    document.addEventListener('visibilitychange', markSoon)
    return () => {
      stop()
      clearTimeout(timer)
      removeEventListener('focus', markSoon)
      document.removeEventListener('visibilitychange', markSoon)
    }
  }, [client, conversa])
}
