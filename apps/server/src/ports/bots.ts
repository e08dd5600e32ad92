import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { BotEvent } from '@balcao/engine/event'
import type { LinkState, PairingCode, OutboundMessage } from '@balcao/connector/port'

/** Names a line of an account. The first line has the id of the account. */
export interface LineKey {
  readonly contaId: string
  readonly linhaId: string
}

/** Bot commands for the modules. May be called on any node; the node with the lease acts. */
export interface Bots {
  /** Marks the bot as wanted and returns its status immediately. Throws `naoEncontrado` for an inactive line. */
  readonly start: (line: LineKey) => Promise<BotStatus>
  /** `por`: name of the person, for the log of the conta. */
  readonly stop: (line: LineKey, por?: string) => Promise<BotStatus>
  /** Stops the bot, unlinks the phone where possible, deletes the credentials and writes the audit trail. */
  readonly clearSession: (line: LineKey, quem: Requester) => Promise<void>
  /** Call after the commit that deleted the line. Unlinks its phone. After a crash or on another node a later round does. */
  readonly unlinkDeleted: (line: LineKey) => Promise<void>
  /** Call after the commit that asked for a new link of the line. The node that has the line opens it again. */
  readonly linkRestarted: (line: LineKey) => void
  readonly status: (line: LineKey) => Promise<BotStatus>
  /** Returns a pairing code for the phone with this number. Throws `semQrCode` or `dadosInvalidos`. */
  readonly pairingCode: (line: LineKey, telefone: string) => Promise<PairingCode>
  /** Call after a change of configuration, lines, products, plan or maintenance. */
  readonly contextChanged: (contaId: string) => void
  /** Call after the commit that added rows to `saida`, in the order of the rows. */
  readonly outboxAdded: (line: LineKey, fresh: readonly NewOutboxItem[]) => void
  /** Call after the commit that failed messages that waited. */
  readonly outboxFailed: (failed: readonly FailedOutboxItem[]) => void
  /** Call after a contato was erased. All nodes drop its caches and waiting messages. */
  readonly forgetContato: (contaId: string, contato: ErasedContato) => void
  /** True when this node takes bots and checked its leases recently. */
  readonly leasesAlive: () => boolean
  /** The sessions of this node, counted. Reads memory only. */
  readonly sessions: () => readonly SessionCount[]
  /** Shows the typing indicator on the customer's phone. Never blocks; may do nothing. */
  readonly typing: (line: LineKey, address: string) => void
}

/** Names one lease. No other process and no later lease has the same pair of `no` and `epoca`. */
export interface LeaseKey extends LineKey {
  readonly no: string
  /** Fencing number, greater than that of every earlier lease of the line. */
  readonly epoca: number
}

/**
 * Writes of a session that count only while its lease is current: link state, credentials, keys and journal, begin of a
 * send, failed attempt, last failed attempt, and the time of the last data.
 */
export type FencedWrite = 'estado' | 'credenciais' | 'chaves' | 'envio' | 'tentativa' | 'falha' | 'silencio'

export interface SessionCount {
  readonly conector: string
  readonly estado: LinkState['tipo']
  readonly quantos: number
}

export interface ErasedContato {
  readonly contatoId: string
  readonly enderecos: readonly string[]
}

export interface Requester {
  readonly usuarioId: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly ip: string
}

interface ChangedMensagem {
  readonly mensagemId: string
  readonly anterior: string | null
}

/** A complete row of `saida`, so that the message is sent without another read. */
export interface NewOutboxItem extends OutboundMessage {
  /** The changed message and its previous reaction or edit. */
  readonly reacao?: NonNullable<OutboundMessage['reacao']> & ChangedMensagem
  readonly edicao?: NonNullable<OutboundMessage['edicao']> & ChangedMensagem
  readonly mensagemId: string
  readonly contatoId: string
  /** The message promised to the contato before this one. */
  readonly anterior: string | null
  /** Called after this node sent the message. Publishes the known state without another read. */
  readonly onSent: () => void
}

export interface FailedOutboxItem extends Pick<NewOutboxItem, 'mensagemId' | 'contatoId' | 'reacao' | 'edicao'> {
  readonly contaId: string
}

/** Event fields known only inside the transaction: time, contato and protocol number. */
export type EventBase = Pick<BotEvent, 'agora' | 'contato' | 'protocolo' | 'fila' | 'link'>

export type BuildEvent = (base: EventBase) => BotEvent
