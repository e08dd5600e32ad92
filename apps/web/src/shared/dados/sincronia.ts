import { STATUS_APOS_CONECTAR_MS, STATUS_APOS_MONTAR_MS, STATUS_INTERVALO_MS } from '@balcao/contract/constants'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import type { EventoServidor } from '@balcao/contract/realtime'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento, useEstadoSocket } from '#shared/socket.ts'
import { TEXTOS } from '#shared/textos.ts'
import { pararDeAcompanhar } from './acoes-bot.ts'
import { AVISO_DO_STATUS } from './avisos-do-status.ts'
import { atualizarBotStatus, useBotStatus } from './bot-status.ts'
import { CHAVES } from './chaves.ts'

/** Groups a burst of messages into one refetch of the usage. */
const USO_APOS_MENSAGEM_MS = 3_000

function anunciar(status: StatusBot): void {
  const aviso = AVISO_DO_STATUS[status]
  if (aviso === undefined) return
  avisar[aviso.tipo](aviso.texto, aviso.duracaoMs === undefined ? {} : { duracaoMs: aviso.duracaoMs })
}

function statusDoEvento({ evento, dados }: EventoServidor): StatusBot | null {
  return evento === 'botStatus' || evento === 'botStatusChange' ? parseStatusBot(dados.status) : null
}

function usePonte(cliente: QueryClient, contaId: string): void {
  const anunciado = useRef<StatusBot | null>(null)
  const { bot, conhecido } = useBotStatus()
  const primeiro = conhecido ? bot.status : null
  useEffect(() => {
    // The first known status is not announced. Every later change is, even if a poll read it before the event.
    anunciado.current ??= primeiro
  }, [primeiro])
  useEffect(() => {
    let uso: ReturnType<typeof setTimeout> | undefined
    const receber = async (recebido: EventoServidor): Promise<void> => {
      // The reducers load with the first event. Events keep their order because a module is imported once.
      const { aplicarEvento } = await import('./ponte.ts')
      const antes = anunciado.current
      aplicarEvento(cliente, recebido, contaId)
      const status = statusDoEvento(recebido)
      if (status !== null) {
        anunciado.current = status
        if (antes !== null && antes !== status) anunciar(status)
      }
      if (recebido.evento !== 'botMensagem' && recebido.evento !== 'mensagemConversaHumana') return
      uso ??= setTimeout(() => {
        uso = undefined
        void cliente.invalidateQueries({ queryKey: CHAVES.estatisticas })
      }, USO_APOS_MENSAGEM_MS)
    }
    const parar = onEvento((recebido) => {
      if (recebido.dados.userId === contaId) void receber(recebido)
    })
    return () => {
      parar()
      clearTimeout(uso)
    }
  }, [cliente, contaId])
}

function olharStatus(cliente: QueryClient): void {
  atualizarBotStatus(cliente).catch(() => undefined)
}

/** Fetches the status 2 s after the panel opens, 1 s after each connection, and every 30 s while connected. */
function useConsultasDoStatus(cliente: QueryClient, online: boolean): void {
  useEffect(() => {
    const aposMontar = setTimeout(() => olharStatus(cliente), STATUS_APOS_MONTAR_MS)
    return () => {
      clearTimeout(aposMontar)
      pararDeAcompanhar(cliente)
    }
  }, [cliente])
  useEffect(() => {
    if (!online) return
    const aposConectar = setTimeout(() => olharStatus(cliente), STATUS_APOS_CONECTAR_MS)
    const sempre = setInterval(() => olharStatus(cliente), STATUS_INTERVALO_MS)
    return () => {
      clearTimeout(aposConectar)
      clearInterval(sempre)
    }
  }, [cliente, online])
}

/**
 * Data that only events update. Events between the first read and the first connection are lost, so it is fetched
 * again.
 */
const SO_POR_EVENTOS: ReadonlySet<unknown> = new Set(
  [CHAVES.conversas, CHAVES.conversasBot, CHAVES.logs, CHAVES.mensagensBot].map(([assunto]) => assunto),
)

/**
 * Refetches after each connection the data whose events may be lost. A failed first connection shows an error, even
 * if it failed before the panel mounted.
 */
function useRefazerAoVoltar(cliente: QueryClient): void {
  const { tipo } = useEstadoSocket()
  const anterior = useRef<typeof tipo>('desligado')
  const jaConectou = useRef(false)
  useEffect(() => {
    const antes = anterior.current
    anterior.current = tipo
    if (tipo === 'offline' && antes !== 'offline' && !jaConectou.current) avisar.erro(TEXTOS.tempoReal)
    if (tipo !== 'online' || antes === 'online') return
    const voltou = jaConectou.current
    jaConectou.current = true
    void cliente.invalidateQueries({
      predicate: ({ queryKey: [assunto], state }) =>
        voltou ? assunto !== CHAVES.botStatus[0] : SO_POR_EVENTOS.has(assunto) && state.status === 'success',
    })
  }, [cliente, tipo])
}

export function useSincronia(): void {
  const cliente = useQueryClient()
  const { contaId } = useUsuario()
  const { tipo } = useEstadoSocket()
  usePonte(cliente, contaId)
  useConsultasDoStatus(cliente, tipo === 'online')
  useRefazerAoVoltar(cliente)
}
