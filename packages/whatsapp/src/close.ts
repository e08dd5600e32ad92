import type { CloseCause } from '@balcao/connector/reconnect'
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
  readonly replacedAgain: boolean
  readonly restartedAgain: boolean
}

const REPLACED = 440
const RESTART_REQUESTED = 515
const TIMED_OUT = 408
/** Our own code: the phone scanned, and WhatsApp requires a passkey. */
export const PASSKEY_REQUIRED = 599

const NO_NETWORK: CloseDecision = { tipo: 'esperar', motivo: 'semRede' }
const UNSTABLE: CloseDecision = { tipo: 'esperar', motivo: 'servicoInstavel' }
const BANNED: CloseDecision = { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }
const OUTDATED: CloseDecision = { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }

const DECISIONS: ReadonlyMap<number, CloseDecision> = new Map<number, CloseDecision>([
  [401, { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }],
  // The ban is temporary, so the credentials are kept.
  [402, { tipo: 'encerrar', status: 'ERRO', motivo: 'banidoPorUmTempo' }],
  [403, BANNED],
  [405, OUTDATED],
  [406, BANNED],
  [409, OUTDATED],
  [411, { tipo: 'encerrar', status: 'erro_auth', motivo: 'credenciaisInvalidas' }],
  [500, UNSTABLE],
  [501, UNSTABLE],
  [503, UNSTABLE],
  // Only a browser on WhatsApp's own page can answer a passkey request, so a new code would not help.
  [PASSKEY_REQUIRED, { tipo: 'encerrar', status: 'erro_auth', motivo: 'chaveDeAcesso' }],
])

export function decideClose({ code, paired, codesEnded, ...history }: CloseSituation): CloseDecision {
  // After pairing, and now and then, the server requests a restart. Repeated requests get a back-off.
  if (code === RESTART_REQUESTED) return history.restartedAgain ? UNSTABLE : { tipo: 'reabrir' }
  // Only one process runs a session. The first replacement may come from our own old connection, so the session
  // retries once.
  if (code === REPLACED) {
    return history.replacedAgain
      ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
      : { tipo: 'esperar', motivo: 'substituido' }
  }
  if (code === TIMED_OUT && !paired && codesEnded) return { tipo: 'encerrar', status: 'PARADO', motivo: 'qrExpirado' }
  return (code === undefined ? undefined : DECISIONS.get(code)) ?? NO_NETWORK
}

export function closeCauseOf(code: number | undefined): CloseCause | undefined {
  if (code === REPLACED) return 'replaced'
  return code === RESTART_REQUESTED ? 'restart' : undefined
}
