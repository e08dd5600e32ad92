import { STATUS_APOS_CONECTAR_MS, STATUS_APOS_MONTAR_MS, STATUS_INTERVALO_MS } from '@balcao/contract/constants'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { ServerEvent } from '@balcao/contract/realtime'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { notify } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { onSocketEvent, useSocketState } from './socket.ts'
import { TEXTS } from '#shared/texts.ts'
import { stopStatusPolling } from '#shared/data/status-polling.ts'
import { STATUS_AVISOS } from '#shared/data/status-labels.ts'
import { refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

/** Groups a burst of messages into one refetch of the usage. */
const USAGE_AFTER_MENSAGEM_MS = 3_000

function announceStatus(status: StatusBot): void {
  const aviso = STATUS_AVISOS[status]
  if (aviso === undefined) return
  notify[aviso.tipo](aviso.text, aviso.durationMs === undefined ? {} : { durationMs: aviso.durationMs })
}

function statusOfEvent({ evento, dados }: ServerEvent): StatusBot | null {
  return evento === 'botStatus' || evento === 'botStatusChange' ? parseStatusBot(dados.status) : null
}

function useEventBridge(client: QueryClient, usuario: Usuario): void {
  const anunciado = useRef<StatusBot | null>(null)
  const { bot, known } = useBotStatus()
  const first = known ? bot.status : null
  useEffect(() => {
    // The first known status is not announced. Every later change is, even if a poll read it before the event.
    anunciado.current ??= first
  }, [first])
  useEffect(() => {
    let uso: ReturnType<typeof setTimeout> | undefined
    const receive = async (received: ServerEvent): Promise<void> => {
      // The reducers load with the first event. Events keep their order because a module is imported once.
      const { applyEventToCache } = await import('./event-bridge.ts')
      const before = anunciado.current
      applyEventToCache(client, received, usuario)
      const status = statusOfEvent(received)
      if (status !== null) {
        anunciado.current = status
        if (before !== null && before !== status) announceStatus(status)
      }
      if (received.evento !== 'botMensagem' && received.evento !== 'mensagemConversaHumana') return
      uso ??= setTimeout(() => {
        uso = undefined
        void client.invalidateQueries({ queryKey: QUERY_KEYS.estatisticas })
      }, USAGE_AFTER_MENSAGEM_MS)
    }
    const stop = onSocketEvent((received) => {
      if (received.dados.userId === usuario.contaId) void receive(received)
    })
    return () => {
      stop()
      clearTimeout(uso)
    }
  }, [client, usuario])
}

function pollStatusOnce(client: QueryClient): void {
  refreshBotStatus(client).catch(() => undefined)
}

function useStatusPolling(client: QueryClient, online: boolean): void {
  useEffect(() => {
    const aposMontar = setTimeout(() => pollStatusOnce(client), STATUS_APOS_MONTAR_MS)
    return () => {
      clearTimeout(aposMontar)
      stopStatusPolling(client)
    }
  }, [client])
  useEffect(() => {
    if (!online) return
    const aposConectar = setTimeout(() => pollStatusOnce(client), STATUS_APOS_CONECTAR_MS)
    const sempre = setInterval(() => pollStatusOnce(client), STATUS_INTERVALO_MS)
    return () => {
      clearTimeout(aposConectar)
      clearInterval(sempre)
    }
  }, [client, online])
}

/**
 * Data that only events update. Events between the first read and the first connection are lost, so it is fetched
 * again.
 */
const EVENT_ONLY_KEYS: ReadonlySet<unknown> = new Set(
  [
    ...[QUERY_KEYS.conversas, QUERY_KEYS.notas, QUERY_KEYS.conversasBot, QUERY_KEYS.logs, QUERY_KEYS.mensagensBot],
    QUERY_KEYS.pedidos,
  ].map(([subject]) => subject),
)

/**
 * Refetches after each connection the data whose events may be lost. A failed first connection shows an error, even
 * if it failed before the panel mounted.
 */
function useRefetchOnReconnect(client: QueryClient): void {
  const { tipo } = useSocketState()
  const previous = useRef<typeof tipo>('desligado')
  const jaConectou = useRef(false)
  useEffect(() => {
    const before = previous.current
    previous.current = tipo
    if (tipo === 'offline' && before !== 'offline' && !jaConectou.current) notify.erro(TEXTS.tempoReal)
    if (tipo !== 'online' || before === 'online') return
    const returned = jaConectou.current
    jaConectou.current = true
    void client.invalidateQueries({
      predicate: ({ queryKey: [subject], state }) =>
        returned ? subject !== QUERY_KEYS.botStatus[0] : EVENT_ONLY_KEYS.has(subject) && state.status === 'success',
    })
  }, [client, tipo])
}

export function useLiveCache(): void {
  const cliente = useQueryClient()
  const { tipo } = useSocketState()
  useEventBridge(cliente, useUsuario())
  useStatusPolling(cliente, tipo === 'online')
  useRefetchOnReconnect(cliente)
}
