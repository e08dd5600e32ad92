import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'

export type Fechamento =
  | { readonly tipo: 'esperar'; readonly motivo: MotivoBot }
  | { readonly tipo: 'encerrar'; readonly status: StatusBot; readonly motivo: MotivoBot }

/** `razao` comes with `disconnected`: a socket state of the page or the library's own word. */
export function decidirFechamento(razao: unknown, substituidaDeNovo: boolean): Fechamento {
  switch (razao) {
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
      return substituidaDeNovo
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    default:
      return { tipo: 'esperar', motivo: 'semRede' }
  }
}

const PRIMEIRA_MS = 1_000
const MAIOR_MS = 60_000

/** Milliseconds before reconnect attempt n, counted from 0: doubles up to a minute, with jitter. */
export function esperaMs(tentativa: number): number {
  return Math.min(MAIOR_MS, PRIMEIRA_MS * 2 ** Math.min(tentativa, 10)) * (0.5 + Math.random() / 2)
}
