import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'

export type WebClose =
  | { readonly tipo: 'esperar'; readonly motivo: MotivoBot }
  | { readonly tipo: 'encerrar'; readonly status: StatusBot; readonly motivo: MotivoBot }

/** `razao` comes with `disconnected`: a socket state of the page or the library's own word. */
export function decideWebClose(reason: unknown, replacedTwice: boolean): WebClose {
  switch (reason) {
    case 'LOGOUT':
    case 'UNPAIRED':
    case 'UNPAIRED_IDLE':
      return { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }
    case 'TOS_BLOCK':
    case 'SMB_TOS_BLOCK':
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }
    case 'DEPRECATED_VERSION':
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }
    case 'CONFLICT':
      // Only one process runs a session, so the first conflict may be our own old browser.
      return replacedTwice
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    default:
      return { tipo: 'esperar', motivo: 'semRede' }
  }
}

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/** Milliseconds before reconnect attempt n, counted from 0: doubles up to a minute, with jitter. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)
}
