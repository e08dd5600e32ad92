import { SendFailed } from '@balcao/connector/errors'
import type {
  Connector,
  IdentityNotice,
  InboundMessage,
  LinkState,
  PairingCode,
  SessionHost,
} from '@balcao/connector/port'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { type Lease, lineChannel } from '#modules/bot/index.ts'
import { canonicalAddress } from '#modules/enderecos/index.ts'
import {
  applyChange,
  changedIdOf,
  listBehind,
  listOutboxIds,
  listOutboxRows,
  listStored,
} from '#modules/mensagens/index.ts'
import type { LeaseKey, LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { MensagemAnnouncer } from '#bot/outbox/announce.ts'
import { FailureReports, type Receipts, type SentMarker } from '#bot/outbox/delivery.ts'
import { createLookup, OUTBOX_PAGE, OutboxReader } from '#bot/outbox/read-outbox.ts'
import { type OutboxItem, SendQueue } from '#bot/outbox/send-queue.ts'
import { createHost, type HostEvents, type HostOptions } from './host.ts'
import type { LineEvents } from './status.ts'
import { LinkStateWriter } from './link-state.ts'

const ATTENDED_CACHED = 10_000
const IDS_CACHED = 1_000

export interface SessionParts {
  readonly sentMarker: SentMarker
  readonly announcer: MensagemAnnouncer
  readonly receipts: Receipts
  readonly receive: (line: LineKey, channel: string, message: InboundMessage) => Promise<void>
  readonly identity: (contaId: string, notice: IdentityNotice) => Promise<boolean>
  readonly customerTyping: (line: LineKey, canonical: string) => void
  readonly events: LineEvents
  /** Closes a link without answers and opens another. Does not wait. */
  readonly reopen: (lease: LeaseKey) => void
  readonly released: (line: LineKey) => void
}

export interface SessionOptions extends HostOptions {
  readonly ended: (lease: Lease) => void
}

/** The link of one line under one lease: its connector, its state and its send queue. */
export class BotSession {
  readonly contaId: string
  readonly lease: Lease
  readonly #deps: BotDeps
  readonly #parts: SessionParts
  readonly #state: LinkStateWriter
  readonly #connector: Connector
  readonly #queue: SendQueue
  readonly #reader: OutboxReader
  readonly #failures: FailureReports
  /** Contatos whose conversa people see. Messages queued before the handover are published too when they are sent. */
  readonly #attended = createBoundedCache<true>(ATTENDED_CACHED)
  readonly #serviceIds = createBoundedCache<string>(IDS_CACHED)
  /**
   * Ids with a newer event (receipt, edit, reaction, failure). Their prepared "sent" event is outdated, so the row
   * is read again.
   */
  readonly #outdated = createBoundedCache<true>(IDS_CACHED)

  constructor(deps: BotDeps, parts: SessionParts, options: SessionOptions) {
    const { lease, ended } = options
    const { contaId, conector } = lease
    this.contaId = contaId
    this.lease = lease
    this.#deps = deps
    this.#parts = parts
    this.#failures = new FailureReports(deps, lease, parts.announcer)
    this.#state = new LinkStateWriter(deps, {
      lease,
      ended,
      events: parts.events,
      recover: () => this.recover(),
      ready: () => this.#queue.resume(),
    })
    const factory = deps.connectors[conector] ?? createAbsentConnector
    this.#connector = factory(createHost(deps, options, this.#hostEvents()))
    const stored = createLookup((ids) => deps.db.read(contaId, (tx) => listStored(tx, contaId, ids)))
    this.#queue = new SendQueue({
      connector: this.#connector,
      maySend: () => this.ready,
      listBehind: (ids) =>
        deps.db.read(contaId, (tx) => listBehind(tx, lease, { now: deps.clock.now(), ids }), { planner: 'indexes' }),
      isStored: async (id) => (await stored(id)) ?? false,
      now: () => deps.clock.now(),
      attempted: (outcome, ms) => deps.metrics.observeSend(conector, outcome, ms / 1_000),
      sent: (item) => this.#sent(item),
      deferred: (item, waitMs, error) => this.#failures.deferred(item, waitMs, error),
      failed: (item, error) => this.#failed(item, error),
      log: deps.log,
      crashPoint: deps.crashPoint,
      unanswered: () => parts.reopen(lease),
      ...(deps.timings?.sendTimeoutMs === undefined ? {} : { sendTimeoutMs: deps.timings.sendTimeoutMs }),
      ...(deps.timings?.retryWaitsMs === undefined ? {} : { retryWaitsMs: deps.timings.retryWaitsMs }),
    })
    this.#reader = new OutboxReader({
      queue: this.#queue,
      listIds: (after) =>
        deps.db.read(contaId, (tx) => listOutboxIds(tx, { line: lease, after, max: OUTBOX_PAGE }), {
          planner: 'indexes',
        }),
      listRows: (ids) => deps.db.read(contaId, (tx) => listOutboxRows(tx, lease, { ids, now: deps.clock.now() })),
    })
  }

  get ready(): boolean {
    return this.#state.ready && this.#deps.fleet.maySend()
  }

  get connected(): boolean {
    return this.#state.connected
  }

  get linkState(): LinkState['tipo'] {
    return this.#state.state
  }

  get sending(): boolean {
    return this.#queue.busy
  }

  /** Milliseconds since the last data from the service; null while not connected. */
  silenceMs(): number | null {
    return this.connected ? this.#connector.silenceMs() : null
  }

  start(): Promise<void> {
    return this.#connector.start()
  }

  /** Closes the link; `esquecer` also unlinks the phone. Writes no status: the caller does. */
  async end(mode: 'fechar' | 'esquecer'): Promise<void> {
    if (this.#state.closed) return
    this.#state.close()
    this.#queue.close()
    this.#reader.close()
    this.#parts.released(this.lease)
    await (mode === 'esquecer' ? this.#connector.logout() : this.#connector.stop()).catch((error: unknown) =>
      this.#deps.log.warn(
        { err: error, contaId: this.contaId, linhaId: this.lease.linhaId },
        'connector not closed cleanly',
      ),
    )
  }

  send(items: readonly OutboxItem[]): void {
    for (const { reacao, edicao } of items) {
      const alvo = (reacao ?? edicao)?.alvo
      if (alvo !== undefined) this.#outdated.set(alvo.id, true)
    }
    this.#queue.add(items)
  }

  recover(): Promise<void> {
    return this.#reader.recover()
  }

  read(mensagemIds: readonly string[]): Promise<void> {
    return this.#reader.read(mensagemIds)
  }

  /** Sends the messages that were queued while the node was silent, because its row was not renewed in time. */
  resume(): void {
    if (this.ready) this.#queue.resume()
  }

  readPage(): Promise<void> {
    return this.#reader.readPage()
  }

  drop(item: Pick<OutboxItem, 'contatoId' | 'mensagemId'>): void {
    this.#queue.drop(item)
  }

  typing(address: string): void {
    this.#connector.typing(address)
  }

  /** Null when no phone is being paired or the service has no pairing codes. */
  async pairingCode(telefone: string): Promise<PairingCode | null> {
    return (await this.#connector.pairingCode?.(telefone)) ?? null
  }

  setAttended(contatoId: string, attended: boolean): void {
    if (attended) this.#attended.set(contatoId, true)
    else this.#attended.delete(contatoId)
  }

  dropContato(contatoId: string): void {
    this.#queue.dropContato(contatoId)
    this.setAttended(contatoId, false)
  }

  #hostEvents(): HostEvents {
    const { contaId } = this
    const { receive, identity, receipts, announcer, customerTyping } = this.#parts
    const { lease } = this
    const channel = lineChannel(lease)
    return {
      serviceId: (idExterno, serviceId) => void this.#serviceIds.set(idExterno, serviceId),
      linkState: (state) => this.#state.changed(state),
      receive: (message) => receive(lease, channel, message),
      change: async (change) => {
        this.#outdated.set(change.alvo, true)
        const id = await applyChange(this.#deps, { contaId, channel, change })
        if (id !== null) announcer.marked(contaId, id)
        return id !== null
      },
      identity: (notice) => identity(contaId, notice),
      receipt: (idExterno, receipt) => {
        this.#outdated.set(idExterno, true)
        receipts.add(contaId, idExterno, receipt)
      },
      undelivered: (idExterno, error) => {
        this.#outdated.set(idExterno, true)
        return this.#failures.undelivered(idExterno, error)
      },
      reactionUndelivered: this.#failures.reactionUndelivered,
      typing: ({ telefone, endereco }) => customerTyping(lease, canonicalAddress(telefone, endereco)),
    }
  }

  #sent(item: OutboxItem): void {
    const { mensagemId, contatoId, idExterno, attended, onSent, arrivedAt } = item
    this.#deps.metrics.countSent(this.lease.conector)
    if (arrivedAt !== undefined) {
      this.#deps.metrics.observeAnswer(this.lease.conector, (performance.now() - arrivedAt) / 1_000)
    }
    const serviceId = this.#serviceIds.get(idExterno)
    this.#serviceIds.delete(idExterno)
    this.#parts.sentMarker.markSent(item, serviceId, () => {
      this.#queue.forget(mensagemId)
      const current = !this.#outdated.delete(idExterno)
      // The prepared event knows the setor of the commit. A transfer since then changes who may receive it.
      const prepared = current && !this.#deps.realtime.hasRestricted(this.contaId)
      if (prepared && onSent !== undefined) onSent()
      else if (attended || this.#attended.get(contatoId) === true)
        this.#parts.announcer.changed(this.contaId, mensagemId)
    })
  }

  async #failed(item: OutboxItem, error: string): Promise<void> {
    await this.#failures.failed(item, error)
    this.#queue.forget(item.mensagemId)
    const { announcer } = this.#parts
    const changed = changedIdOf(item)
    if (changed === undefined) announcer.changed(this.contaId, item.mensagemId)
    else announcer.marked(this.contaId, changed)
  }
}

/** Replaces a connector that this server does not have. It ends with the reason when it starts. */
function createAbsentConnector(host: Pick<SessionHost, 'linkState'>): Connector {
  return {
    silenceMs: () => null,
    start: () => host.linkState({ tipo: 'encerrado', status: 'ERRO', motivo: 'conectorAusente' }),
    stop: () => Promise.resolve(),
    logout: () => Promise.resolve(),
    send: () => Promise.reject(new SendFailed('conector ausente')),
    typing: () => undefined,
  }
}
