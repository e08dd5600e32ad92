import * as z from 'zod/mini'
import type { Receipt, SessionHost } from '@balcao/connector/port'
import {
  advanceStates,
  changedIdOf,
  deferOutboxItem,
  deleteSent,
  dropReaction,
  type FailedItem,
  failOutboxItem,
  failWaiting,
  listExpiredContas,
  markUndelivered,
  revertChange,
  setServiceIds,
} from '#modules/mensagens/index.ts'
import { countRefused, type Lease, lineChannel } from '#modules/bot/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { Tx } from '#db/transaction.ts'
import { Batcher, type Repeat } from '#lib/queue/batcher.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { MensagemAnnouncer } from './announce.ts'
import type { OutboxItem } from './send-queue.ts'

const MARKED_PER_BATCH = 500
/** A conta whose marks failed waits this long. The marks of others go on. */
const MARK_RETRY_MS = 1_000
/** A batch has marks of several contas, and one of them may have locked its rows. */
const MARK_LOCK_MS = 500

interface SentMark {
  readonly key: string
  readonly item: OutboxItem
  readonly serviceId: string | undefined
  readonly deleted: () => void
}

/** Deletes the rows of sent messages in batches. One batch runs while the next one collects. */
export class SentMarker {
  readonly #deps: Pick<BotDeps, 'db' | 'log' | 'crashPoint'>
  readonly #marks: Batcher<SentMark>
  readonly #failed = new Set<string>()

  constructor(deps: Pick<BotDeps, 'db' | 'log' | 'crashPoint'>) {
    this.#deps = deps
    this.#marks = new Batcher({
      max: MARKED_PER_BATCH,
      slots: 1,
      groupOf: ({ item }) => item.contaId,
      alone: (contaId) => this.#failed.has(contaId),
      handleBatch: (marks) => this.#mark(marks),
    })
  }

  markSent(item: OutboxItem, serviceId: string | undefined, deleted: () => void): void {
    this.#marks.add({ key: item.mensagemId, item, serviceId, deleted })
  }

  idle(): Promise<void> {
    return this.#marks.idle()
  }

  async #mark(marks: readonly SentMark[]): Promise<readonly Repeat<SentMark>[]> {
    const byConta = Map.groupBy(marks, ({ item }) => item.contaId)
    try {
      await this.#deleteRows(byConta)
    } catch (error) {
      for (const contaId of byConta.keys()) this.#failed.add(contaId)
      if (byConta.size > 1) return marks.map((item) => ({ item, waitMs: 0 }))
      this.#deps.log.error({ err: error, contaId: marks[0]?.item.contaId }, 'sent messages not marked, retrying')
      return marks.map((item) => ({ item, waitMs: MARK_RETRY_MS }))
    }
    for (const contaId of byConta.keys()) this.#failed.delete(contaId)
    this.#deps.crashPoint('saida.marcada')
    for (const { deleted } of marks) deleted()
    return []
  }

  async #deleteRows(byConta: ReadonlyMap<string, readonly SentMark[]>): Promise<void> {
    const write = async (tx: Tx): Promise<void> => {
      for (const [contaId, marks] of byConta) {
        const ids = marks.map(({ item }) => item.mensagemId)
        tx.commitBehind(deleteSent(tx, { contaId, ids }))
        const named = marks.flatMap(({ item, serviceId }) =>
          serviceId === undefined ? [] : [{ id: item.mensagemId, serviceId }],
        )
        if (named.length > 0) tx.commitBehind(setServiceIds(tx, { contaId, i: named }))
      }
    }
    await this.#deps.db.transaction([...byConta.keys()], write, { planner: 'indexes', lockMs: MARK_LOCK_MS })
  }
}

const UUID = z.uuid()
const RECEIPTS_PER_BATCH = 500
const RECEIPT_LOCK_MS = 500

interface ArrivedReceipt {
  readonly key: string
  readonly contaId: string
  readonly receipt: Receipt
}

