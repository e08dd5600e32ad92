/** Providers that turn texts into vectors. */
export type EmbeddingProvider = 'gemini' | 'openai'

export interface EmbeddingAccess {
  readonly provedor: EmbeddingProvider
  readonly apiKey: string
}

/** Vectors of other spaces cannot be compared. */
export interface VectorSpace {
  readonly modelo: string
  /** Numbers of a vector. Each model has its own count, which shows the model of a stored vector. */
  readonly numbers: number
}

/** Vectors of texts by the provider of the account. Never throws: null without an answer or in a pause. */
export interface Embeddings {
  readonly spaceOf: (provedor: EmbeddingProvider) => VectorSpace
  /** Returns a vector for each text, in order. `pergunta`: the texts are questions, else pieces of sources. */
  readonly embed: (
    access: EmbeddingAccess,
    texts: readonly string[],
    kind: 'pergunta' | 'trecho',
    signal?: AbortSignal,
  ) => Promise<readonly (readonly number[])[] | null>
}
