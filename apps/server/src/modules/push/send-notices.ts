import { tipoAvisoPushSchema } from '@balcao/contract/entities/push'
import type { Deps } from '#deps.ts'
import { createGate } from '#lib/gate.ts'
import { readVapidKeys } from '#modules/usuarios/index.ts'
import type { PushOutcome, VapidKeys } from '#ports/push/sender.ts'
import { claimNotices, type DueNotice, listTargets, type NoticeTarget, settleNotice } from './queue.ts'
import { deleteSubscription, openDestination } from './subscriptions.ts'
import { noticeOf } from './texts.ts'

/** Notices that a node sends at once. Each goes to at most 20 browsers. */
const AT_ONCE = 128
const PER_CONTA = 4
/** Requests at once of a node, of one conta, and to one push service, which may accept them and not answer. */
const REQUESTS = 128
const REQUESTS_PER_CONTA = 16
const REQUESTS_PER_HOST = 32
/** A request that waits longer is tried again later. */
const WAIT_MS = 10_000

type SendDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'push'>

/**
 * Sends due notices. Each is reserved, sent outside any transaction and then settled. After a crash in between it is
 * sent again. A push service that does not answer delays only its own requests and those of the same conta.
 */
export class NoticeSender {
  readonly #deps: SendDeps
  readonly #gates = { conta: createRequestGate(REQUESTS_PER_CONTA), host: createRequestGate(REQUESTS_PER_HOST) }
  readonly #sends = new Set<Promise<void>>()
  /** Notices being sent, by conta. */
  readonly #running = new Map<string, number>()
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(deps: SendDeps) {
    this.#deps = deps
  }

  /** Reserves the due notices for which there is room, and starts to send them. The end of each does the same. */
  start(): Promise<void> {
    this.#again = true
    return (this.#claiming ??= this.#claim().finally(() => (this.#claiming = null)))
  }

  /** Resolves when no notice is being sent. */
  async idle(): Promise<void> {
    while (this.#claiming !== null || this.#sends.size > 0) await Promise.all([this.#claiming, ...this.#sends])
  }

  stop(): Promise<void> {
    this.#stopped = true
    return this.idle()
  }

  async #claim(): Promise<void> {
    const { db, clock } = this.#deps
    while (this.#again && !this.#stopped && this.#sends.size < AT_ONCE) {
      this.#again = false
      const room = { total: AT_ONCE - this.#sends.size, perConta: PER_CONTA, running: this.#running }
      const due = await db.once('*', (tx) => claimNotices(tx, clock.now(), room))
      if (due.length === 0) continue
      const keys = await readVapidKeys(this.#deps)
      for (const notice of due) {
        const sent = this.#send(notice, keys).finally(() => this.#sends.delete(sent))
        this.#sends.add(sent)
      }
    }
  }

  async #send(notice: DueNotice, keys: VapidKeys): Promise<void> {
    const { db, clock, log } = this.#deps
    const { conta_id: contaId } = notice
    this.#running.set(contaId, (this.#running.get(contaId) ?? 0) + 1)
    try {
      const outcome = await this.#deliver(notice, keys)
      await db.transaction(contaId, (tx) => settleNotice(tx, notice, { ...outcome, now: clock.now() }))
    } catch (error) {
      // The row stays reserved for a minute. Its attempts count, so it ends.
      log.error({ err: error, contaId }, 'push notice not settled')
    }
    this.#ended(contaId)
  }

  #ended(contaId: string): void {
    const left = (this.#running.get(contaId) ?? 0) - 1
    if (left > 0) this.#running.set(contaId, left)
    else this.#running.delete(contaId)
    const failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'push notices not reserved')
    // After this notice left `#sends`.
    setImmediate(() => void this.start().catch(failed))
  }

  /** An error counts as a failed attempt. */
  async #deliver(notice: DueNotice, keys: VapidKeys): Promise<{ delivered: readonly string[]; failed: boolean }> {
    const { db, clock, log } = this.#deps
    try {
      const targets = await db.read(notice.conta_id, (tx) => listTargets(tx, notice, clock.now()))
      const outcomes = await Promise.all(targets.map((target) => this.#sendTo({ notice, target, keys })))
      const delivered = targets.filter((_target, index) => outcomes[index] === 'delivered').map(({ id }) => id)
      return { delivered, failed: outcomes.includes('failed') }
    } catch (error) {
      log.warn({ err: error, contaId: notice.conta_id }, 'push notice not sent')
      return { delivered: [], failed: true }
    }
  }

  /** Deletes a subscription that its push service does not know any more, or whose service is not accepted. */
  async #sendTo({ notice, target, keys }: Delivery): Promise<PushOutcome> {
    const { conta_id: contaId, conversa_id: conversaId, tipo } = notice
    const { push } = this.#deps
    const text = JSON.stringify(noticeOf(tipoAvisoPushSchema.parse(tipo), conversaId, target.nome))
    const destination = openDestination(this.#deps, { contaId, ...target })
    if (destination === null || !push.mayDeliver(destination.endpoint)) {
      await deleteSubscription(this.#deps, contaId, target.id)
      return 'ended'
    }
    const request = (): Promise<PushOutcome> => push.send(destination, text, keys)
    const { host } = new URL(destination.endpoint)
    const outcome = await this.#gates.conta
      .run(() => this.#gates.host.run(request, host), contaId)
      .catch((error: unknown) => failedIfFull(error))
    if (outcome === 'ended') await deleteSubscription(this.#deps, contaId, target.id)
    return outcome
  }
}

interface Delivery {
  readonly notice: DueNotice
  readonly target: NoticeTarget
  readonly keys: VapidKeys
}

class NoRoom extends Error {}

const createRequestGate = (perKey: number) =>
  createGate({
    ...{ atOnce: REQUESTS, runningPerKey: () => perKey, waiting: AT_ONCE * 20, waitMs: WAIT_MS },
    full: () => new NoRoom(),
  })

function failedIfFull(error: unknown): PushOutcome {
  if (error instanceof NoRoom) return 'failed'
  throw error
}
