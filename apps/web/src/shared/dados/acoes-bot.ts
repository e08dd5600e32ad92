import { INICIO_CONSULTA, LIMPAR_SESSAO_ESPERA_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { atualizarBotStatus, eventosDeStatus, marcarEventoDeStatus } from './bot-status.ts'
import { CHAVES } from './chaves.ts'

/** Start, stop and clear the bot. Each function rejects with an error whose message is shown. */

function receber(
  cliente: QueryClient,
  { mensagem: _mensagem, ...status }: BotStatus & { mensagem: string },
): BotStatus {
  marcarEventoDeStatus(cliente)
  cliente.setQueryData(CHAVES.botStatus, status)
  return status
}

const acompanhamentos = new WeakMap<QueryClient, AbortController>()

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
    // Ignores a failed request: the next one may work, and the socket also sends the status.
    const status = await atualizarBotStatus(cliente).catch(() => null)
    if (signal.aborted || (status !== null && jaBasta(status))) return
  }
}

/** Starts the bot and polls its status every 2 s, at most 15 times, until there is a QR code or a final status. */
export async function iniciarBot(cliente: QueryClient): Promise<BotStatus> {
  pararDeAcompanhar(cliente)
  const antes = eventosDeStatus(cliente)
  const resposta = await call(iniciarBotRoute, {})
  // The socket may have sent the QR code before this answer, which only says that the bot started.
  const dito = eventosDeStatus(cliente) === antes ? undefined : cliente.getQueryData<BotStatus>(CHAVES.botStatus)
  const status = dito === undefined || dito.status === 'PARADO' ? receber(cliente, resposta) : dito
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

/** Deletes the link with the phone. Stops a running bot first and waits 2 s. */
export async function limparSessao(cliente: QueryClient, bot: BotStatus): Promise<void> {
  if (bot.isRunning || bot.inicializado) {
    await pararBot(cliente)
    await new Promise((resolve) => setTimeout(resolve, LIMPAR_SESSAO_ESPERA_MS))
  }
  receber(cliente, await call(limparSessaoRoute, {}))
}
