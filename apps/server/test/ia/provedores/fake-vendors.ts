import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** Fake providers of AI, each in the wire format of its vendor. */

export type VendorName = 'openai' | 'anthropic' | 'compativel'

export type VendorBehaviour =
  | { readonly tipo: 'texto'; readonly texto: string; readonly entrada?: number; readonly saida?: number }
  | { readonly tipo: 'ferramenta'; readonly nome: string; readonly args: object }
  | { readonly tipo: 'cota' | 'semCredito' | 'fora' }

export interface VendorRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly modelo: string
}

export interface FakeVendor {
  readonly url: string
  readonly requests: VendorRequest[]
  /** Keys of the requests for the list of models. */
  readonly listKeys: string[]
  readonly answerNext: (...behaviours: VendorBehaviour[]) => void
  /** Drops answers that no question took. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: object
}

type Answered = Extract<VendorBehaviour, { readonly tipo: 'texto' | 'ferramenta' }>

interface WireFormat {
  readonly askPath: string
  /** Audio as a form, to be written down. */
  readonly hearing?: { readonly path: string; readonly modelo: string }
  readonly listPath: string
  readonly key: string
  readonly models: readonly string[]
  readonly keyOf: (headers: IncomingMessage['headers']) => string
  readonly answer: (behaviour: Answered, modelo: string) => object
  readonly list: (models: readonly string[]) => object
  readonly refusals: Readonly<Record<'chave' | 'modelo' | 'cota' | 'semCredito' | 'fora', Reply>>
}

const bearer = ({ authorization = '' }: IncomingMessage['headers']): string => authorization.replace(/^Bearer /, '')
const openaiError = (status: number, code: string, message: string): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
})

const OPENAI_LIKE = {
  keyOf: bearer,
  list: (models: readonly string[]) => ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'fake' })),
  }),
  refusals: {
    chave: openaiError(401, 'invalid_api_key', 'Incorrect API key provided: sk-x***.'),
    modelo: openaiError(404, 'model_not_found', 'The model does not exist or you do not have access to it.'),
    cota: openaiError(429, 'rate_limit_exceeded', 'Rate limit reached for requests'),
    semCredito: openaiError(429, 'insufficient_quota', 'You exceeded your current quota.'),
    fora: openaiError(503, 'server_error', 'The server is overloaded'),
  },
}

const FORMATS: Readonly<Record<VendorName, WireFormat>> = {
  openai: {
    ...OPENAI_LIKE,
    askPath: '/v1/responses',
    hearing: { path: '/v1/audio/transcriptions', modelo: 'gpt-4o-mini-transcribe' },
    listPath: '/v1/models',
    key: 'sk-fake-openai-0001',
    models: ['gpt-6-luna', 'gpt-6-sol', 'gpt-6-luna-audio', 'text-embedding-3-small', 'whisper-1'],
    answer: (behaviour, modelo) => ({
      ...{ id: 'resp_1', object: 'response', created_at: 1_700_000_000, status: 'completed', model: modelo },
      ...{ error: null, incomplete_details: null },
      output: [
        behaviour.tipo === 'texto'
          ? {
              ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
              content: [{ type: 'output_text', text: behaviour.texto, annotations: [] }],
            }
          : {
              ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed' },
              ...{ name: behaviour.nome, arguments: JSON.stringify(behaviour.args) },
            },
      ],
      usage: {
        ...{ input_tokens: tokens(behaviour).entrada, input_tokens_details: { cached_tokens: 0 } },
        ...{ output_tokens: tokens(behaviour).saida, output_tokens_details: { reasoning_tokens: 0 } },
        total_tokens: 110,
      },
    }),
  },
  anthropic: {
    askPath: '/v1/messages',
    listPath: '/v1/models',
    key: 'sk-ant-fake-0001',
    models: ['claude-haiku-5-5', 'claude-sonnet-5-5'],
    keyOf: (headers) => (headers['anthropic-version'] === '2023-06-01' ? String(headers['x-api-key'] ?? '') : ''),
    answer: (behaviour, modelo) => ({
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: modelo, stop_sequence: null },
      stop_reason: behaviour.tipo === 'texto' ? 'end_turn' : 'tool_use',
      content: [
        behaviour.tipo === 'texto'
          ? { type: 'text', text: behaviour.texto }
          : { type: 'tool_use', id: 'toolu_1', name: behaviour.nome, input: behaviour.args },
      ],
      usage: { input_tokens: tokens(behaviour).entrada, output_tokens: tokens(behaviour).saida },
    }),
    list: (models) => ({
      data: models.map((id) => ({
        type: 'model',
        id,
        display_name: id.replaceAll('-', ' '),
        created_at: '2026-10-07T00:00:00Z',
      })),
      ...{ has_more: false, first_id: models[0], last_id: models.at(-1) },
    }),
    refusals: {
      chave: anthropicError(401, 'authentication_error', 'invalid x-api-key'),
      modelo: anthropicError(404, 'not_found_error', 'model: claude-x'),
      cota: anthropicError(429, 'rate_limit_error', 'Number of request tokens has exceeded your rate limit'),
      semCredito: anthropicError(400, 'invalid_request_error', 'Your credit balance is too low to access the API.'),
      fora: anthropicError(529, 'overloaded_error', 'Overloaded'),
    },
  },
  compativel: {
    ...OPENAI_LIKE,
    askPath: '/v1/chat/completions',
    listPath: '/v1/models',
    key: 'own-fake-key-0001',
    models: ['llama3.1:8b', 'qwen3:4b'],
    answer: (behaviour, modelo) => ({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: modelo },
      choices: [
        {
          index: 0,
          finish_reason: behaviour.tipo === 'texto' ? 'stop' : 'tool_calls',
          message:
            behaviour.tipo === 'texto'
              ? { role: 'assistant', content: behaviour.texto }
              : {
                  ...{ role: 'assistant', content: null },
                  tool_calls: [
                    {
                      ...{ id: 'call_1', type: 'function' },
                      function: { name: behaviour.nome, arguments: JSON.stringify(behaviour.args) },
                    },
                  ],
                },
        },
      ],
      usage: {
        prompt_tokens: tokens(behaviour).entrada,
        completion_tokens: tokens(behaviour).saida,
        total_tokens: 110,
      },
    }),
  },
}

