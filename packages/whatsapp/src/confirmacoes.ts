import type { BinaryNode } from 'baileys'
import { Recusada } from './anfitriao.ts'

/** The server's word on each message we wrote: the library tells only that it was written to the socket. */
export interface Confirmacoes {
  /** Resolves with the server's ack; rejects when it refuses, is silent too long, or goes away. */
  readonly esperar: (id: string) => Promise<void>
  readonly recebeu: (ack: BinaryNode) => void
  /** The connection is over: what it has not confirmed may or may not have left. */
  readonly desistir: () => void
}

const PRAZO_MS = 20_000
/** Refused whatever we do: the account is restricted from writing to this person. */
export const RESTRITA = '463'

export function createConfirmacoes(prazoMs = PRAZO_MS): Confirmacoes {
  const esperando = new Map<string, (erro?: Error) => void>()
  return {
    esperar: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => concluir(new Error('o WhatsApp não confirmou a mensagem')), prazoMs)
        const concluir = (erro?: Error): void => {
          clearTimeout(timer)
          esperando.delete(id)
          if (erro === undefined) resolve()
          else reject(erro)
        }
        esperando.set(id, concluir)
      }),
    recebeu: ({ attrs }) => {
      const concluir = esperando.get(attrs.id ?? '')
      if (attrs.error === undefined) concluir?.()
      else if (attrs.error === RESTRITA)
        concluir?.(new Recusada('o WhatsApp não deixa esta conta escrever a este contato'))
      else concluir?.(new Error(`o WhatsApp recusou a mensagem (${attrs.error})`))
    },
    desistir: () => {
      for (const concluir of esperando.values()) concluir(new Error('a conexão caiu antes da confirmação'))
    },
  }
}
