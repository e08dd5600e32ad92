import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { JournalEntry } from '@balcao/connector/port'
import type { LineKey } from './bots.ts'

export interface OficialNumber {
  readonly telefoneId: string
  readonly contaWhatsappId: string
  readonly token: string
}

export interface OficialJournalEntry extends JournalEntry {
  readonly arrivedAt: Date
}

/** Meta refuses the messages of a line that has no means of payment. */
export interface OficialPayments {
  /** Null: it does not. */
  readonly readUnpaidSince: (line: LineKey) => Promise<Date | null>
  readonly setUnpaidSince: (line: LineKey, since: Date | null) => Promise<void>
  /** True for a message of the bot or the AI, false for one of a person. */
  readonly isAutomatic: (line: LineKey, mensagemId: string) => Promise<boolean>
}

/** Not all numbers may send an order with its items. Meta has no request that says which. */
export interface OficialOrders {
  /** The last refusal of a line. Null: none. */
  readonly readRefusedAt: (line: LineKey) => Promise<Date | null>
  readonly setRefusedAt: (line: LineKey, at: Date) => Promise<void>
}

export interface OficialJournal {
  /** Null when part of the settings is missing. */
  readonly findNumber: (line: LineKey) => Promise<OficialNumber | null>
  /** Readable entries not yet received by the bot, in order of arrival, without the ids in `skip`. */
  readonly listEntries: (line: LineKey, skip: readonly string[]) => Promise<readonly OficialJournalEntry[]>
  readonly completeEntry: (line: LineKey, ids: readonly string[]) => Promise<void>
  /** Calls `arrived` when any node stored an entry. Returns the function that unsubscribes. */
  readonly subscribe: (linhaId: string, arrived: () => void) => () => void
}

/** The price of a message, as one of its statuses has it. Meta repeats it in further statuses. */
export interface OficialPrice {
  readonly wamid: string
  /** Null: another program sent the message for the same number. */
  readonly mensagemId: string | null
  /** Digits of the customer's number, or Meta's id of the customer. Empty: unknown. */
  readonly recipient: string
  /** By Meta's clock. Null: unknown. */
  readonly at: Date | null
  readonly billable: boolean | undefined
  readonly type: string | undefined
  /** In lower case, with `_` between words. */
  readonly category: string
  readonly conversationOrigin: string | undefined
}

export interface OficialService {
  /**
   * Extracts the entries for this number from a webhook body, each with a stable id. Ignores other numbers and
   * unknown types. Returns an empty list for a body that is not a WhatsApp webhook.
   */
  readonly parseWebhook: (body: unknown, telefoneId: string) => readonly JournalEntry[]
  /** The prices in the statuses for this number, in their order. */
  readonly parsePrices: (body: unknown, telefoneId: string) => readonly OficialPrice[]
  /** Approved templates that we can send; empty without a number. Null when Meta does not answer. */
  readonly listModelos: (line: LineKey) => Promise<readonly ModeloOficial[] | null>
}
