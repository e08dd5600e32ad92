import { LRUCache } from 'lru-cache'
import { SendRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'
import type { OficialOrders } from '#ports/oficial.ts'
import { MetaFailure } from '../graph/errors.ts'

const DAY_MS = 24 * 3_600_000
const LATE_MAX = 1_000
/**
 * Codes of a status that do not depend on the customer: access denied, a missing or wrong parameter, and a type of message
 * that Meta does not send.
 */
const LINE_CODES: ReadonlySet<number> = new Set([10, 100, 131005, 131008, 131009, 131051])

export interface MetaOrdersOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'linhaId' | 'now'>
  readonly orders: OficialOrders
  readonly report: (error: unknown, event: string) => void
}

/**
 * Orders with their items, which not every number may send. After a refusal the codes of the line leave as text for a day,
 * also after a restart. Then the next order tries again.
 */
export class MetaOrders {
  readonly #options: MetaOrdersOptions
  /** Ids of messages that Meta accepted and refused later in a status. */
  readonly #refusedLater = new LRUCache<string, true>({ max: LATE_MAX })
  #refusedAt: Date | null = null

  constructor(options: MetaOrdersOptions) {
    this.#options = options
  }

  async load(): Promise<void> {
    this.#refusedAt = await this.#options.orders.readRefusedAt(this.#options.host)
  }

  mayTry(mensagemId: string): boolean {
    if (this.#refusedLater.has(mensagemId)) return false
    return this.#refusedAt === null || this.#options.host.now().getTime() - this.#refusedAt.getTime() >= DAY_MS
  }

  /** Meta refused an order and accepted the same message as text, so the reason was neither the customer nor the token. */
  async refused(): Promise<void> {
    const { host, orders, report } = this.#options
    const at = host.now()
    this.#refusedAt = at
    await orders.setRefusedAt(host, at).catch((error: unknown) => report(error, 'refusal of orders not stored'))
  }

  /** A status refuses an order that was accepted. When it is sent again, it leaves as text. */
  async refusedLater(mensagemId: string, code: number | null): Promise<void> {
    this.#refusedLater.set(mensagemId, true)
    if (code !== null && LINE_CODES.has(code)) await this.refused()
  }
}

/**
 * How an order leaves after an error. `recusado`: as text, and the refusal counts if Meta accepts the text. Meta does not
 * document its code for a number that may not send orders, and it may be one of a wrong token. `texto`: as text. Null: Meta
 * may have sent it, or asks to wait.
 */
export function afterOrderError(error: unknown): 'recusado' | 'texto' | null {
  // A status refused an attempt that had no answer.
  if (error instanceof SendRefused) return 'texto'
  if (!(error instanceof MetaFailure)) return null
  if (error.tipo === 'recusada' || error.tipo === 'credenciais') return 'recusado'
  return error.tipo === 'instavel' ? 'texto' : null
}
