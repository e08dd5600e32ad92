import type { BotStatus, StatusBot } from '#entities/bot-status.ts'

/**
 * Separate from the schemas, because the browser needs these values on the first screen and the schemas only with
 * the socket.
 */

export const BOT_STATUS_INICIAL: BotStatus = {
  status: 'PARADO',
  isRunning: false,
  inicializado: false,
  qrCode: null,
  qr: null,
  modoTeste: false,
  conversasAtivas: [],
  logs: [],
}

/** True while the bot can answer customers. */
export function isBotRunning(status: StatusBot): boolean {
  return status === 'CONECTADO'
}

/** True if there is a session that `POST /bot/parar` would end. */
export function hasBotSession(status: StatusBot): boolean {
  return status !== 'PARADO' && status !== 'ERRO' && status !== 'erro_auth'
}

const STATUS_SYNONYMS: Readonly<Record<string, StatusBot>> = {
  desconectado: 'PARADO',
  parado: 'PARADO',
  inicializando: 'INICIALIZANDO',
  aguardando_qr: 'AGUARDANDO_QR',
  conectado: 'CONECTADO',
  erro: 'ERRO',
  autenticado: 'autenticado',
  erro_auth: 'erro_auth',
}

/**
 * Reads a status in upper or lower case or as a synonym. Returns null for unknown values, which the panel shows as
 * 'Desconhecido'.
 */
export function parseStatusBot(value: string): StatusBot | null {
  const key = value.toLowerCase()
  return Object.hasOwn(STATUS_SYNONYMS, key) ? (STATUS_SYNONYMS[key] ?? null) : null
}
