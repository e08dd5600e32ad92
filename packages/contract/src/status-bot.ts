import type { BotStatus, StatusBot } from '#entities/bot-status.ts'

/** What a status means (spec §4). Apart from the schemas: the browser needs these at once and those only with the socket. */

/** What is known before the first answer, and what a failed status call means (spec §3 "Bot status"). */
export const BOT_STATUS_INICIAL: BotStatus = {
  status: 'PARADO',
  isRunning: false,
  inicializado: false,
  qrCode: null,
  qr: null,
  conversasAtivas: [],
  logs: [],
}

/** Whether the bot answers customers now. */
export function isRunningDe(status: StatusBot): boolean {
  return status === 'CONECTADO'
}

/** Whether a session exists that `/bot/parar` would end. */
export function inicializadoDe(status: StatusBot): boolean {
  return status !== 'PARADO' && status !== 'ERRO' && status !== 'erro_auth'
}

const SINONIMOS: Readonly<Record<string, StatusBot>> = {
  desconectado: 'PARADO',
  parado: 'PARADO',
  inicializando: 'INICIALIZANDO',
  aguardando_qr: 'AGUARDANDO_QR',
  conectado: 'CONECTADO',
  erro: 'ERRO',
  autenticado: 'autenticado',
  erro_auth: 'erro_auth',
}

/** Reads either spelling of the specification (§4); null is "any other value", labelled 'Desconhecido'. */
export function parseStatusBot(valor: string): StatusBot | null {
  const chave = valor.toLowerCase()
  return Object.hasOwn(SINONIMOS, chave) ? (SINONIMOS[chave] ?? null) : null
}
