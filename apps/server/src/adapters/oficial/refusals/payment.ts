import { LRUCache } from 'lru-cache'
import { SendRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'
import { uuidTime } from '#lib/time.ts'
import type { OficialPayments } from '#ports/oficial.ts'
import { metaErrorText } from '../graph/errors.ts'

/** Meta's code for an account without a working payment. */
export const UNPAID_CODE = 131042
const TRIED_MAX = 1_000

export interface MetaPaymentOptions {
  readonly host: Pick<SessionHost, 'contaId' | 'linhaId' | 'now'>
  readonly payments: OficialPayments
  /** The line is refused or works again. */
  readonly changed: () => Promise<void>
  readonly report: (error: unknown, event: string) => void
}

/**
 * Stops automatic messages while Meta refuses the line for lack of payment. People may still try. Meta refuses in its
 * answer, or it accepts a message and reports the refusal in a status: only the same kind of sign proves the contrary.
 */
export class MetaPayment {
  readonly #options: MetaPaymentOptions
  /** Ids of messages that began to leave during the refusal. */
  readonly #tried = new LRUCache<string, true>({ max: TRIED_MAX })
  #since: Date | null = null
  #byAnswer = false
  #saving: Promise<void> = Promise.resolve()

  constructor(options: MetaPaymentOptions) {
    this.#options = options
  }

  isRefused(): boolean {
    return this.#since !== null
  }

  async load(): Promise<void> {
    this.#since = await this.#options.payments.readUnpaidSince(this.#options.host)
  }

  async refused(code: number | null, by: 'answer' | 'status'): Promise<void> {
    if (code !== UNPAID_CODE) return
    this.#byAnswer = by === 'answer'
    if (this.#since === null) await this.#set(this.#options.host.now())
  }

  /** Throws `SendRefused` for a message of the bot or the AI. */
  async requireSendable(mensagemId: string): Promise<void> {
    if (this.#since === null) return
    if (await this.#options.payments.isAutomatic(this.#options.host, mensagemId)) {
      throw new SendRefused(metaErrorText(UNPAID_CODE))
    }
    this.#tried.set(mensagemId, true)
  }

  /** Meta's answer accepted the message. */
  async accepted(mensagemId: string): Promise<void> {
    if (this.#byAnswer && this.#tried.has(mensagemId)) await this.#end()
  }

  /** A status says that Meta sent the message. An older message was sent before the refusal, unless it was tried again. */
  async sent(mensagemId: string): Promise<void> {
    if (this.#since === null) return
    if (this.#tried.has(mensagemId) || uuidTime(mensagemId) > this.#since.getTime()) await this.#end()
  }

  async #end(): Promise<void> {
    this.#tried.clear()
    if (this.#since !== null) await this.#set(null)
  }

  /** Memory changes first, so that no automatic message leaves while the state is stored. */
  async #set(since: Date | null): Promise<void> {
    const { host, payments, changed, report } = this.#options
    this.#since = since
    this.#saving = this.#saving
      .then(() => payments.setUnpaidSince(host, since))
      .catch((error: unknown) => report(error, 'state of payment not stored'))
    await this.#saving
    await changed()
  }
}
