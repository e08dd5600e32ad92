/** Vectors of texts by the provider of the account. Never throws: null without a key, an answer or in a pause. */
export interface Embeddings {
  /** Names the space of the vectors. Vectors of other models cannot be compared. */
  readonly modelo: string
  /** Returns a vector for each text, in order. `pergunta`: the texts are questions, else pieces of sources. */
  readonly embed: (
    apiKey: string,
    texts: readonly string[],
    kind: 'pergunta' | 'trecho',
    signal?: AbortSignal,
  ) => Promise<readonly (readonly number[])[] | null>
}
