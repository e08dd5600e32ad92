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

export interface OficialJournal {
  /** Null when part of the settings is missing. */
  readonly findNumber: (line: LineKey) => Promise<OficialNumber | null>
  /** Readable entries not yet received by the bot, in order of arrival, without the ids in `skip`. */
  readonly listEntries: (line: LineKey, skip: readonly string[]) => Promise<readonly OficialJournalEntry[]>
  readonly completeEntry: (line: LineKey, ids: readonly string[]) => Promise<void>
  /** Calls `arrived` when any node stored an entry. Returns the function that unsubscribes. */
  readonly subscribe: (linhaId: string, arrived: () => void) => () => void
}

export interface OficialService {
  /**
   * Extracts the entries for this number from a webhook body, each with a stable id. Ignores other numbers and
   * unknown types. Returns an empty list for a body that is not a WhatsApp webhook.
   */
  readonly parseWebhook: (body: unknown, telefoneId: string) => readonly JournalEntry[]
  /** Approved templates that we can send; empty without a number. Null when Meta does not answer. */
  readonly listModelos: (line: LineKey) => Promise<readonly ModeloOficial[] | null>
}