function anthropicError(status: number, type: string, message: string): Reply {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } }
}

function tokens(behaviour: Answered): { readonly entrada: number; readonly saida: number } {
  const { entrada = 100, saida = 10 } = behaviour.tipo === 'texto' ? behaviour : {}
  return { entrada, saida }
}

export const vendorKey = (name: VendorName): string => FORMATS[name].key
export const vendorModels = (name: VendorName): readonly string[] => FORMATS[name].models

export async function createFakeVendor(name: VendorName): Promise<FakeVendor> {
  const { askPath, hearing, listPath, key, models, keyOf, answer, list, refusals } = FORMATS[name]
  const requests: VendorRequest[] = []
  const listKeys: string[] = []
  const queue: VendorBehaviour[] = []

  const reply = async (req: IncomingMessage): Promise<Reply> => {
    const { pathname } = new URL(req.url ?? '/', 'http://vendor.test')
    const sentKey = keyOf(req.headers)
    if (pathname === listPath) listKeys.push(sentKey)
    if (sentKey !== key) return refusals.chave
    if (pathname === listPath) return { status: 200, body: list(models) }
    if (pathname === hearing?.path) return hear(req, hearing.modelo)
    if (pathname !== askPath) return { status: 404, body: { error: { message: `no such path ${pathname}` } } }
    const body = await text(req)
    const [, modelo = ''] = /"model":"([^"]+)"/.exec(body) ?? []
    requests.push({ headers: req.headers, body, modelo })
    if (!models.includes(modelo)) return refusals.modelo
    const behaviour = queue.shift() ?? { tipo: 'texto', texto: 'ECO' }
    if (behaviour.tipo !== 'texto' && behaviour.tipo !== 'ferramenta') return refusals[behaviour.tipo]
    return { status: 200, body: answer(behaviour, modelo) }
  }

  const hear = async (req: IncomingMessage, modelo: string): Promise<Reply> => {
    const body = await text(req)
    requests.push({ headers: req.headers, body, modelo })
    if (!body.includes(`name="model"\r\n\r\n${modelo}\r\n`)) return refusals.modelo
    const behaviour = queue.shift() ?? { tipo: 'texto', texto: 'ECO' }
    if (behaviour.tipo === 'ferramenta') throw new Error('tools hear nothing')
    if (behaviour.tipo !== 'texto') return refusals[behaviour.tipo]
    const { entrada, saida } = tokens(behaviour)
    const usage = { type: 'tokens', input_tokens: entrada, output_tokens: saida, total_tokens: entrada + saida }
    return { status: 200, body: { text: behaviour.texto, usage } }
  }

  const server = createServer((req, res) => {
    void reply(req).then(({ status, body }) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    requests,
    listKeys,
    answerNext: (...behaviours) => void queue.push(...behaviours),
    reset: () => void queue.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
