import type { InboundMessage } from '#ports/messaging.ts'
import { chaveDoEndereco } from './contatos.ts'
import { enderecoCanonico } from './endereco.ts'
import { juntarContatos } from './juntar-contatos.ts'
import { Lru } from './lru.ts'
import type { BotDeps } from './runtime-deps.ts'

const LEMBRADAS = 50_000

/** Which addresses are known to be one person's. */
export interface Juncoes {
  /**
   * Resolves once every address of the message's sender leads to one contact, if there is a contact yet; null when there
   * is nothing to do. Messages of one person wait for the same promise, so they keep their order.
   */
  readonly antes: (contaId: string, mensagem: InboundMessage) => Promise<void> | null
  /** The same after the message: now there is a contact. */
  readonly depois: (contaId: string, mensagem: InboundMessage) => void
  /** A contact is gone: whose addresses are one person's is found out anew. */
  readonly esquecer: () => void
}

export interface JuncoesOptions {
  /** This address may lead to another contact than it did. */
  readonly esquecer: (chave: string) => void
}

export function createJuncoes(deps: Pick<BotDeps, 'db' | 'log' | 'realtime'>, { esquecer }: JuncoesOptions): Juncoes {
  const { db, log, realtime } = deps
  const juntas = new Lru<true>(LEMBRADAS)
  const emCurso = new Map<string, Promise<void>>()

  const juntar = async (contaId: string, nome: string, canonicos: readonly string[]): Promise<void> => {
    const telefone = canonicos[0]?.replace('tel:', '') ?? ''
    const encerradas = await db.transaction(contaId, (tx) => juntarContatos(tx, contaId, { canonicos, telefone }))
    if (encerradas === null) return
    for (const conversaId of encerradas) {
      realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId })
    }
    for (const canonico of canonicos) esquecer(chaveDoEndereco(contaId, canonico))
    juntas.set(nome, true)
  }

  const comecar = (contaId: string, mensagem: InboundMessage): Promise<void> | null => {
    const canonicos = canonicosDe(mensagem)
    if (canonicos.length < 2) return null
    const nome = [contaId, ...canonicos].join('|')
    if (juntas.get(nome) === true) return null
    const jaComecou = emCurso.get(nome)
    if (jaComecou !== undefined) return jaComecou
    const feito = juntar(contaId, nome, canonicos).finally(() => emCurso.delete(nome))
    emCurso.set(nome, feito)
    return feito
  }

  return {
    antes: comecar,
    esquecer: () => juntas.clear(),
    depois: (contaId, mensagem) => {
      comecar(contaId, mensagem)?.catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'addresses of a contact could not be joined; the next message tries again'),
      )
    },
  }
}

/** The phone first, then what else names the sender. Only with a phone: two hidden addresses have nothing in common. */
function canonicosDe({ telefone, endereco, outrosEnderecos = [] }: InboundMessage): string[] {
  if (telefone === '') return []
  // An address that is just the number is the phone once more.
  const outros = [endereco, ...outrosEnderecos].filter((outro) => !outro.includes(telefone))
  return [...new Set([enderecoCanonico(telefone, endereco), ...outros])]
}
