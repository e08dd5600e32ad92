import type { ModeloOficial } from '@balcao/contract/entities/oficial'
import type { Chegada } from './messaging.ts'

/** An account's number at Meta. */
export interface NumeroOficial {
  readonly telefoneId: string
  readonly contaWhatsappId: string
  readonly token: string
}

/** A piece of news in the journal. */
export interface ChegadaOficial extends Chegada {
  readonly chegouEm: Date
}

/** What an account has of the Cloud API: its number, and the journal of what its webhook brought. */
export interface DiarioOficial {
  /** Null while something of it is missing. */
  readonly numero: (contaId: string) => Promise<NumeroOficial | null>
  /** What the bot has not received yet, in the order of arrival; `pular` leaves these out. */
  readonly chegadas: (contaId: string, pular: readonly string[]) => Promise<readonly ChegadaOficial[]>
  readonly concluir: (contaId: string, ids: readonly string[]) => Promise<void>
  /** Something arrived, at whichever node. Gives back how to stop listening. */
  readonly ouvir: (contaId: string, chegou: () => void) => () => void
}

/** Meta's side of it, for those who do not send. */
export interface ServicoOficial {
  /**
   * What the body of a webhook says of this number, each with an id of its own for good. Other numbers of the same app and
   * kinds of news we do not know are left out; what is no webhook of WhatsApp has nothing.
   */
  readonly lerAviso: (corpo: unknown, telefoneId: string) => readonly Chegada[]
  /** The approved messages that we are able to send; none without a number. Null when Meta does not say. */
  readonly modelos: (contaId: string) => Promise<readonly ModeloOficial[] | null>
}