/**
 * Writes delivery and read receipts in batches and publishes them. Takes the shared turn for a connection, because a
 * batch has receipts of many contas. A failed write is not retried, because it costs only a tick.
 */
export class Receipts {
  readonly #deps: Pick<BotDeps, 'db' | 'log'>
  readonly #announcer: Pick<MensagemAnnouncer, 'changed'>
  readonly #arrived: Batcher<ArrivedReceipt>

  constructor(deps: Pick<BotDeps, 'db' | 'log'>, announcer: Pick<MensagemAnnouncer, 'changed'>) {
    this.#deps = deps
    this.#announcer = announcer
    this.#arrived = new Batcher({
      max: RECEIPTS_PER_BATCH,
      slots: 1,
      groupOf: ({ contaId }) => contaId,
      handleBatch: (receipts) => this.#writeAll(receipts),
    })
  }

  add(contaId: string, idExterno: string, receipt: Receipt): void {
    if (UUID.safeParse(idExterno).success) this.#arrived.add({ key: idExterno, contaId, receipt })
  }

  idle(): Promise<void> {
    return this.#arrived.idle()
  }

  async #writeAll(receipts: readonly ArrivedReceipt[]): Promise<readonly []> {
    const byConta = Map.groupBy(receipts, ({ contaId }) => contaId)
    const written = [...byConta].map(([contaId, ofConta]) =>
      this.#write(contaId, new Map(ofConta.map(({ key, receipt }) => [key, receipt]))).catch((error: unknown) =>
        this.#deps.log.warn({ err: error, contaId }, 'receipts not written'),
      ),
    )
    await Promise.all(written)
    return []
  }

  async #write(contaId: string, receipts: ReadonlyMap<string, Receipt>): Promise<void> {
    const i = [...receipts].map(([id, estado]) => ({ id, estado }))
    const advance = (tx: Tx) => advanceStates(tx, { contaId, i })
    const changed = await this.#deps.db.transaction([contaId], advance, { planner: 'indexes', lockMs: RECEIPT_LOCK_MS })
    for (const { id } of changed) this.#announcer.changed(contaId, id)
  }
}

const MENSAGEM_FAILED_TEXT =
  'Uma mensagem não foi entregue ao WhatsApp depois de várias tentativas. Confira a conexão e use “Tentar de novo” na conversa.'

const CHANGE_FAILED_TEXT =
  'O WhatsApp não aceitou a edição ou a exclusão de uma mensagem. O cliente ainda vê a mensagem como era.'

export class FailureReports implements Pick<SessionHost, 'undelivered' | 'reactionUndelivered'> {
  readonly #deps: BotDeps
  readonly #lease: Lease
  readonly #announcer: Pick<MensagemAnnouncer, 'changed' | 'marked'>

  constructor(deps: BotDeps, lease: Lease, announcer: Pick<MensagemAnnouncer, 'changed' | 'marked'>) {
    this.#deps = deps
    this.#lease = lease
    this.#announcer = announcer
  }

