import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { clearBotSession, startBotAndPoll, stopBotAndPolling } from '#shared/data/bot-actions.ts'
import { refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'

/** The session of one line: its state, and the acts of its owner. */
export interface LineSession {
  readonly state: Pick<BotStatus, 'status' | 'motivo' | 'conectadoComo' | 'qrCode' | 'qrExpiraEm' | 'modoTeste'>
  readonly known: boolean
  readonly busy: boolean
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly clear: () => Promise<void>
  /** Gives up the link of a machine that is off and asks for a new code. */
  readonly relink: () => Promise<void>
  readonly refresh: () => Promise<unknown>
}

interface SessionCalls {
  readonly start: () => Promise<unknown>
  readonly stop: () => Promise<unknown>
  readonly clear: () => Promise<unknown>
}

/** The acts with their notices. One at a time. */
export function useSessionActs({
  start,
  stop,
  clear,
}: SessionCalls): Pick<LineSession, 'busy' | keyof SessionCalls | 'relink'> {
  const [busy, setBusy] = useState(false)
  async function execute(run: () => Promise<unknown>, success: string, failure: string): Promise<void> {
    setBusy(true)
    try {
      await run()
      notify.sucesso(success)
    } catch (error) {
      notify.erro(`${failure}: ${errorMessage(error)}`)
    }
    setBusy(false)
  }
  return {
    busy,
    start: () => execute(start, 'Bot iniciado! Aguarde a conexão...', 'Erro ao iniciar bot'),
    stop: () => execute(stop, 'Bot parado com sucesso!', 'Erro ao parar bot'),
    clear: () =>
      execute(clear, 'Sessão limpa! Inicie o bot novamente para gerar novo QR Code.', 'Falha ao limpar sessão'),
    relink: () =>
      execute(() => clear().then(start), 'Escaneie o novo código para conectar.', 'Erro ao conectar em outra máquina'),
  }
}

/** The main line speaks by the routes and events of the bot. */
export function useMainSession(): LineSession {
  const client = useQueryClient()
  const { bot, known } = useBotStatus()
  const acts = useSessionActs({
    start: () => startBotAndPoll(client),
    stop: () => stopBotAndPolling(client),
    clear: () => clearBotSession(client, bot),
  })
  return { state: bot, known, ...acts, refresh: () => refreshBotStatus(client).catch(() => undefined) }
}
