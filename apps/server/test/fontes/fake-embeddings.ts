import { createServer, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import * as z from 'zod/mini'

/**
 * Gemini's `batchEmbedContents` and OpenAI's `/v1/embeddings`. Their vectors stand for what a model of languages knows:
 * subjects and parts of words.
 */
const geminiSchema = z.object({
  requests: z.array(
    z.object({
      model: z.string(),
      content: z.object({ parts: z.array(z.object({ text: z.string() })) }),
      taskType: z.enum(['RETRIEVAL_QUERY', 'RETRIEVAL_DOCUMENT']),
      outputDimensionality: z.int(),
    }),
  ),
})

const openaiSchema = z.object({
  ...{ model: z.literal('text-embedding-3-small'), input: z.array(z.string()), dimensions: z.int() },
  encoding_format: z.literal('float'),
})

interface Reply {
  readonly status: number
  readonly body: unknown
}

const REFUSED: Reply = { status: 401, body: { error: { message: 'API key not valid' } } }

export interface FakeEmbeddings {
  readonly url: string
  /** Texts that OpenAI got. */
  readonly openai: readonly string[]
  /** The next requests get this status. Null: they are answered. */
  readonly failWith: (status: number | null) => void
  /** The next request waits for `release`. */
  readonly holdNext: () => { readonly arrived: Promise<void>; readonly release: () => void }
  readonly close: () => Promise<void>
}

export async function createFakeEmbeddings(keys: { gemini: string; openai: string }): Promise<FakeEmbeddings> {
  const openai: string[] = []
  let failure: number | null = null
  let held: { readonly arrive: () => void; readonly released: Promise<void> } | null = null
  const wait = async (): Promise<void> => {
    const here = held
    held = null
    here?.arrive()
    await here?.released
  }
  const answer = ({ url = '', headers }: IncomingMessage, raw: string): Reply => {
    if (failure !== null) return { status: failure, body: { error: { code: failure, message: 'fake error' } } }
    switch (url) {
      case '/v1beta/models/gemini-embedding-001:batchEmbedContents': {
        if (headers['x-goog-api-key'] !== keys.gemini) return REFUSED
        const { requests } = geminiSchema.parse(JSON.parse(raw))
        const size = requests[0]?.outputDimensionality ?? 0
        const texts = requests.map(({ content }) => content.parts.map((part) => part.text).join(' '))
        return { status: 200, body: { embeddings: texts.map((one) => ({ values: vectorOf(one, size) })) } }
      }
      case '/v1/embeddings': {
        if (headers.authorization !== `Bearer ${keys.openai}`) return REFUSED
        const { input, dimensions } = openaiSchema.parse(JSON.parse(raw))
        openai.push(...input)
        const data = input.map((one, index) => ({ index, embedding: vectorOf(one, dimensions) }))
        // Their order is not promised.
        return { status: 200, body: { data: data.toReversed() } }
      }
      default:
        return { status: 404, body: {} }
    }
  }
  const server = createServer((request, response) => {
    void readText(request).then(async (raw) => {
      await wait()
      const { status, body } = answer(request, raw)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    openai,
    failWith: (status) => {
      failure = status
    },
    holdNext: () => {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      held = { arrive, released }
      return { arrived, release }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Words of one meaning, as a model of languages relates them. */
const MEANINGS = [
  'atrasado atrasar demora passar confirmacao minutos hora nada',
  'faltou faltando faltar esqueceram sem veio item',
  'emergencia urgencia madrugada noite plantao hospital mal',
  'adotar adocao animal ong feira',
  'happy hour dobro chope chopp',
  'emprego vaga curriculo contratando trabalhe',
  'estragado mofado vencido errado troca trocamos reclamacao',
  'aberto abre abrimos funcionamento horario fecha',
  'parar carro moto bicicleta estacionar estacionamento vagas garagem',
  'comprovante recibo nota fiscal cnpj',
  'documento rg cpf identidade comprovante',
  'aceita aceitam pagar pagamento cartao pix dinheiro vale',
  'gratis cortesia brinde ganho ganha graca',
  'barato desconto oferta ofertas promocao',
  'reserva reservar lugar mesa guardar',
  'bebe crianca criancas infantil kids filho',
  'cadeira rodas cadeirante rampa idoso',
  'congelar esquentar aquecer microondas forno dura',
  'devolver dinheiro estorno reembolso troca trocamos',
  'fatias pedacos tamanho serve pessoas porcao',
  'franquia unidade investimento franqueado',
  'perdi esqueci achados perdidos objetos',
  'endereco rua avenida onde perto frente',
  'frete taxa entrega entregar delivery motoboy',
  'viajar viagem hospedagem hospedam hotel diaria',
].map((words) => new Set(words.split(' ')))

function meaningsOf(word: string): string[] {
  return MEANINGS.flatMap((words, index) => (words.has(word) ? [`meaning ${index}`] : []))
}

/** Sums of the parts of three and four letters of each word, and of its meanings, hashed to places of the vector. */
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
    for (const part of [...parts, ...meaningsOf(word), ...meaningsOf(word)]) {
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
