import type { InboundMessage, OutboundMessage, Receipt } from '@balcao/connector/port'
import type { LineKey } from '#ports/bots.ts'

/** The chat of one line with one visitor, on whichever node the visitor is connected. */
export interface ChatRef extends LineKey {
  /** Address of the visitor. All devices with one proved identity share it. */
  readonly endereco: string
}

/** Where the connector of the chat leaves the messages of the shop. */
export interface ChatOutbox {
  /**
   * Resolves when the visitor can read the message. A repeated `idExterno` changes nothing. False: the message was
   * deleted.
   */
  readonly deliver: (chat: ChatRef, message: Pick<OutboundMessage, 'idExterno'>) => Promise<boolean>
  /** Never blocks; nothing is stored. */
  readonly typing: (chat: ChatRef) => void
}

/** An open stream of events. */
export interface ChatReader {
  /** Messages or states were stored. */
  readonly wake: () => void
  readonly typing: () => void
  /** The visitor was erased. */
  readonly end: () => void
}

/** The open streams of this node, and the notices for those of all nodes. */
export interface ChatFeed extends ChatOutbox {
  readonly stored: (chat: ChatRef) => void
  readonly ended: (chat: ChatRef) => void
  /** Returns the function that unsubscribes. */
  readonly subscribe: (chat: ChatRef, reader: ChatReader) => () => void
}

/** The way from a visitor to the bot, on any node. */
export interface ChatInbox {
  /** Resolves when the message is stored. A repeated id changes nothing. */
  readonly receive: (line: LineKey, channel: string, message: InboundMessage) => Promise<void>
  readonly receipt: (contaId: string, mensagemId: string, receipt: Receipt) => void
  readonly customerTyping: (line: LineKey, endereco: string) => void
}
