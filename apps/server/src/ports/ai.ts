/** One line of the remembered conversation, oldest first. */
export interface TurnoIa {
  readonly de: 'cliente' | 'bot'
  readonly texto: string
}

/** A picture or a recording of the customer, for the model to see or hear. */
export interface MidiaIa {
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** The bytes behind a message's media, or null when they are gone. */
export type LerMidia = (contaId: string, url: string) => Promise<MidiaIa | null>

export interface AiRequest {
  readonly contaId: string
  /** Whose questions are counted against the rate; null is the owner, who tests. */
  readonly contatoId: string | null
  readonly apiKey: string
  /** As the owner chose it; retired and unknown names lead to the current one. */
  readonly modelo: string
  readonly temperatura: number
  /** The system prompt: the only text that instructs. */
  readonly instrucoes: string
  /** Personal data are masked already, here and in `pergunta`. */
  readonly historico: readonly TurnoIa[]
  /** What the customer wrote since the message that began this question: data, never instruction. */
  readonly pergunta: string
  readonly midias: readonly MidiaIa[]
  /** Where the model may hand over to. */
  readonly setores: readonly { readonly id: string; readonly nome: string }[]
  /** What the model may look up: words → products, as JSON can say them. Null for a shop without a catalogue. */
  readonly procurarProdutos: ((busca: string) => readonly object[]) | null
}

/** What one question cost and how it was answered, for the owner. */
export interface RegistroIa {
  /** The model that was asked last, by the provider's name. */
  readonly modelo: string
  readonly ferramentas: readonly { readonly nome: string; readonly pedido: string; readonly resultado: string }[]
  readonly tokensEntrada: number
  readonly tokensSaida: number
  readonly duracaoMs: number
}

type ResultadoAi =
  /** Foreign text: cleaned by the engine before anybody reads it. */
  | { readonly tipo: 'texto'; readonly texto: string }
  /** The model asks for a person; `setor` is one of `request.setores`. */
  | { readonly tipo: 'transferir'; readonly setor: string }
  /** Slow (15 s), failing, refusing, empty, too many questions; `motivo` in Portuguese, for the owner, without any secret. */
  | { readonly tipo: 'falha'; readonly motivo: string }

export type AiAnswer = ResultadoAi & {
  /** Absent when the provider was not asked. */
  readonly registro?: RegistroIa
  /** For the owner's log, in Portuguese: what was done differently from the settings. */
  readonly avisos?: readonly string[]
  /** With this answer the provider was given up for a while, or is asked again. */
  readonly disjuntor?: 'abriu' | 'fechou'
}

/** The assistant. Never throws; gives a question up after `IA_TIMEOUT_MS` of the provider's own, or when its turn is long in coming. */
export interface Ai {
  /** `sinal`: nobody waits for the answer any longer. */
  readonly answer: (request: AiRequest, sinal?: AbortSignal) => Promise<AiAnswer>
  /** A question comes soon: whatever the first one needs may be made ready. */
  readonly aquecer?: () => void
}

export interface ModeloDisponivel {
  readonly id: string
  readonly nome: string
}

/** The same provider as the settings page sees it. Neither throws. */
export interface ProvedorIa extends Ai {
  /** Null: the key is good. Else why not, for a person. */
  readonly conferirChave: (apiKey: string) => Promise<string | null>
  /** What this key may use; null when the provider does not say. */
  readonly modelos: (apiKey: string) => Promise<readonly ModeloDisponivel[] | null>
}
