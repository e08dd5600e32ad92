import type { BinaryNode, proto } from 'baileys'
import type { ServerConnection } from './connection.ts'
import type { SignalPeer } from './signal-peer.ts'

export interface LinkedDevice {
  readonly owner: PhoneOwner
  readonly id: number
  readonly jid: string
  readonly lidJid: string
  readonly noiseKey: Buffer
  readonly identity: Buffer
  readonly registrationId: number
  signedKey: SignedKey
  readonly oneTimeKeys: { readonly id: number; readonly publica: Buffer }[]
  /** Unconfirmed stanzas, oldest first. */
  readonly pending: BinaryNode[]
  revoked: boolean
  connection: ServerConnection | null
}

export interface SignedKey {
  readonly id: number
  readonly publicKey: Buffer
  readonly signature: Buffer
}

/** A person. The server may show the number or only the LID. */
export interface NetworkPerson {
  readonly numero: string
  readonly lid: string
  readonly nome: string
}

export interface Recipient extends NetworkPerson {
  readonly signal: SignalPeer
  readonly deliver: (sent: SentStanza, encrypted: BinaryNode) => Promise<void>
}

export interface PhoneOwner extends Recipient {
  readonly devices: Map<number, LinkedDevice>
}

export interface SentStanza {
  readonly device: LinkedDevice
  readonly id: string
  readonly to: string
  readonly stanza: BinaryNode
}

/** Faults of the network, set by a test and evaluated for every stanza. */
export interface NetworkFaults {
  /** Error code with which the server refuses the message. */
  refuse?: ((sent: SentStanza) => string | undefined) | undefined
  /** True: the stanza of a device is lost. */
  loseStanza?: ((stanza: BinaryNode) => boolean) | undefined
  /** True: the message is delivered and its ack is lost. */
  loseAck?: ((sent: SentStanza) => boolean) | undefined
  /** True: the message is acknowledged and lost. */
  loseMessage?: ((sent: SentStanza) => boolean) | undefined
  /** True: the next message of the customer overtakes this one. */
  holdMessage?: (() => boolean) | undefined
  /** True: pairing requires a passkey and links nothing. */
  requirePasskey?: boolean | undefined
  /** Error code for requests of a pairing code. */
  refuseCode?: string | undefined
  /** True: the server refuses logins with this protocol version as outdated. */
  refuseVersion?: ((version: string) => boolean) | undefined
  /** Code of `<failure>` for the next logins. */
  refuseLogin?: string | undefined
}

export interface NetworkEvents {
  conectou: [LinkedDevice]
  caiu: [LinkedDevice]
  saiu: [LinkedDevice]
  enviada: [SentStanza]
  recibo: [{ readonly aparelho: LinkedDevice; readonly stanza: BinaryNode }]
  ack: [{ readonly aparelho: LinkedDevice; readonly stanza: BinaryNode }]
  presenca: [{ readonly aparelho: LinkedDevice; readonly stanza: BinaryNode }]
  erro: [unknown]
}

export interface ReceivedMessage {
  readonly id: string
  readonly message: proto.Message
  readonly text: string
}
