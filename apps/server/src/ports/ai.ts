import type { Trecho } from '@balcao/contract/entities/fonte'
import type { ProvedorIa } from '@balcao/contract/presets/provedores-ia'

/** One line of the conversation history, oldest first. */
export interface AiHistoryLine {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

export interface AiMidia {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** Returns the bytes of a message's media, or null when the file was deleted. */
export type ReadMidia = (contaId: string, url: string) => Promise<AiMidia | null>

/** The provider of a question and the key for it. */
export interface AiAccess {
  readonly provedor: ProvedorIa
  /** Address of a `compativel` provider, empty for the others. */
  readonly urlBase: string
  readonly apiKey: string
}

export interface AiRequest extends AiAccess {
  readonly contaId: string
  /** The rate limit counts per contato. Null is the owner's test. */
  readonly contatoId: string | null
  /** As chosen by the owner. Retired and unknown names are replaced by the current model. */
  readonly modelo: string
  readonly temperatura: number
  /** System prompt. No other text may contain instructions. */
  readonly instrucoes: string
  /** Personal data is already masked, here and in `pergunta`. */
  readonly historico: readonly AiHistoryLine[]
  /** Text of the customer since the question began. Treated as data, never as instructions. */
  readonly pergunta: string
  readonly midias: readonly AiMidia[]
  /**
   * Reads the files of the question and returns the request with them. The adapter calls it when the question has its
   * slot, so that waiting questions hold no files in memory. Absent: the question has no files.
   */
  readonly withFiles?: () => Promise<AiRequest>
  readonly setores: readonly { readonly id: string; readonly nome: string }[]
  /** Searches the catalogue; the results must be valid JSON. Null without a catalogue. */
  readonly procurarProdutos: ((search: string) => readonly object[]) | null
  /** Pieces of the shop's sources that were found for the question. */
  readonly trechos: readonly Trecho[]
}

export interface AiCallRecord {
  readonly modelo: string
  readonly ferramentas: readonly { readonly nome: string; readonly pedido: string; readonly resultado: string }[]
  readonly tokensEntrada: number
  readonly tokensSaida: number
  readonly duracaoMs: number
}

type AiResult =
  /** Untrusted text, cleaned by the engine before use. */
  | { readonly tipo: 'texto'; readonly texto: string }
  /** The model asks for a person. `setor` is one of `request.setores`. */
  | { readonly tipo: 'transferir'; readonly setor: string }
  /**
   * Timeout (15 s), error, refusal, empty answer or rate limit. `motivo` is Portuguese, for the owner, and contains
   * no secret.
   */
  | { readonly tipo: 'falha'; readonly motivo: string }

export type AiAnswer = AiResult & {
  /** Absent when the provider was not asked. */
  readonly registro?: AiCallRecord
  /** Portuguese lines for the owner's log: differences from the settings. */
  readonly avisos?: readonly string[]
  /** This answer opened or closed the circuit breaker. */
  readonly disjuntor?: 'abriu' | 'fechou'
}

/**
 * AI assistant. Never throws. Gives up after `IA_TIMEOUT_MS` at the provider, or when the question waits too long
 * for its turn.
 */
export interface Ai {
  readonly answer: (request: AiRequest, signal?: AbortSignal) => Promise<AiAnswer>
  /** Loads what the provider needs before the first question. */
  readonly warmUp?: (provedor: ProvedorIa) => void
}

export interface AvailableModel {
  readonly id: string
  readonly nome: string
}

export interface TranscriptionRequest {
  readonly contaId: string
  readonly provedor: ProvedorIa
  readonly apiKey: string
  /** As chosen by the owner. A model that reads no audio is replaced by one of the same provider. */
  readonly modelo: string
  readonly audio: AiMidia
}

export type Transcription = (
  | /** Untrusted text: what is said in the audio. */ { readonly tipo: 'texto'; readonly texto: string }
  | /** `motivo` as in `AiAnswer`. */ { readonly tipo: 'falha'; readonly motivo: string }
) & {
  /** Absent when the provider was not asked. */
  readonly registro?: AiCallRecord
}

/** AI provider with transcripts and the settings page. No method throws. */
export interface AiProvider extends Ai {
  /** Writes down an audio of at most 10 MB. Gives up after 45 s. */
  readonly transcribe: (request: TranscriptionRequest, signal?: AbortSignal) => Promise<Transcription>
  /** Returns null for a valid key, otherwise the reason in Portuguese. */
  readonly checkKey: (access: AiAccess) => Promise<string | null>
  /** Models that this key may use. Null when the provider does not answer. */
  readonly listModels: (access: AiAccess) => Promise<readonly AvailableModel[] | null>
}
