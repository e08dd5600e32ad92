import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { EmbeddingAccess, EmbeddingProvider, Embeddings, VectorSpace } from '#ports/fontes/embeddings.ts'
import { type AddressOptions, createAddresses } from './addresses.ts'

/** Texts of one request. */
const BATCH = 100
/** A customer waits for the question. Words alone decide after it. */
const QUESTION_MS = 1_500
const PIECES_MS = 20_000
/** After a failed question this key is not asked, so that a silent provider delays one answer and not all. */
const PAUSE_MS = 30_000
const KEYS_MAX = 5_000

interface Asked {
  readonly texts: readonly string[]
  readonly isQuestion: boolean
}

interface Vendor extends VectorSpace {
  readonly path: string
  readonly headers: (apiKey: string) => Readonly<Record<string, string>>
  readonly body: (asked: Asked) => unknown
  /** Throws for an answer of another shape. */
  readonly vectorsIn: (answer: unknown) => readonly (readonly number[])[]
}

const vectorSchema = z.array(z.number()).check(z.minLength(1))
const geminiSchema = z.object({ embeddings: z.array(z.object({ values: vectorSchema })) })
const openaiSchema = z.object({ data: z.array(z.object({ index: z.int(), embedding: vectorSchema })) })

/** Both models put the most important numbers first, so a short vector loses little. */
const GEMINI: VectorSpace = { modelo: 'gemini-embedding-001', numbers: 256 }
const OPENAI: VectorSpace = { modelo: 'text-embedding-3-small', numbers: 320 }

const VENDORS: Readonly<Record<EmbeddingProvider, Vendor>> = {
  // https://ai.google.dev/api/embeddings#method:-models.batchembedcontents
  gemini: {
    ...GEMINI,
    path: `/v1beta/models/${GEMINI.modelo}:batchEmbedContents`,
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    body: ({ texts, isQuestion }) => ({
      requests: texts.map((text) => ({
        ...{ model: `models/${GEMINI.modelo}`, content: { parts: [{ text }] } },
        ...{ taskType: isQuestion ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT', outputDimensionality: GEMINI.numbers },
      })),
    }),
    vectorsIn: (answer) => geminiSchema.parse(answer).embeddings.map(({ values }) => values),
  },
  // https://platform.openai.com/docs/api-reference/embeddings/create
  openai: {
    ...OPENAI,
    path: '/v1/embeddings',
    headers: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    body: ({ texts }) => ({
      ...{ model: OPENAI.modelo, input: texts, dimensions: OPENAI.numbers, encoding_format: 'float' },
    }),
    vectorsIn: (answer) =>
      openaiSchema
        .parse(answer)
        .data.toSorted((a, b) => a.index - b.index)
        .map(({ embedding }) => embedding),
  },
}

export interface EmbeddingsOptions extends Pick<AddressOptions, 'urls'> {
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
}

export function createEmbeddings({ urls, log }: EmbeddingsOptions): Embeddings {
  const addressOf = createAddresses({ urls })
  const paused = new LRUCache<string, true>({ max: KEYS_MAX, ttl: PAUSE_MS })

  const ask = async ({ provedor, apiKey }: EmbeddingAccess, asked: Asked, signal: AbortSignal) => {
    const { path, headers, body, vectorsIn, numbers } = VENDORS[provedor]
    const { baseUrl, outbound } = await addressOf({ provedor, apiKey, urlBase: '' })
    const reply = await outbound(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { ...headers(apiKey), 'content-type': 'application/json' },
      body: JSON.stringify(body(asked)),
      signal,
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`embeddings refused: ${reply.status}`)
    const vectors = vectorsIn(JSON.parse(text))
    if (vectors.length !== asked.texts.length || vectors.some(({ length }) => length !== numbers))
      throw new Error('embeddings missing in the answer')
    return vectors
  }

  const askAll = async (access: EmbeddingAccess, { texts, isQuestion }: Asked, signal?: AbortSignal) => {
    const found: (readonly number[])[] = []
    for (let from = 0; from < texts.length; from += BATCH) {
      const deadline = AbortSignal.timeout(isQuestion ? QUESTION_MS : PIECES_MS)
      const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      found.push(...(await ask(access, { texts: texts.slice(from, from + BATCH), isQuestion }, until)))
    }
    return found
  }

  return {
    spaceOf: (provedor) => VENDORS[provedor],
    embed: async (access, texts, kind, signal) => {
      const isQuestion = kind === 'pergunta'
      const key = createHash('sha256').update(access.apiKey).digest('base64url')
      if (isQuestion && paused.has(key)) return null
      try {
        return await askAll(access, { texts, isQuestion }, signal)
      } catch (error) {
        if (signal?.aborted === true) return null
        if (isQuestion) paused.set(key, true)
        log.warn({ motivo: error instanceof Error ? error.message.slice(0, 200) : '' }, 'embeddings not received')
        return null
      }
    },
  }
}
