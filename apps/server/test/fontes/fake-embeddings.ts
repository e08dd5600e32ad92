import { createServer } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import * as z from 'zod/mini'

/** Gemini's `batchEmbedContents`. Its vectors stand for what a model of languages knows: subjects and parts of words. */
const requestSchema = z.object({
  requests: z.array(
    z.object({
      model: z.string(),
      content: z.object({ parts: z.array(z.object({ text: z.string() })) }),
      taskType: z.enum(['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT']),
      outputDimensionality: z.int(),
    }),
  ),
})

export interface FakeEmbeddings {
  readonly url: string
  readonly texts: readonly string[]
  /** The next requests get this status. Null: they are answered. */
  readonly failWith: (status: number | null) => void
  readonly close: () => Promise<void>
}

export async function createFakeEmbeddings(apiKey: string): Promise<FakeEmbeddings> {
  const texts: string[] = []
  let failure: number | null = null
  const server = createServer((request, response) => {
    void readText(request).then((raw) => {
      const send = (status: number, body: unknown): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (failure !== null) return send(failure, { error: { code: failure, message: 'fake error' } })
      if (request.headers['x-goog-api-key'] !== apiKey) return send(400, { error: { message: 'API key not valid' } })
      if (request.url !== '/v1beta/models/gemini-embedding-001:batchEmbedContents') return send(404, {})
      const { requests } = requestSchema.parse(JSON.parse(raw))
      const asked = requests.map(({ content }) => content.parts.map((part) => part.text).join(' '))
      texts.push(...asked)
      const size = requests[0]?.outputDimensionality ?? 0
      return send(200, { embeddings: asked.map((one) => ({ values: vectorOf(one, size) })) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    texts,
    failWith: (status) => {
      failure = status
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Sums of the parts of three and four letters of each word, hashed to places of the vector. */
export function vectorOf(text: string, size: number): number[] {
  const vector = Array.from({ length: size }, () => 0)
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  for (const word of folded.match(/[a-z0-9]{3,}/g) ?? []) {
    const framed = `<${word}>`
    const parts = [3, 4].flatMap((length) =>
      Array.from({ length: Math.max(0, framed.length - length + 1) }, (_, at) => framed.slice(at, at + length)),
    )
    for (const part of parts) {
      const hash = hashOf(part)
      const place = hash % size
      vector[place] = (vector[place] ?? 0) + ((hash >>> 16) % 2 === 0 ? 1 : -1) / Math.sqrt(parts.length)
    }
  }
  const length = Math.hypot(...vector)
  return vector.map((one) => (length === 0 ? 0 : one / length))
}

function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619) >>> 0
  return (hash ^ (hash >>> 15)) >>> 0
}