  deferred(item: OutboxItem, waitMs: number, error: string): Promise<void> {
    const { contaId, mensagemId, attempts } = item
    const lease = this.#lease
    return this.#deps.db.transaction(contaId, async (tx) => {
      const stored = await deferOutboxItem(tx, { ...lease, mensagemId, attempts, waitS: waitMs / 1_000, error })
      if (stored === 0) await countRefused(tx, this.#deps, { kind: 'tentativa', leases: [lease] })
    })
  }

  /** Stores the last failed attempt. Changes nothing when another node holds the lease. */
  async failed({ contaId, mensagemId, ...item }: OutboxItem, error: string): Promise<void> {
    await this.#deps.db.transaction(contaId, async (tx) => {
      const lease = this.#lease
      if (!(await failOutboxItem(tx, { ...lease, mensagemId, error }))) {
        return countRefused(tx, this.#deps, { kind: 'falha', leases: [lease] })
      }
      await revertChange(tx, contaId, item)
      await this.#log(
        tx,
        changedIdOf(item) ?? mensagemId,
        error,
        item.edicao === undefined ? undefined : CHANGE_FAILED_TEXT,
      )
      tx.afterCommit(() => this.#deps.metrics.countUnsent(1))
    })
  }

  /** The service reported the failure of a message that it had accepted. */
  readonly undelivered = async (mensagemId: string, error: string): Promise<void> => {
    const { contaId } = this.#lease
    if (!UUID.safeParse(mensagemId).success) return
    const changed = await this.#deps.db.transaction(contaId, async (tx) => {
      if ((await markUndelivered(tx, { contaId, mensagemId, error })) === 0) return false
      await this.#log(tx, mensagemId, error)
      return true
    })
    if (!changed) return
    this.#deps.metrics.countUnsent(1)
    this.#announcer.changed(contaId, mensagemId)
  }

  readonly reactionUndelivered: SessionHost['reactionUndelivered'] = async (reaction, error) => {
    const { contaId } = this.#lease
    const channel = lineChannel(this.#lease)
    const marked = await this.#deps.db.transaction(contaId, async (tx) => {
      const mensagem = await dropReaction(tx, { contaId, channel, ...reaction })
      if (mensagem !== null) await this.#log(tx, mensagem.id, error)
      return mensagem
    })
    if (marked !== null) this.#announcer.marked(contaId, marked.id)
  }

  async #log(tx: Tx, mensagemId: string, erro: string, mensagem = MENSAGEM_FAILED_TEXT): Promise<void> {
    const detalhes = { mensagemId, erro }
    const { contaId, linhaId } = this.#lease
    await insertLog(tx, this.#deps, contaId, { tipo: 'error', mensagem, detalhes, linhaId })
  }
}

const EXPIRED_REASON = {
  automatic: 'Esta mensagem esperou mais de 24 horas e não foi enviada.',
  person: 'Esta mensagem esperou mais de 3 dias e não foi enviada.',
} as const

function expiredLogText(count: number): string {
  const what =
    count === 1
      ? 'Uma mensagem esperou demais e não foi enviada'
      : `${count} mensagens esperaram demais e não foram enviadas`
  return `${what}, porque o bot ficou sem conexão. Use “Tentar de novo” na conversa.`
}

const EXPIRED_PER_BATCH = 500
/** A send that began before the expiry ends within its 30 s timeout. */
const EXPIRY_MARGIN_MS = 60_000
const EXPIRY_LOCK_MS = 500

type ExpiryDeps = Pick<BotDeps, 'db' | 'clock' | 'ids' | 'metrics' | 'realtime' | 'log'>

/**
 * Fails the messages that waited too long, with one line in the log of each conta. Yields them after each commit. A
 * conta whose rows are locked waits for the next round.
 */
export async function* failExpired(deps: ExpiryDeps): AsyncGenerator<FailedItem> {
  const until = new Date(deps.clock.now().getTime() - EXPIRY_MARGIN_MS)
  for (const { contaId } of await deps.db.read('*', (tx) => listExpiredContas(tx, { until }), { planner: 'indexes' })) {
    try {
      yield* failExpiredOf(deps, contaId, until)
    } catch (error) {
      deps.log.error({ err: error, contaId }, 'expired messages not failed, retrying')
    }
  }
}

async function* failExpiredOf(deps: ExpiryDeps, contaId: string, until: Date): AsyncGenerator<FailedItem> {
  const expired = { which: 'expired', contaId, until, reason: EXPIRED_REASON, max: EXPIRED_PER_BATCH } as const
  for (;;) {
    const failed = await deps.db.transaction(
      contaId,
      async (tx) => {
        const items = await failWaiting(tx, expired)
        if (items.length === 0) return items
        await insertLog(tx, deps, contaId, { tipo: 'error', mensagem: expiredLogText(items.length) })
        return items
      },
      { planner: 'indexes', lockMs: EXPIRY_LOCK_MS },
    )
    deps.metrics.countUnsent(failed.length)
    yield* failed
    if (failed.length < EXPIRED_PER_BATCH) return
  }
}
