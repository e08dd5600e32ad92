import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { JournalEntry } from '@balcao/connector/port'

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
  readonly findNumber: (contaId: string) => Promise<OficialNumber | null>
  /** Readable entries not yet received by the bot, in order of arrival, without the ids in `skip`. */
  readonly listEntries: (contaId: string, skip: readonly string[]) => Promise<readonly OficialJournalEntry[]>
  readonly completeEntry: (contaId: string, ids: readonly string[]) => Promise<void>
  /** Calls `arrived` when any node stored an entry. Returns the function that unsubscribes. */
  readonly subscribe: (contaId: string, arrived: () => void) => () => void
}

export interface OficialService {
  /**
   * Extracts the entries for this number from a webhook body, each with a stable id. Ignores other numbers and
   * unknown types. Returns an empty list for a body that is not a WhatsApp webhook.
   */
  readonly parseWebhook: (body: unknown, telefoneId: string) => readonly JournalEntry[]
  /** Approved templates that we can send; empty without a number. Null when Meta does not answer. */
  readonly listModelos: (contaId: string) => Promise<readonly ModeloOficial[] | null>
}
