import type { Tx } from '#db/transaction.ts'
import { addressKey, ensureContatos, type NewContato } from '#modules/conversas/index.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import { Lru } from '#lib/lru.ts'
import type { Turn } from './types.ts'

const CONTATOS_CACHED = 200_000

export interface ReadyTurn {
  readonly turn: Turn
  readonly context: AccountContext
}

export interface LocatedTurn extends ReadyTurn {
  readonly contatoId: string
}

export interface LocatedTurns {
  /** One per contato, in lock order. */
  readonly items: readonly LocatedTurn[]
  /** Turns whose contato is already in the batch. They must run after that turn's commit. */
  readonly deferred: readonly Turn[]
}

export interface ContatoFinder {
  readonly findContatos: (tx: Tx, ready: readonly ReadyTurn[]) => Promise<LocatedTurns>
  readonly forget: (chave: string) => void
}

export function createContatoFinder({ uuid }: { readonly uuid: () => string }): ContatoFinder {
  const remembered = new Lru<string>(CONTATOS_CACHED)

  const acharOuCriar = async (tx: Tx, ready: readonly ReadyTurn[]): Promise<Map<string, string>> => {
    const found = new Map<string, string>()
    let faltam = ready
      .flatMap((pronto) => toNewContato(pronto, uuid))
      .filter((fresh) => remembered.get(keyOfContato(fresh)) === undefined)
      .toSorted((a, b) => (keyOfContato(a) < keyOfContato(b) ? -1 : 1))
    for (let vez = 0; faltam.length > 0 && vez < 3; vez += 1) {
      for (const [chave, id] of await ensureContatos(tx, faltam)) found.set(chave, id)
      faltam = faltam.filter((fresh) => !found.has(keyOfContato(fresh)))
    }
    return found
  }

  return {
    findContatos: async (tx, ready) => {
      const found = await acharOuCriar(tx, ready)
      tx.afterCommit(() => found.forEach((id, chave) => remembered.set(chave, id)))
      return separateDeferred(ready, (chave) => remembered.get(chave) ?? found.get(chave))
    },
    forget: (chave) => remembered.delete(chave),
  }
}

function toNewContato({ turn }: ReadyTurn, uuid: () => string): NewContato[] {
  if (turn.tipo === 'evento') return []
  const { message, contaId, canonical } = turn
  const telefone = canonical.startsWith('tel:') ? canonical.slice(4) : ''
  const nome = message.deMim === true ? '' : message.nome
  return [{ contaId, canonical, id: uuid(), nome, telefone, endereco: message.endereco }]
}

function keyOfContato({ contaId, canonical }: NewContato): string {
  return addressKey(contaId, canonical)
}

function separateDeferred(ready: readonly ReadyTurn[], contatoDe: (chave: string) => string | undefined): LocatedTurns {
  const itens = new Map<string, LocatedTurn>()
  const adiados: Turn[] = []
  for (const { turn, context } of ready) {
    const contatoId = turn.tipo === 'evento' ? turn.contatoId : contatoDe(turn.key)
    if (contatoId === undefined) throw new Error('contato not created')
    // Two addresses of one contato: the second turn must read the state written by the first.
    if (itens.has(contatoId)) adiados.push(turn)
    else itens.set(contatoId, { turn, context, contatoId })
  }
  return { items: [...itens.values()].toSorted(byLockOrder), deferred: adiados }
}

function byLockOrder(a: LocatedTurn, b: LocatedTurn): number {
  const x = a.context.contaId + a.contatoId
  const y = b.context.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}
