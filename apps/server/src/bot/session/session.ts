import type { Config } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import { MediaRefused } from '@balcao/connector/errors'
import type {
  MessageChange,
  PairingCode,
  Connector,
  InboundMessage,
  Receipt,
  SessionHost,
} from '@balcao/connector/port'
import type { Lease } from '#modules/bot/repository.ts'
import { findPhone, canonicalAddress, findQuoted, revertReaction } from '#modules/conversas/index.ts'
import { openCredentials, saveCredentials } from './credentials.ts'
import { createSessionKeys } from './session-keys.ts'
import { listSent } from './sent-messages.ts'
import { createLinkStateWriter } from './link-state.ts'
import { createSendQueue, type SendQueue, type OutboxItem } from '#bot/outbox/send-queue.ts'
import { Lru } from '#lib/lru.ts'
import { logMensagemFailure, createFailureReports } from '#bot/outbox/failure-reports.ts'
import { deferOutboxItem, failOutboxItem, listPending, type SentMarker } from '#bot/outbox/delivery.ts'
import { createOutboxRecovery } from '#bot/outbox/recovery.ts'
import type { BotDeps } from '#bot/deps.ts'

export interface BotSession {
  readonly contaId: string
  readonly lease: Lease
  readonly queue: SendQueue
  readonly connected: () => boolean
  /** Milliseconds since the last data from the service; null while not connected. */
  readonly silenceMs: () => number | null
  readonly start: () => Promise<void>
  /** Closes the link; `esquecer` also unlinks the phone. Writes no status: the caller does. */
  readonly end: (mode: 'fechar' | 'esquecer') => Promise<void>
  /** Queues rows of `saida` that this node does not hold: after a start, or queued by other nodes. */
  readonly recover: () => Promise<void>
  readonly typing: (address: string) => void
  /** Null when no phone is being paired or the service has no pairing codes. */
  readonly pairingCode: (telefone: string) => Promise<PairingCode | null>
  readonly setAttended: (contatoId: string, humana: boolean) => void
}

export interface BotSessionOptions {
  readonly lease: Lease
  readonly whatsapp: Config['whatsapp']
  readonly sentMarker: SentMarker
  /** False when the lease may have expired by this node's clock. */
  readonly leaseValid: () => boolean
  readonly receive: (contaId: string, canal: string, mensagem: InboundMessage) => Promise<void>
  readonly change: (contaId: string, canal: string, alteracao: MessageChange) => Promise<boolean>
  readonly customerTyping: (contaId: string, canonical: string) => void
  readonly receipt: (contaId: string, idExterno: string, recibo: Receipt) => void
  readonly ended: (lease: Lease) => void
  readonly publishStatus: (contaId: string) => Promise<void>
  readonly mensagemChanged: (contaId: string, mensagemId: string) => void
  readonly mensagemMarked: (contaId: string, mensagemId: string) => void
}

const ATTENDED_CACHED = 10_000
const IDS_CACHED = 1_000

