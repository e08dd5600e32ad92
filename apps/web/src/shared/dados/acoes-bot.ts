import { INICIO_CONSULTA, LIMPAR_SESSAO_ESPERA_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { atualizarBotStatus, marcarEventoDeStatus } from './bot-status.ts'
import { CHAVES } from './chaves.ts'

/** Start, stop and clear, as every screen that offers them does them. Each rejects with the sentence to show. */

function receber(
  cliente: QueryClient,
  { mensagem: _mensagem, ...status }: BotStatus & { mensagem: string },
): BotStatus {
  marcarEventoDeStatus(cliente)
  cliente.setQueryData(CHAVES.botStatus, status)
  return status
}

const acompanhamentos = new WeakMap<QueryClient, AbortController>()

/** Ends the polling that a start began, if any. */
export function pararDeAcompanhar(cliente: QueryClient): void {
  acompanhamentos.get(cliente)?.abort()
  acompanhamentos.delete(cliente)
}

function jaBasta({ status, qrCode }: BotStatus): boolean {
  return qrCode !== null || (status !== 'INICIALIZANDO' && status !== 'AGUARDANDO_QR' && status !== 'autenticado')
}

async function acompanhar(cliente: QueryClient, signal: AbortSignal): Promise<void> {
  for (let tentativa = 0; tentativa < INICIO_CONSULTA.tentativas; tentativa++) {
    await new Promise((resolve) => setTimeout(resolve, INICIO_CONSULTA.intervaloMs))
    if (signal.aborted) return
    // A failed look is not the end: the next one may work, and the socket tells as well.
    const status = await atualizarBotStatus(cliente).catch(() => null)
    if (signal.aborted || (status !== null && jaBasta(status))) return
  }
}

/** Starts the bot and follows it every 2 s, at most 15 times, until there is a QR code (spec §4). */
export async function iniciarBot(cliente: QueryClient): Promise<BotStatus> {
  pararDeAcompanhar(cliente)
  const status = receber(cliente, await call(iniciarBotRoute, {}))
  if (!jaBasta(status)) {
    const controle = new AbortController()
    acompanhamentos.set(cliente, controle)
    void acompanhar(cliente, controle.signal)
  }
  return status
}

export async function pararBot(cliente: QueryClient): Promise<BotStatus> {
  pararDeAcompanhar(cliente)
  return receber(cliente, await call(pararBotRoute, {}))
}

/** Forgets the phone. A running bot is stopped first, and given 2 s to end (spec §7). */
export async function limparSessao(cliente: QueryClient, bot: BotStatus): Promise<void> {
  if (bot.isRunning || bot.inicializado) {
    await pararBot(cliente)
    await new Promise((resolve) => setTimeout(resolve, LIMPAR_SESSAO_ESPERA_MS))
  }
  receber(cliente, await call(limparSessaoRoute, {}))
}
