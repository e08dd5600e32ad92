import { INICIO_CONSULTA, LIMPAR_SESSAO_ESPERA_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { refreshBotStatus, statusEventCount, markStatusEvent } from './bot-status.ts'
import { QUERY_KEYS } from './query-keys.ts'
import { beginStatusPolling, stopStatusPolling } from './status-polling.ts'

function storeStatus(
  client: QueryClient,
  { mensagem: _mensagem, ...status }: BotStatus & { mensagem: string },
): BotStatus {
  markStatusEvent(client)
  client.setQueryData(QUERY_KEYS.botStatus, status)
  return status
}

function isSettled({ status, qrCode }: BotStatus): boolean {
  return qrCode !== null || (status !== 'INICIALIZANDO' && status !== 'AGUARDANDO_QR' && status !== 'autenticado')
}

async function pollStatus(client: QueryClient, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < INICIO_CONSULTA.tentativas; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, INICIO_CONSULTA.intervaloMs))
    if (signal.aborted) return
    // Ignores a failed request: the next one may work, and the socket also sends the status.
    const status = await refreshBotStatus(client).catch(() => null)
    if (signal.aborted || (status !== null && isSettled(status))) return
  }
}

/** Starts the bot and polls its status every 2 s, at most 15 times, until there is a QR code or a final status. */
export async function startBotAndPoll(client: QueryClient): Promise<BotStatus> {
  stopStatusPolling(client)
  const before = statusEventCount(client)
  const reply = await call(iniciarBotRoute, {})
  // The socket may have sent the QR code before this answer, which only says that the bot started.
  const said = statusEventCount(client) === before ? undefined : client.getQueryData<BotStatus>(QUERY_KEYS.botStatus)
  const status = said === undefined || said.status === 'PARADO' ? storeStatus(client, reply) : said
  if (!isSettled(status)) void pollStatus(client, beginStatusPolling(client))
  return status
}

export async function stopBotAndPolling(client: QueryClient): Promise<BotStatus> {
  stopStatusPolling(client)
  return storeStatus(client, await call(pararBotRoute, {}))
}

/** Deletes the link with the phone. Stops a running bot first and waits 2 s. */
export async function clearBotSession(client: QueryClient, bot: BotStatus): Promise<void> {
  if (bot.isRunning || bot.inicializado) {
    await stopBotAndPolling(client)
    await new Promise((resolve) => setTimeout(resolve, LIMPAR_SESSAO_ESPERA_MS))
  }
  storeStatus(client, await call(limparSessaoRoute, {}))
}
