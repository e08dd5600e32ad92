import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'

/** What to do when the page says that the link is over. */
export type Fechamento =
  | { readonly tipo: 'esperar'; readonly motivo: MotivoBot }
  | { readonly tipo: 'encerrar'; readonly status: StatusBot; readonly motivo: MotivoBot }

/** `razao` is what the library gives with `disconnected`: a state of the page's socket, or its own word. */
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
      // Only one process runs a session: the first time it may be our own ghost.
      return substituidaDeNovo
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    default:
      return { tipo: 'esperar', motivo: 'semRede' }
  }
}

const PRIMEIRA_MS = 1_000
const MAIOR_MS = 60_000

/** Milliseconds before the n-th attempt to come back, from 0: doubled up to a minute, and never the same for everybody. */
export function esperaMs(tentativa: number): number {
  return Math.min(MAIOR_MS, PRIMEIRA_MS * 2 ** Math.min(tentativa, 10)) * (0.5 + Math.random() / 2)
}
