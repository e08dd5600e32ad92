import { LRUCache } from 'lru-cache'
import type { FastifyRequest } from 'fastify'
import type { Cardapio } from '@balcao/contract/entities/cardapio'
import type { Config } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { readForStranger } from '#http/authentication.ts'
import { createSharedReads } from '#lib/queue/share-reads.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { listProdutos } from '#modules/produtos/index.ts'
import { buildCardapio } from './build-cardapio.ts'
import { findPage, type PageRow } from './repository.ts'

const SHOPS_KEPT = 500
const ADDRESS = /^[a-z0-9-]{3,40}$/

/** A shop as its page shows it at one moment. */
export interface Shop {
  readonly page: PageRow
  readonly config: Config
  readonly cardapio: Cardapio
}

interface Loaded {
  readonly page: PageRow
  readonly config: Config
  readonly produtos: readonly Produto[]
  /** Of one second: hours and pauses change with the time. */
  readonly shown: { readonly second: number; readonly shop: Shop }
}

interface Checked {
  readonly loaded: Loaded | null
}

/**
 * Reads the shops of pages. Every request reads the version of the conta after it arrived, and requests that arrive
 * together share the read. Only a changed version reads settings and produtos again.
 */
export class Shops {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'vault'>
  readonly #kept = new LRUCache<string, Loaded>({ max: SHOPS_KEPT })
  readonly #share = createSharedReads<Checked>()

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'vault'>) {
    this.#deps = deps
  }

  /** The same object is returned while nothing changes. Throws `naoEncontrado`. */
  async require(request: FastifyRequest, endereco: string): Promise<Shop> {
    if (!ADDRESS.test(endereco)) throw new AppError('naoEncontrado')
    const { loaded } = await this.#share(endereco, () => this.#read(request, endereco))
    if (loaded === null) throw new AppError('naoEncontrado')
    return loaded.shown.shop
  }

  /** A known page waits with the requests of its conta, so strangers do not delay visitors. */
  async #read(request: FastifyRequest, endereco: string): Promise<Checked> {
    const { db } = this.#deps
    const check = (tx: Tx): Promise<Checked> => this.#check(tx, endereco)
    const kept = this.#kept.get(endereco)
    const known = kept === undefined ? { loaded: null } : await db.read(kept.page.contaId, check)
    return known.loaded === null ? readForStranger(request, () => db.read('*', check)) : known
  }

  async #check(tx: Tx, endereco: string): Promise<Checked> {
    const page = await findPage(tx, { endereco })
    if (page === null) {
      this.#kept.delete(endereco)
      return { loaded: null }
    }
    const now = this.#deps.clock.now().getTime()
    const kept = this.#kept.get(endereco)
    const fresh = kept !== undefined && isSame(kept.page, page) ? showAt(kept, now) : await this.#load(tx, page, now)
    this.#kept.set(endereco, fresh)
    return { loaded: fresh }
  }

  async #load(tx: Tx, page: PageRow, now: number): Promise<Loaded> {
    const { contaId } = page
    const { config } = await loadConfig(tx, this.#deps, contaId)
    const produtos = await listProdutos(tx, { contaId })
    return { page, config, produtos, shown: showing({ page, config, produtos }, now) }
  }
}

function isSame(a: PageRow, b: PageRow): boolean {
  return a.contaId === b.contaId && a.versaoContexto === b.versaoContexto && a.numero === b.numero
}

const secondOf = (now: number): number => Math.floor(now / 1_000)

function showAt(loaded: Loaded, now: number): Loaded {
  if (loaded.shown.second === secondOf(now)) return loaded
  const { second, shop } = showing(loaded, now)
  const before = loaded.shown.shop
  const isEqual = JSON.stringify(before.cardapio) === JSON.stringify(shop.cardapio)
  return { ...loaded, shown: { second, shop: isEqual ? before : shop } }
}

function showing({ page, config, produtos }: Omit<Loaded, 'shown'>, now: number): Loaded['shown'] {
  const cardapio = buildCardapio({ page, config, produtos }, now)
  return { second: secondOf(now), shop: { page, config, cardapio } }
}