export function createBotSession(deps: BotDeps, options: BotSessionOptions): BotSession | null {
  const { lease } = options
  const { contaId, epoca } = lease
  const factory = deps.connectors[lease.conector]
  if (factory === undefined) return null
  /** Contatos whose conversa people see. Messages queued before the handover are published too when they are sent. */
  const seen = new Lru<true>(ATTENDED_CACHED)
  /** Ids given by the service to messages that are being sent. */
  const calls = new Lru<string>(IDS_CACHED)
  /**
   * Ids with a newer event (receipt, edit, reaction, failure). Their prepared "sent" event is outdated, so the row
   * is read again.
   */
  const comNoticia = new Lru<true>(IDS_CACHED)

  const { undelivered, reactionUndelivered } = createFailureReports(deps, {
    ...options,
    contaId,
    channel: lease.conector,
  })
  const host: SessionHost = {
    contaId,
    clientId: options.whatsapp.clientId,
    chromePath: options.whatsapp.chromePath,
    credentials: openCredentials(deps, lease),
    saveCredentials: (credenciais) => saveCredentials(deps, lease, credenciais),
    keys: createSessionKeys(deps, lease),
    storeMedia: async (bytes, name) => {
      if (deps.files === undefined) throw new MediaRefused('no file storage configured')
      return deps.files.store(contaId, bytes, name).catch((error: unknown) => {
        throw error instanceof AppError ? new MediaRefused(error.message, { cause: error }) : error
      })
    },
    readMedia: async (url) => (await deps.files?.read(contaId, url)) ?? null,
    phoneOf: (address) => deps.db.read(contaId, (tx) => findPhone(tx, contaId, address)),
    findQuoted: (cliente, target) =>
      deps.db.read(contaId, (tx) =>
        findQuoted(tx, { contaId, channel: lease.conector, customer: cliente, serviceId: target }),
      ),
    serviceId: (idExterno, idDoServico) => calls.set(idExterno, idDoServico),
    listSent: (de, ate) => deps.db.read(contaId, (tx) => listSent(tx, contaId, { de, ate })),
    linkState: (qual) => state.changed(qual),
    receive: (mensagem) => options.receive(contaId, lease.conector, mensagem),
    change: (alteracao) => {
      comNoticia.set(alteracao.alvo, true)
      return options.change(contaId, lease.conector, alteracao)
    },
    receipt: (idExterno, recibo) => {
      comNoticia.set(idExterno, true)
      options.receipt(contaId, idExterno, recibo)
    },
    reactionUndelivered,
    undelivered: (idExterno, erro) => {
      comNoticia.set(idExterno, true)
      return undelivered(idExterno, erro)
    },
    typing: ({ telefone, endereco }) => options.customerTyping(contaId, canonicalAddress(telefone, endereco)),
  }

  const state = createLinkStateWriter(deps, {
    ...options,
    recover: () => recover(),
    ready: () => fila.resume(),
  })
  const connector: Connector = factory(host)
  const fila = createSendQueue({
    connector,
    maySend: () => state.ready() && options.leaseValid(),
    sent: (item) =>
      options.sentMarker.mark(item, calls.take(item.idExterno), () => {
        deleted(item.mensagemId)
        fila.forget(item.mensagemId)
        const soSaiu = comNoticia.take(item.idExterno) === undefined
        if (soSaiu && item.onSent !== undefined) item.onSent()
        else if (item.attended || seen.get(item.contatoId) === true) options.mensagemChanged(contaId, item.mensagemId)
      }),
    deferred: (item, waitMs, erro) => deps.db.transaction(contaId, (tx) => deferOutboxItem(tx, item, waitMs, erro)),
    failed: async (item, erro) => {
      await deps.db.transaction(contaId, async (tx) => {
        await failOutboxItem(tx, item, erro)
        if (item.reacao !== undefined) await revertReaction(tx, contaId, item.reacao)
        await logMensagemFailure(tx, deps, {
          contaId,
          mensagemId: item.reacao?.mensagemId ?? item.mensagemId,
          error: erro,
        })
      })
      deleted(item.mensagemId)
      fila.forget(item.mensagemId)
      if (item.reacao === undefined) options.mensagemChanged(contaId, item.mensagemId)
      else options.mensagemMarked(contaId, item.reacao.mensagemId)
    },
    log: deps.log,
    crashPoint: deps.crashPoint,
    ...(deps.timings?.retryWaitsMs === undefined ? {} : { retryWaitsMs: deps.timings.retryWaitsMs }),
  })

  const enqueue = (items: readonly OutboxItem[]): void => {
    for (const { reacao } of items) if (reacao !== undefined) comNoticia.set(reacao.alvo.id, true)
    fila.add(items)
  }

  const { recover, deleted } = createOutboxRecovery({
    list: () => deps.db.transaction(contaId, (tx) => listPending(tx, contaId, epoca)),
    add: (items) => fila.add(items),
    closed: state.closed,
  })

  return {
    contaId,
    lease,
    queue: { ...fila, add: enqueue },
    connected: state.connected,
    silenceMs: () => (state.connected() ? connector.silenceMs() : null),
    start: () => connector.start(),
    end: async (mode) => {
      if (state.closed()) return
      state.close()
      fila.close()
      await (mode === 'esquecer' ? connector.logout() : connector.stop()).catch((error: unknown) =>
        deps.log.warn({ err: error, contaId }, 'connector not closed cleanly'),
      )
    },
    recover,
    typing: (address) => connector.typing(address),
    pairingCode: async (telefone) => (await connector.pairingCode?.(telefone)) ?? null,
    setAttended: (contatoId, humana) => (humana ? seen.set(contatoId, true) : seen.delete(contatoId)),
  }
}
