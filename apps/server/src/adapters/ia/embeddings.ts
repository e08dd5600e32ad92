import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { createOutbound } from '#adapters/outbound/outbound.ts'
import type { Embeddings } from '#ports/fontes/embeddings.ts'

const GEMINI_URL = 'https://generativelanguage.googleapis.com'
const MODELO = 'gemini-embedding-001'
/** The model puts the most important numbers first, so a short vector loses little. */
const NUMBERS = 256
/** Texts of one request. */
const BATCH = 100
const RESPONSE_MAX_BYTES = 16_777_216
/** A customer waits for the question. Words alone decide after it. */
const QUESTION_MS = 1_500
const PIECES_MS = 20_000
/** After a failed question this key is not asked, so that a silent provider delays one answer and not all. */
const PAUSE_MS = 30_000
const KEYS_MAX = 5_000

const answerSchema = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()).check(z.minLength(1)) })) })

export interface EmbeddingsOptions {
  /** Without `/v1beta`. Comes only from the environment, as for the questions. */
  readonly baseUrl?: string | undefined
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
}

export function createGeminiEmbeddings({ baseUrl: given, log }: EmbeddingsOptions): Embeddings {
  const baseUrl = (given ?? GEMINI_URL).replace(/\/+$/, '')
  const origins = given === undefined ? { fixedOrigins: [baseUrl] } : { fixedOrigins: [], envOrigins: [baseUrl] }
  const outbound = createOutbound({ ...origins, maxBytes: RESPONSE_MAX_BYTES, timeoutMs: PIECES_MS })
  const paused = new LRUCache<string, true>({ max: KEYS_MAX, ttl: PAUSE_MS })
  const url = `${baseUrl}/v1beta/models/${MODELO}:batchEmbedContents`

  const ask = async (apiKey: string, texts: readonly string[], taskType: string, signal: AbortSignal) => {
    const requests = texts.map((text) => ({
      ...{ model: `models/${MODELO}`, content: { parts: [{ text }] } },
      ...{ taskType, outputDimensionality: NUMBERS },
    }))
    const headers = { 'x-goog-api-key': apiKey, 'content-type': 'application/json' }
    const reply = await outbound(url, { method: 'POST', headers, body: JSON.stringify({ requests }), signal })
    const body = await reply.text()
    if (!reply.ok) throw new Error(`embeddings refused: ${reply.status}`)
    const { embeddings } = answerSchema.parse(JSON.parse(body))
    if (embeddings.length !== texts.length) throw new Error('embeddings missing in the answer')
    return embeddings.map(({ values }) => values)
  }

  const askAll = async (apiKey: string, texts: readonly string[], isQuestion: boolean, signal?: AbortSignal) => {
    const found: (readonly number[])[] = []
    const taskType = isQuestion ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
    for (let from = 0; from < texts.length; from += BATCH) {
      const deadline = AbortSignal.timeout(isQuestion ? QUESTION_MS : PIECES_MS)
      const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      found.push(...(await ask(apiKey, texts.slice(from, from + BATCH), taskType, until)))
    }
    return found
  }

  return {
    modelo: MODELO,
    embed: async (apiKey, texts, kind, signal) => {
      const isQuestion = kind === 'pergunta'
      const key = createHash('sha256').update(apiKey).digest('base64url')
      if (apiKey === '' || (isQuestion && paused.has(key))) return null
      try {
        return await askAll(apiKey, texts, isQuestion, signal)
      } catch (error) {
        if (signal?.aborted === true) return null
        if (isQuestion) paused.set(key, true)
        log.warn({ motivo: error instanceof Error ? error.message.slice(0, 200) : '' }, 'embeddings not received')
        return null
      }
    },
  }
}
