import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { Chegada } from './messaging.ts'

export interface NumeroOficial {
  readonly telefoneId: string
  readonly contaWhatsappId: string
  readonly token: string
}

export interface ChegadaOficial extends Chegada {
  readonly chegouEm: Date
}

export interface DiarioOficial {
  /** Null when part of the settings is missing. */
  readonly numero: (contaId: string) => Promise<NumeroOficial | null>
  /** Entries not yet received by the bot, in order of arrival, without the ids in `pular`. */
  readonly chegadas: (contaId: string, pular: readonly string[]) => Promise<readonly ChegadaOficial[]>
  readonly concluir: (contaId: string, ids: readonly string[]) => Promise<void>
  /** Calls `chegou` when any node stored an entry. Returns the function that unsubscribes. */
  readonly ouvir: (contaId: string, chegou: () => void) => () => void
}

export interface ServicoOficial {
  /**
   * Extracts the entries for this number from a webhook body, each with a stable id. Ignores other numbers and
   * unknown types. Returns an empty list for a body that is not a WhatsApp webhook.
   */
  readonly lerAviso: (corpo: unknown, telefoneId: string) => readonly Chegada[]
  /** Approved templates that we can send; empty without a number. Null when Meta does not answer. */
  readonly modelos: (contaId: string) => Promise<readonly ModeloOficial[] | null>
}
