import { BOT_STATUS_INICIAL, isBotRunning } from '@balcao/contract/bot-status'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { Linha } from '@balcao/contract/entities/linha'
import { statusDaLinhaRoute } from '@balcao/contract/routes/linhas-sessao'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { type BotStatusRead, refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'

/** The line of a simulated message. Empty: the main one, as before accounts had several. */
export interface SimulatedLine {
  readonly linhaId?: string
}

export interface SimulatedSession extends BotStatusRead {
  readonly refresh: () => Promise<unknown>
}

const POLL_MS = 5_000

/** The session of the chosen line. The status of the main line arrives by the events of the bot. */
export function useSimulatedSession(linha: Linha | undefined): SimulatedSession {
  const client = useQueryClient()
  const main = useBotStatus()
  const other = linha !== undefined && !linha.principal
  const id = linha?.id ?? ''
  const query = useQuery({
    queryKey: ['simulador', 'linha', id, linha?.status],
    queryFn: ({ signal }): Promise<BotStatus> => call(statusDaLinhaRoute, { params: { id }, signal }),
    enabled: other,
    placeholderData: (before) => before,
    refetchInterval: POLL_MS,
    retry: false,
  })
  if (!other) return { ...main, refresh: () => refreshBotStatus(client).catch(() => undefined) }
  const { status } = linha
  const bot = query.data ?? { ...BOT_STATUS_INICIAL, status, isRunning: isBotRunning(status) }
  return { bot, known: true, loading: false, error: query.error, refresh: () => query.refetch() }
}
