import type { Motivo } from './anfitriao.ts'

/** What to do when the connection closed. */
export type Fechamento =
  | { readonly tipo: 'reabrir' }
  | { readonly tipo: 'esperar'; readonly motivo: Motivo }
  | { readonly tipo: 'encerrar'; readonly status: 'PARADO' | 'ERRO' | 'erro_auth'; readonly motivo: Motivo }

export interface Situacao {
  /** The code of the close, as the library gives it: WhatsApp's own, or an HTTP one for what never got so far. */
  readonly codigo: number | undefined
  /** A phone scanned the code once: there are credentials to come back with. */
  readonly pareado: boolean
  /** The last of the codes to scan was on show when it happened. */
  readonly codigosAcabaram: boolean
  /** Another connection with our credentials has just pushed us out, and we came back once already. */
  readonly substituidoDeNovo: boolean
  /** The server had wanted to see us anew before, and no line stood since. */
  readonly reabertoDeNovo: boolean
}

const SEM_CODIGO = 0
/** Our own, and none of theirs: the phone has scanned, and the service wants a passkey of us. */
export const CHAVE_DE_ACESSO = 599

/** Every way a connection ends (see docs/operations.md for what the owner reads). */
export function decidirFechamento(situacao: Situacao): Fechamento {
  const { codigo, pareado, codigosAcabaram, substituidoDeNovo, reabertoDeNovo } = situacao
  switch (codigo ?? SEM_CODIGO) {
    case 515:
      // After pairing, and now and then, the server wants to see us anew. Asked again and again, we take our time.
      return reabertoDeNovo ? { tipo: 'esperar', motivo: 'servicoInstavel' } : { tipo: 'reabrir' }
    case 401:
      return { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }
    case 402:
      // It ends, and the credentials are good for when it has.
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banidoPorUmTempo' }
    case 403:
    case 406:
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }
    case 405:
    case 409:
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }
    case CHAVE_DE_ACESSO:
      // Only a browser of WhatsApp's own page can give one, so no other code would help.
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'chaveDeAcesso' }
    case 411:
      return { tipo: 'encerrar', status: 'erro_auth', motivo: 'credenciaisInvalidas' }
    case 440:
      // Only one process runs a session, so a stranger is rare: the first time it may be our own ghost.
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

/** Milliseconds to wait before the n-th attempt (from 0): doubled each time, and anywhere below, so that nobody comes at once. */
export function esperaMs(tentativa: number, sorteio: () => number = Math.random): number {
  const teto = Math.min(MAIOR_MS, PRIMEIRA_MS * 2 ** Math.min(tentativa, 20))
  return Math.round(teto / 2 + (sorteio() * teto) / 2)
}
