import type { Tx } from '#db/transaction.ts'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { canonicalsOf } from '#bot/identity/addresses.ts'
import { addressKey, ensureContatos, type FoundContato, type NewContato } from '#modules/enderecos/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import { toCreatedContato } from './read.ts'
import type { LocatedTurn, LockedContato, MessageTurn, Turn } from './types.ts'

/** An entry needs 240 bytes, so all of them 12 MB. An evicted contato costs a part of one statement of its batch. */
const CONTATOS_CACHED = 50_000

/** Address key → contato id, for the addresses that wrote recently. */
export class ContatoFinder {
  readonly #deps: Pick<BotDeps, 'ids'>
  readonly #cache = createBoundedCache<string>(CONTATOS_CACHED)

  constructor(deps: Pick<BotDeps, 'ids'>) {
    this.#deps = deps
  }

  /**
   * Finds or creates the contato of each turn. Leaves out deleted messages without a contato. `items` has one turn per
   * contato, in lock order. The others are `deferred`: they must run after that turn's commit.
   */
  async find(tx: Tx, ready: readonly Pick<LocatedTurn, 'turn' | 'context'>[]) {
    const found = await this.#findOrCreate(tx, ready)
    tx.afterCommit(() => found.forEach(({ id }, key) => id !== null && this.#cache.set(key, id)))
    return separateDeferred(ready, (key) => found.get(key) ?? this.#cached(key))
  }

  forget(key: string): void {
    this.#cache.delete(key)
  }

  clear(): void {
    this.#cache.clear()
  }

  #cached(key: string): Found | undefined {
    const id = this.#cache.get(key)
    return id === undefined ? undefined : { id, created: null }
  }

  async #findOrCreate(tx: Tx, ready: readonly Pick<LocatedTurn, 'turn'>[]): Promise<Map<string, Found>> {
    const found = new Map<string, Found>()
    let missing = ready
      .flatMap(({ turn }) => (turn.tipo === 'mensagem' && this.#cache.get(turn.key) === undefined ? [turn] : []))
      .map((turn) => toNewContato(turn, this.#deps))
      .toSorted((a, b) => (keyOfContato(a) < keyOfContato(b) ? -1 : 1))
    for (let attempt = 0; missing.length > 0 && attempt < 3; attempt += 1) {
      const ensured = await ensureContatos(tx, missing)
      for (const contato of missing) {
        const one = ensured.get(keyOfContato(contato))
        if (one !== undefined) found.set(keyOfContato(contato), toFound(contato, one))
      }
      missing = missing.filter((contato) => !found.has(keyOfContato(contato)))
    }
    return found
  }
}

interface Found {
  readonly id: string | null
  readonly created: LockedContato | null
}

function toFound(contato: NewContato, { id, created }: FoundContato): Found {
  return { id, created: created === null ? null : toCreatedContato(contato, created) }
}

function toNewContato(turn: MessageTurn, deps: Pick<BotDeps, 'ids'>): NewContato {
  const { message, contaId, canonical, channel, marks } = turn
  const telefone = canonical.startsWith('tel:') ? canonical.slice(4) : ''
  const nome = message.deMim === true ? '' : message.nome
  // Stored with the contato in one transaction, so that a crash cannot separate the addresses of a person.
  const others = canonicalsOf(message).filter((one) => one !== canonical)
  const { endereco, id: idExterno } = message
  const stored = { channel, idExterno, marks }
  return { contaId, canonical, id: deps.ids.uuid(), nome, telefone, endereco, others, message: stored }
}

function keyOfContato({ contaId, canonical }: NewContato): string {
  return addressKey(contaId, canonical)
}

function separateDeferred(
  ready: readonly Pick<LocatedTurn, 'turn' | 'context'>[],
  findByKey: (key: string) => Found | undefined,
) {
  const items = new Map<string, LocatedTurn>()
  const deferred: Turn[] = []
  for (const { turn, context } of ready) {
    const found = turn.tipo === 'evento' ? { id: turn.contatoId, created: null } : findByKey(turn.key)
    if (found === undefined) throw new Error('contato not created')
    const { id: contatoId, created } = found
    if (contatoId === null) continue
    // Two addresses of one contato: the second turn must read the state written by the first.
    if (items.has(contatoId)) deferred.push(turn)
    else items.set(contatoId, { turn, context, contatoId, created })
  }
  return { items: [...items.values()].toSorted(byLockOrder), deferred }
}

function byLockOrder(a: LocatedTurn, b: LocatedTurn): number {
  const x = a.context.contaId + a.contatoId
  const y = b.context.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}
