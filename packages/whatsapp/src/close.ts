import type { MotivoBot } from '@balcao/contract/entities/bot-status'

export type CloseDecision =
  | { readonly tipo: 'reabrir' }
  | { readonly tipo: 'esperar'; readonly motivo: MotivoBot }
  | { readonly tipo: 'encerrar'; readonly status: 'PARADO' | 'ERRO' | 'erro_auth'; readonly motivo: MotivoBot }

export interface CloseSituation {
  /** Close code of the library: WhatsApp's own, or an HTTP status if the connection never opened. */
  readonly code: number | undefined
  readonly paired: boolean
  readonly codesEnded: boolean
  /** Another connection with the same credentials already replaced this one within ten minutes. */
  readonly replacedAgain: boolean
  /** The server requested a restart before, and no connection has been stable since. */
  readonly restartedAgain: boolean
}

const NO_CODE = 0
/** Our own code: the phone scanned, and WhatsApp requires a passkey. */
export const PASSKEY_REQUIRED = 599

export function decideClose(situation: CloseSituation): CloseDecision {
  const { code, paired, codesEnded, replacedAgain, restartedAgain } = situation
  switch (code ?? NO_CODE) {
    case 515:
      // After pairing, and now and then, the server requests a restart. Repeated requests get a back-off.
      return restartedAgain ? { tipo: 'esperar', motivo: 'servicoInstavel' } : { tipo: 'reabrir' }
    case 401:
      return { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }
    case 402:
      // The ban is temporary, so the credentials are kept.
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banidoPorUmTempo' }
    case 403:
    case 406:
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }
    case 405:
    case 409:
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }
    case PASSKEY_REQUIRED:
      // Only a browser on WhatsApp's own page can answer a passkey request, so a new code would not help.
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'chaveDeAcesso' }
    case 411:
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'credenciaisInvalidas' }
    case 440:
      // Only one process runs a session. The first replacement may come from our own old connection, so the session
      // retries once.
      return replacedAgain
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    case 408:
      return !paired && codesEnded
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'qrExpirado' }
        : { tipo: 'esperar', motivo: 'semRede' }
    case 500:
    case 501:
    case 503:
      return { tipo: 'esperar', motivo: 'servicoInstavel' }
    default:
      return { tipo: 'esperar', motivo: 'semRede' }
  }
}

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000

/**
 * Milliseconds before the n-th attempt (from 0): doubled each time up to 60 s, with random jitter over the upper
 * half.
 */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const teto = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 20))
  return Math.round(teto / 2 + (random() * teto) / 2)
}
