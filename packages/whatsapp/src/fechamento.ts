import type { Motivo } from './anfitriao.ts'

export type Fechamento =
  | { readonly tipo: 'reabrir' }
  | { readonly tipo: 'esperar'; readonly motivo: Motivo }
  | { readonly tipo: 'encerrar'; readonly status: 'PARADO' | 'ERRO' | 'erro_auth'; readonly motivo: Motivo }

export interface Situacao {
  /** Close code of the library: WhatsApp's own, or an HTTP status if the connection never opened. */
  readonly codigo: number | undefined
  readonly pareado: boolean
  readonly codigosAcabaram: boolean
  /** Another connection with the same credentials already replaced this one within ten minutes. */
  readonly substituidoDeNovo: boolean
  /** The server requested a restart before, and no connection has been stable since. */
  readonly reabertoDeNovo: boolean
}

const SEM_CODIGO = 0
/** Our own code: the phone scanned, and WhatsApp requires a passkey. */
export const CHAVE_DE_ACESSO = 599

export function decidirFechamento(situacao: Situacao): Fechamento {
  const { codigo, pareado, codigosAcabaram, substituidoDeNovo, reabertoDeNovo } = situacao
  switch (codigo ?? SEM_CODIGO) {
    case 515:
      // After pairing, and now and then, the server requests a restart. Repeated requests get a back-off.
      return reabertoDeNovo ? { tipo: 'esperar', motivo: 'servicoInstavel' } : { tipo: 'reabrir' }
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
    case CHAVE_DE_ACESSO:
      // Only a browser on WhatsApp's own page can answer a passkey request, so a new code would not help.
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'chaveDeAcesso' }
    case 411:
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'credenciaisInvalidas' }
    case 440:
      // Only one process runs a session. The first replacement may come from our own old connection, so the session
      // retries once.
      return substituidoDeNovo
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    case 408:
      return !pareado && codigosAcabaram
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

const PRIMEIRA_MS = 1_000
const MAIOR_MS = 60_000

/**
 * Milliseconds before the n-th attempt (from 0): doubled each time up to 60 s, with random jitter over the upper
 * half.
 */
export function esperaMs(tentativa: number, sorteio: () => number = Math.random): number {
  const teto = Math.min(MAIOR_MS, PRIMEIRA_MS * 2 ** Math.min(tentativa, 20))
  return Math.round(teto / 2 + (sorteio() * teto) / 2)
}
