import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'

export type GeminiBehaviour =
  | { readonly tipo: 'texto'; readonly texto: string; readonly entrada?: number; readonly saida?: number }
  | { readonly tipo: 'ferramentas'; readonly chamadas: readonly { readonly nome: string; readonly args: object }[] }
  | { readonly tipo: 'erro'; readonly status: number; readonly codigo?: string; readonly mensagem?: string }
  | { readonly tipo: 'recusa' | 'bloqueio' | 'vazia' | 'lixo' | 'enorme' | 'desvio' | 'corta' }
  /** Never completes: no byte, or one byte at a time. */
  | { readonly tipo: 'nunca' | 'gotas' }

const partSchema = z.looseObject({
  text: z.optional(z.string()),
  inlineData: z.optional(z.object({ mimeType: z.string(), data: z.string() })),
  functionCall: z.optional(z.looseObject({ name: z.string(), args: z.unknown() })),
  functionResponse: z.optional(z.looseObject({ name: z.string(), response: z.unknown() })),
})
const bodySchema = z.looseObject({
  systemInstruction: z.optional(z.object({ parts: z.array(partSchema) })),
  contents: z.array(z.object({ role: z.string(), parts: z.array(partSchema) })),
  generationConfig: z.optional(z.looseObject({ temperature: z.optional(z.number()) })),
  tools: z.optional(z.unknown()),
})

export interface GeminiRequest {
  readonly modelo: string
  readonly chave: string
  readonly body: z.output<typeof bodySchema>
  readonly rawBody: string
  readonly pergunta: string
}

export type GeminiScript = (request: GeminiRequest) => GeminiBehaviour | Promise<GeminiBehaviour>

export interface FakeGemini {
  readonly url: string
  readonly requests: readonly GeminiRequest[]
  /** Keys of the requests for the list of models. */
  readonly modelListKeys: readonly string[]
  readonly abortedCount: () => number
  /** Sets the next answers, one each. Then `sempre` applies, or an echo of the question. */
  readonly answerNext: (...comportamentos: readonly GeminiBehaviour[]) => void
  readonly answerAlways: (papel: GeminiScript) => void
  readonly reset: () => void
  readonly close: () => Promise<void>
}

export const VALID_KEY = 'AIzaChaveDeTesteQueNaoAbreNada0001'
const MODELS = ['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-flash-latest', 'gemini-2.5-flash-preview-tts', 'aqa']

export async function createFakeGemini(): Promise<FakeGemini> {
  const pedidos: GeminiRequest[] = []
  const listagens: string[] = []
  let desistidas = 0
  let queue: GeminiBehaviour[] = []
  let papel: GeminiScript = ({ pergunta }) => ({ tipo: 'texto', texto: `ECO ${pergunta}` })

  const generate = async (req: IncomingMessage, res: ServerResponse, modelo: string, chave: string): Promise<void> => {
    const raw = await text(req)
    const corpo = bodySchema.parse(JSON.parse(raw))
    const last = corpo.contents.at(-1)?.parts ?? []
    const pergunta = last.map((part) => part.text ?? '').join('')
    const request: GeminiRequest = { modelo, chave, body: corpo, rawBody: raw, pergunta }
    pedidos.push(request)
    if (!MODELS.includes(modelo))
      return sendError(res, 404, 'NOT_FOUND', `models/${modelo} is not found for API version v1beta`)
    perform(res, queue.shift() ?? (await papel(request)))
  }

  const server = createServer((req, res) => {
    res.on('close', () => {
      if (!res.writableEnded) desistidas += 1
    })
    const key = String(req.headers['x-goog-api-key'] ?? '')
    const { pathname } = new URL(req.url ?? '/', 'http://gemini.test')
    if (pathname === '/v1beta/models') listagens.push(key)
    if (key !== VALID_KEY) return sendError(res, 400, 'INVALID_ARGUMENT', `API key not valid: ${key}`)
    if (pathname === '/v1beta/models') return json(res, 200, modelList())
    const [, modelo] = /^\/v1beta\/models\/([^/:]+):generateContent$/.exec(pathname) ?? []
    if (modelo === undefined) return sendError(res, 404, 'NOT_FOUND', 'no such method')
    generate(req, res, modelo, key).catch((motivo: unknown) => sendError(res, 400, 'INVALID_ARGUMENT', String(motivo)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endereco = server.address()
  return {
    url: `http://127.0.0.1:${typeof endereco === 'object' ? (endereco?.port ?? 0) : 0}`,
    requests: pedidos,
    modelListKeys: listagens,
    abortedCount: () => desistidas,
    answerNext: (...comportamentos) => void queue.push(...comportamentos),
    answerAlways: (other) => {
      papel = other
    },
    reset: () => {
      queue = []
      pedidos.length = 0
      listagens.length = 0
      desistidas = 0
      papel = ({ pergunta }) => ({ tipo: 'texto', texto: `ECO ${pergunta}` })
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function perform(res: ServerResponse, behaviour: GeminiBehaviour): void {
  switch (behaviour.tipo) {
    case 'texto': {
      const { texto, entrada = 100, saida = 10 } = behaviour
      return json(res, 200, candidate([{ text: texto }], 'STOP', { entrada, saida }))
    }
    case 'ferramentas':
      return json(
        res,
        200,
        candidate(
          behaviour.chamadas.map(({ nome, args }) => ({ functionCall: { name: nome, args } })),
          'STOP',
        ),
      )
    case 'erro': {
      const { status, codigo = 'INTERNAL', mensagem = 'fake error' } = behaviour
      return sendError(res, status, codigo, mensagem)
    }
    case 'recusa':
      return json(res, 200, candidate([], 'SAFETY'))
    case 'bloqueio':
      return json(res, 200, { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 100 } })
    case 'vazia':
      return json(res, 200, candidate([{ text: ' \n' }], 'STOP'))
    case 'lixo':
      return void res.writeHead(200, { 'content-type': 'application/json' }).end('<html>gateway</html>')
    case 'enorme':
      return json(res, 200, candidate([{ text: 'x'.repeat(2_000_000) }], 'STOP'))
    case 'desvio':
      return void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    case 'corta':
      return void res.destroy()
    case 'nunca':
      return
    case 'gotas': {
      res.writeHead(200, { 'content-type': 'application/json' })
      const gota = setInterval(() => res.write(' '), 5)
      return void res.on('close', () => clearInterval(gota))
    }
    default:
      behaviour satisfies never
  }
}

function candidate(parts: readonly object[], finishReason: string, { entrada = 100, saida = 10 } = {}): object {
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }],
    usageMetadata: { promptTokenCount: entrada, candidatesTokenCount: saida, totalTokenCount: entrada + saida },
    modelVersion: 'fake',
  }
}

function modelList(): object {
  return {
    models: MODELS.map((id) => ({
      name: `models/${id}`,
      displayName: id.replaceAll('-', ' '),
      supportedGenerationMethods: id === 'aqa' ? ['generateAnswer'] : ['generateContent', 'countTokens'],
    })),
  }
}

function sendError(res: ServerResponse, code: number, status: string, message: string): void {
  json(res, code, { error: { code, status, message } })
}

function json(res: ServerResponse, status: number, corpo: object): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(corpo))
}
