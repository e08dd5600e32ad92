/**
 * Types of the connector and of its host. Written here and not imported, because this package alone is under
 * GPL-3.0. The server's ports have the same shapes.
 */

export type Motivo =
  | 'qrExpirado'
  | 'desconectadoNoCelular'
  | 'substituido'
  | 'banido'
  | 'banidoPorUmTempo'
  | 'chaveDeAcesso'
  | 'clienteDesatualizado'
  | 'credenciaisInvalidas'
  | 'semRede'
  | 'servicoInstavel'
  | 'erroInterno'

export type LinkState =
  | { readonly tipo: 'conectando' }
  | { readonly tipo: 'pareando'; readonly qrCode: string; readonly expiraEm: Date }
  | { readonly tipo: 'conectado'; readonly como: string }
  | { readonly tipo: 'reconectando'; readonly motivo: Motivo }
  | { readonly tipo: 'encerrado'; readonly status: 'PARADO' | 'ERRO' | 'erro_auth'; readonly motivo: Motivo }

export interface Midia {
  readonly tipo: 'imagem' | 'audio' | 'video' | 'documento' | 'figurinha' | 'localizacao' | 'contato' | 'outro'
  readonly url?: string | undefined
  readonly nomeArquivo?: string | undefined
  readonly mimeType?: string | undefined
  readonly tamanhoBytes?: number | undefined
}

export interface Person {
  /** JID of the sender without device. Answers go to it. */
  readonly endereco: string
  readonly outrosEnderecos: readonly string[]
  readonly telefone: string
}

/** The quoted message. */
export interface QuotedMessage {
  readonly texto: string
  readonly nossa: boolean
}

export type ChangeKind =
  | { readonly tipo: 'edicao'; readonly texto: string }
  | { readonly tipo: 'apagada' }
  /** An empty emoji removes the reaction. */
  | { readonly tipo: 'reacao'; readonly emoji: string }

export interface MessageChange extends Person {
  /** Our message: its `idExterno`. Any other message: the id with which it was received. */
  readonly alvo: string
  readonly deMim: boolean
  readonly mudanca: ChangeKind
}

export interface InboundMessage extends Person {
  readonly id: string
  readonly nome: string
  readonly texto: string
  readonly midia?: Midia
  readonly citada?: QuotedMessage
  readonly ligacao?: 'voz' | 'video'
  readonly deMim: boolean
  readonly enviadaEm: Date
}

/** An earlier message, as the server stores it. */
export interface MensagemTarget {
  /** WhatsApp's id, or the `idExterno` of our message. */
  readonly id: string
  readonly nossa: boolean
  readonly texto: string
}

export interface OutboundMessage {
  readonly idExterno: string
  readonly endereco: string
  readonly texto: string
  readonly midia?: Midia
  readonly citada?: MensagemTarget
  /** A reaction instead of a message. An empty `emoji` removes the reaction. */
  readonly reacao?: { readonly alvo: MensagemTarget; readonly emoji: string }
}

export interface KeyChange {
  readonly tipo: string
  readonly id: string
  /** Null deletes the entry. */
  readonly valor: string | null
}

/** A journal entry: a decrypted message that the host has not stored yet. It cannot be decrypted a second time. */
export interface JournalEntry {
  readonly id: string
  readonly valor: string
}

/** The secrets of one session. The host stores them encrypted. */
export interface SessionKeys {
  readonly read: (tipo: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Writes everything in one transaction. Rejects if another process owns the session. */
  readonly write: (changes: readonly KeyChange[], arrivals: readonly JournalEntry[]) => Promise<void>
  readonly clear: () => Promise<void>
  /** Entries of the journal in the order of arrival. */
  readonly listEntries: () => Promise<readonly JournalEntry[]>
  readonly completeEntry: (id: string) => Promise<void>
}

export interface SessionHost {
  readonly credentials: unknown
  readonly saveCredentials: (credenciais: unknown) => Promise<void>
  readonly linkState: (state: LinkState) => Promise<void>
  /** Resolves after the commit. A repeated message resolves too and changes nothing. */
  readonly receive: (mensagem: InboundMessage) => Promise<void>
  /** Like `receber`, for changes of earlier messages. False, without a change, if the message is unknown. */
  readonly change: (alteracao: MessageChange) => Promise<boolean>
  readonly keys: SessionKeys
  /** The customer is typing. Called often. */
  readonly typing: (cliente: Pick<InboundMessage, 'telefone' | 'endereco'>) => void
  /** Stores the file of a received message. Rejects a file that is not accepted. */
  readonly storeMedia: (bytes: Uint8Array, nome: string) => Promise<Midia>
  /** The file of our message; null if it was deleted. */
  readonly readMedia: (url: string) => Promise<{ readonly bytes: Uint8Array; readonly mimeType: string } | null>
  /** Text of a message of this customer by WhatsApp's id; null if unknown. */
  readonly findQuoted: (cliente: Person, target: string) => Promise<Pick<QuotedMessage, 'texto'> | null>
  /** Our messages with an `idExterno` (UUID) between `de` and `ate`, both included. */
  readonly listSent: (de: string, until: string) => Promise<readonly OutboundMessage[]>
  /** The phone received our message, or the customer read it. */
  readonly receipt: (idExterno: string, recibo: 'entregue' | 'lida') => void
}

export interface PairingCode {
  readonly codigo: string
  readonly expiraEm: Date
}

export interface Connector {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly logout: () => Promise<void>
  /**
   * Resolves once WhatsApp confirmed the message. Rejects with `Falhou` (may be retried), `Recusada` (final) or
   * `Adiada` (not its turn).
   */
  readonly send: (mensagem: OutboundMessage) => Promise<void>
  readonly typing: (address: string) => void
  /** Milliseconds since the last frame of the server, heartbeats included; null without a connection. */
  readonly silenceMs: () => number | null
  /**
   * Requests a code for this phone number (country code first, digits only). Null if no pairing is in progress;
   * rejects with `Recusada` if the number is not accepted.
   */
  readonly pairingCode: (telefone: string) => Promise<PairingCode | null>
}

/**
 * The message was not sent; a retry may succeed. The error text of this and the next two classes is shown to
 * people.
 */
export class SendFailed extends Error {
  override readonly name = 'Falhou'
}

/** The service refused the message permanently. */
export class SendRefused extends Error {
  override readonly name = 'Recusada'
}

/** It is not the turn of the message. Nothing was sent; the caller may try again after `esperaMs`. */
export class SendDeferred extends Error {
  override readonly name = 'Adiada'
  readonly esperaMs: number

  constructor(waitMs: number) {
    super('as mensagens saem no ritmo de uma pessoa')
    this.esperaMs = waitMs
  }
}
