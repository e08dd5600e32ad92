import type { ConectorTipo } from '@balcao/contract/connectors'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import type { Escolha, Midia } from '@balcao/contract/entities/mensagem'
import type { Pedido } from '@balcao/contract/entities/pedido'

export interface QuotedMessage {
  readonly texto: string
  readonly nossa: boolean
}

export interface InboundMessage {
  /** The service's id, unique within conta and service. */
  readonly id: string
  /** Reply address, exactly as the service gave it. */
  readonly endereco: string
  /** Further addresses of the same person. The contato is found under any of them. */
  readonly outrosEnderecos?: readonly string[]
  /** Digits with country code. Empty when the service hides it; then only `endereco` identifies the customer. */
  readonly telefone: string
  readonly nome: string
  /** User name of the customer without `@`, in lower case. Absent: unknown. People change it, so it is not an address. */
  readonly nomeUsuario?: string
  readonly texto: string
  readonly midia?: Midia
  readonly citada?: QuotedMessage
  /** A missed call. `texto` describes it and `enviadaEm` is the time of the call. */
  readonly ligacao?: 'voz' | 'video'
  /** Written by the owner on the phone. */
  readonly deMim?: boolean
  /**
   * An agent of the service handles this conversa: recorded and never answered. With `deMim` the agent wrote the
   * message.
   */
  readonly agente?: boolean
  /** Group, status broadcast or newsletter: never answered. */
  readonly grupo?: boolean
  readonly enviadaEm: Date
}

/** An address of a customer as the service gives it. `telefone`: its digits when it is a phone number, else empty. */
export interface CustomerAddress {
  readonly endereco: string
  readonly telefone: string
}

/** The service says which addresses belong to one customer. */
export interface IdentityNotice {
  /** In use. Replies prefer the first one. */
  readonly atuais: readonly CustomerAddress[]
  /** Given up. They still find the customer, but no reply goes there. */
  readonly deixados: readonly CustomerAddress[]
  /** Time of the notice by the clock of the service. */
  readonly em: Date
}

/** An edit, deletion or reaction made on the customer's or the owner's phone. */
export interface MessageChange {
  readonly endereco: string
  readonly outrosEnderecos?: readonly string[]
  readonly telefone: string
  /** `idExterno` of our message, otherwise the service's id. */
  readonly alvo: string
  readonly deMim: boolean
  readonly mudanca:
    | { readonly tipo: 'edicao'; readonly texto: string }
    | { readonly tipo: 'apagada' }
    /** Empty removes the reaction. */
    | { readonly tipo: 'reacao'; readonly emoji: string }
}

/** An approved template of the official API with the values of its placeholders. */
export interface SentModelo {
  readonly nome: string
  readonly idioma: string
  readonly valores: readonly { readonly lacuna: string; readonly valor: string }[]
}

/** Reference to an earlier message, as the service needs it. */
export interface MensagemTarget {
  /** The service's id, or `idExterno` when our message has none there. */
  readonly id: string
  readonly nossa: boolean
  readonly texto: string
}

export interface OutboundMessage {
  /** Fixed before the first attempt; every retry uses the same id. */
  readonly idExterno: string
  readonly endereco: string
  readonly texto: string
  readonly midia?: Midia
  /** Template to send. `texto` then only contains its rendered text. */
  readonly modelo?: SentModelo
  readonly citada?: MensagemTarget
  /** Answers to tap. `texto` names them too, so a service without buttons ignores them. */
  readonly escolhas?: readonly Escolha[]
  /** Id of the order that `texto`, a code of PIX, pays. Only for connectors with `orderPayments`. */
  readonly cobranca?: string
  /** Shown as forwarded, where the service allows it. */
  readonly encaminhada?: true
  /** Reaction to an earlier message, without a text. An empty `emoji` removes it. */
  readonly reacao?: { readonly alvo: MensagemTarget; readonly emoji: string }
  /** New text of an earlier message of ours. Null deletes it on both sides. */
  readonly edicao?: { readonly alvo: MensagemTarget; readonly texto: string | null }
}

export type LinkState =
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'pareando'; readonly qrCode: string; readonly expiraEm: Date }
  /**
   * `como` is for people. `numero`: with country code, digits count; empty when the service does not say it. `motivo`:
   * the link works, but a person must act.
   */
  | { readonly tipo: 'conectado'; readonly como: string; readonly numero?: string; readonly motivo?: MotivoBot }
  /** The connector reconnects automatically. */
  | { readonly tipo: 'reconectando'; readonly motivo: MotivoBot }
  /** A person must act. `status` is `ERRO` or `erro_auth`, or `PARADO` after a logout on the phone. */
  | { readonly tipo: 'encerrado'; readonly status: StatusBot; readonly motivo: MotivoBot }

export interface KeyChange {
  readonly tipo: string
  readonly id: string
  /** Null deletes the key. */
  readonly valor: string | null
}

/** A message that the connector has read but the runtime has not stored yet. */
export interface JournalEntry {
  readonly id: string
  readonly valor: string
}

