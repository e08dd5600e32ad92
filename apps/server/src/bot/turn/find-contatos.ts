import type { InboundMessage } from '@balcao/connector/port'
import type { Tx } from '#db/transaction.ts'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import {
  addressKey,
  canonicalAddress,
  ensureContatos,
  mergeContatos,
  type NewContato,
} from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { LocatedTurn, ReadyTurn, Turn } from './types.ts'

const CONTATOS_CACHED = 200_000
const JOINS_CACHED = 50_000

export interface LocatedTurns {
  /** One per contato, in lock order. */
  readonly items: readonly LocatedTurn[]
  /** Turns whose contato is already in the batch. They must run after that turn's commit. */
  readonly deferred: readonly Turn[]
}

/** Address key → contato id, for the addresses that wrote recently. */
export class ContatoFinder {
  readonly #uuid: () => string
  readonly #cache = createBoundedCache<string>(CONTATOS_CACHED)

  constructor({ uuid }: { readonly uuid: () => string }) {
    this.#uuid = uuid
  }

  /** Finds or creates the contato of each turn. */
  async find(tx: Tx, ready: readonly ReadyTurn[]): Promise<LocatedTurns> {
    const found = await this.#findOrCreate(tx, ready)
    tx.afterCommit(() => found.forEach((id, key) => this.#cache.set(key, id)))
    return separateDeferred(ready, (key) => this.#cache.get(key) ?? found.get(key))
  }

  forget(key: string): void {
    this.#cache.delete(key)
  }

  async #findOrCreate(tx: Tx, ready: readonly ReadyTurn[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    let missing = ready
      .flatMap((turn) => toNewContato(turn, this.#uuid))
      .filter((contato) => this.#cache.get(keyOfContato(contato)) === undefined)
      .toSorted((a, b) => (keyOfContato(a) < keyOfContato(b) ? -1 : 1))
    for (let attempt = 0; missing.length > 0 && attempt < 3; attempt += 1) {
      for (const [key, id] of await ensureContatos(tx, missing)) found.set(key, id)
      missing = missing.filter((contato) => !found.has(keyOfContato(contato)))
    }
    return found
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

function separateDeferred(ready: readonly ReadyTurn[], idOf: (key: string) => string | undefined): LocatedTurns {
  const items = new Map<string, LocatedTurn>()
  const deferred: Turn[] = []
  for (const { turn, context } of ready) {
    const contatoId = turn.tipo === 'evento' ? turn.contatoId : idOf(turn.key)
    if (contatoId === undefined) throw new Error('contato not created')
    // Two addresses of one contato: the second turn must read the state written by the first.
    if (items.has(contatoId)) deferred.push(turn)
    else items.set(contatoId, { turn, context, contatoId })
  }
  return { items: [...items.values()].toSorted(byLockOrder), deferred }
}

function byLockOrder(a: LocatedTurn, b: LocatedTurn): number {
  const x = a.context.contaId + a.contatoId
  const y = b.context.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}

/** Merges the contatos of one person's addresses. */
export class AddressJoins {
  readonly #deps: Pick<BotDeps, 'db' | 'log' | 'realtime'>
  readonly #contatos: Pick<ContatoFinder, 'forget'>
  readonly #joined = createBoundedCache<true>(JOINS_CACHED)
  readonly #inFlight = new Map<string, Promise<void>>()

  constructor(deps: Pick<BotDeps, 'db' | 'log' | 'realtime'>, contatos: Pick<ContatoFinder, 'forget'>) {
    this.#deps = deps
    this.#contatos = contatos
  }

  /**
   * Resolves when all addresses of the sender lead to one contato, if there is one. Null when there is nothing to
   * do. Messages of one person await the same promise, so they keep their order.
   */
  join(contaId: string, message: InboundMessage): Promise<void> | null {
    const addresses = canonicalsOf(message)
    if (addresses.length < 2) return null
    const key = [contaId, ...addresses].join('|')
    if (this.#joined.get(key) === true) return null
    const running = this.#inFlight.get(key)
    if (running !== undefined) return running
    const joining = this.#merge(contaId, key, addresses).finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, joining)
    return joining
  }

  /** Joins the addresses of a stored message, whose contato may not have existed before. Does not wait. */
  joinStored(contaId: string, message: InboundMessage): void {
    this.join(contaId, message)?.catch((error: unknown) =>
      this.#deps.log.warn({ err: error, contaId }, 'addresses not merged, retrying with the next message'),
    )
  }

  forget(): void {
    this.#joined.clear()
  }

  async #merge(contaId: string, key: string, canonicos: readonly string[]): Promise<void> {
    const { db, realtime } = this.#deps
    const telefone = canonicos[0]?.replace('tel:', '') ?? ''
    const finished = await db.transaction(contaId, (tx) => mergeContatos(tx, contaId, { canonicos, telefone }))
    if (finished === null) return
    for (const conversaId of finished) {
      realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId })
    }
    for (const address of canonicos) this.#contatos.forget(addressKey(contaId, address))
    this.#joined.set(key, true)
  }
}

/**
 * Returns the canonical phone first, then the other addresses. Empty without a phone, because two hidden addresses
 * cannot be related.
 */
function canonicalsOf({ telefone, endereco, outrosEnderecos = [] }: InboundMessage): string[] {
  if (telefone === '') return []
  // Skips addresses that only repeat the phone number.
  const others = [endereco, ...outrosEnderecos].filter((other) => !other.includes(telefone))
  return [...new Set([canonicalAddress(telefone, endereco), ...others])]
}