/** Keys of one session besides its credentials, and its journal of read messages. Stored encrypted. */
export interface SessionKeys {
  readonly read: (tipo: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Writes everything in one transaction. Rejects when another node holds the lease. */
  readonly write: (changes: readonly KeyChange[], arrivals: readonly JournalEntry[]) => Promise<void>
  readonly clear: () => Promise<void>
  /** In order of arrival. */
  readonly listEntries: () => Promise<readonly JournalEntry[]>
  readonly completeEntry: (id: string) => Promise<void>
}

export type Receipt = 'entregue' | 'lida'

/** An order with its payment, for a service that shows both. */
export interface PayableOrder {
  readonly pedido: Pedido
  /** The sum as people read it: `R$ 42,00`. */
  readonly total: string
  /** Of the PIX code: key and name of the shop, and its sum. */
  readonly pix: { readonly chave: string; readonly nome: string; readonly valorCentavos: number }
}

export interface SessionHost {
  readonly contaId: string
  /** Names the session, such as its folder. The first line of an account has the account's id. */
  readonly linhaId: string
  readonly chromePath: string
  /** The product's clock. */
  readonly now: () => Date
  /** The value last passed to `saveCredentials`, or null before the first pairing. */
  readonly credentials: unknown
  /** False when another node may have the bot. Ask right before the bytes of a message leave. */
  readonly maySend: () => boolean
  /**
   * Records that a message is about to leave, for services that take a repeated message twice. Resolves with true when
   * an earlier session recorded it, so it may have left. Rejects when the message is gone or the lease is lost.
   */
  readonly beginSend: (idExterno: string) => Promise<boolean>
  /** Resolves when written under this lease. Rejects when the lease is lost. */
  readonly saveCredentials: (credentials: unknown) => Promise<void>
  readonly keys: SessionKeys
  /**
   * Stores the file of an inbound message and returns its description. Rejects with `MediaRefused` when the
   * product does not accept the file; other errors may be retried.
   */
  readonly storeMedia: (bytes: Uint8Array, name: string) => Promise<Midia>
  /** Reads the file of our message by its `midia.url`. Null when the file was deleted. */
  readonly readMedia: (url: string) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  /** An order of this conta by its id, as it is stored now, and the parts of its PIX code. Null: no order or no code. */
  readonly findOrder: (id: string, code: string) => Promise<PayableOrder | null>
  /** Returns the customer's number as digits with country code, or an empty string when unknown. */
  readonly phoneOf: (address: string) => Promise<string>
  /** Returns where replies to this address go: the address itself, unless its customer gave it up. */
  readonly replyAddress: (address: string) => Promise<string>
  /** Finds a quoted message in this customer's conversas by the service's id. Null when unknown. */
  readonly findQuoted: (
    customer: Pick<InboundMessage, 'telefone' | 'endereco' | 'outrosEnderecos'>,
    target: string,
  ) => Promise<QuotedMessage | null>
  /** Stores the service's id of this message. Call it before `send` resolves. */
  readonly serviceId: (idExterno: string, serviceId: string) => void
  /** Our messages whose `idExterno`, a UUID, lies between the two, both included. */
  readonly listSent: (from: string, until: string) => Promise<readonly OutboundMessage[]>
  /** Resolves when the state is stored and published. States are stored in the order of the calls. */
  readonly linkState: (state: LinkState) => Promise<void>
  /** Resolves after the commit. Acknowledge the message to the service only then. */
  readonly receive: (message: InboundMessage) => Promise<void>
  /** Resolves after the commit. Returns false and writes nothing when this customer has no such message. */
  readonly change: (change: MessageChange) => Promise<boolean>
  /** Resolves after the commit. Returns false and writes nothing when no customer has any of these addresses. */
  readonly identity: (notice: IdentityNotice) => Promise<boolean>
  /** `idExterno` is the id used in `send`. Receipts may be repeated, late or out of order. */
  readonly receipt: (idExterno: string, receipt: Receipt) => void
  /** Reports that a sent message will not arrive. `erro` is a reason in Portuguese. Resolves when stored. */
  readonly undelivered: (idExterno: string, error: string) => Promise<void>
  /** Reports that a sent reaction will not arrive. `alvo` is the service's id of the marked message. */
  readonly reactionUndelivered: (
    reaction: { readonly serviceId: string; readonly emoji: string },
    error: string,
  ) => Promise<void>
  /** The customer is typing. May be called often; nothing is stored. */
  readonly typing: (customer: Pick<InboundMessage, 'telefone' | 'endereco'>) => void
}

export interface PairingCode {
  readonly codigo: string
  readonly expiraEm: Date
}

/** One linked phone, created for one lease. */
export interface Connector {
  /** Milliseconds since the last data on this link, heartbeats included. Null without a link. */
  readonly silenceMs: () => number | null
  /** Idempotent. Pairs when there are no credentials. Results arrive through `host.linkState`. */
  readonly start: () => Promise<void>
  /** Closes the link and keeps the credentials. Calls nothing on `host` afterwards. */
  readonly stop: () => Promise<void>
  /**
   * Unlinks the phone where the service allows it, also for a session that was never started. The runtime deletes
   * the credentials.
   */
  readonly logout: () => Promise<void>
  /**
   * Resolves when the service accepted the message. Throws `SendRefused` when a retry cannot help and
   * `SendDeferred` when the service asks to wait. The runtime retries all other errors.
   */
  readonly send: (message: OutboundMessage) => Promise<void>
  /** Shows the typing indicator for a moment. Never blocks. */
  readonly typing: (address: string) => void
  /**
   * Returns a pairing code for this number (digits with country code), or null when no phone is being paired.
   * Throws `SendRefused` when the service rejects the number.
   */
  readonly pairingCode?: (telefone: string) => Promise<PairingCode | null>
}

export type ConnectorFactory = (host: SessionHost) => Connector
export type Connectors = Readonly<Partial<Record<ConectorTipo, ConnectorFactory>>>
