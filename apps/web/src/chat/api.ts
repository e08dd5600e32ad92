import type { ChatConfig, ChatMensagem, Visitante, VisitanteInput } from '@balcao/contract/entities/webchat'

/** A refusal with its HTTP status and the Portuguese text for the visitor. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

interface ChatPage {
  readonly mensagens: readonly ChatMensagem[]
  readonly proximoCursor: string | null
}

export interface ChatApi {
  readonly config: () => Promise<ChatConfig>
  readonly createVisitor: (input: VisitanteInput) => Promise<Visitante>
  readonly list: (token: string, depois: string | null) => Promise<ChatPage>
  readonly send: (token: string, message: { readonly id: string; readonly texto: string }) => Promise<unknown>
  readonly sendFile: (token: string, id: string, file: File) => Promise<unknown>
  readonly typing: (token: string) => Promise<unknown>
  readonly read: (token: string, ate: string) => Promise<unknown>
  readonly erase: (token: string) => Promise<unknown>
  /** Resolves when the server ended the stream or `signal` closed it. */
  readonly stream: (options: StreamOptions) => Promise<void>
}

interface StreamOptions {
  readonly token: string
  readonly last: string | null
  readonly signal: AbortSignal
  readonly received: (event: StreamEvent) => void
}

const TIMEOUT_MS = 15_000
const UPLOAD_MS = 120_000

export function createApi(base: string): ChatApi {
  const request = async (method: string, path: string, token?: string, body?: unknown): Promise<Response> => {
    const form = body instanceof FormData
    const reply = await fetch(base + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(form ? UPLOAD_MS : TIMEOUT_MS),
    })
    if (!reply.ok) throw await refusalOf(reply)
    return reply
  }
  const json = async <T>(reply: Promise<Response>): Promise<T> => (await reply).json()
  return {
    config: () => json(request('GET', '/config')),
    createVisitor: (input) => json(request('POST', '/visitantes', undefined, input)),
    list: (token, depois) =>
      json(request('GET', depois === null ? '/mensagens' : `/mensagens?depois=${depois}`, token)),
    send: (token, message) => request('POST', '/mensagens', token, message),
    sendFile: (token, id, file) => {
      const form = new FormData()
      form.set('id', id)
      form.set('arquivo', file)
      return request('POST', '/midias', token, form)
    },
    typing: (token) => request('POST', '/digitando', token),
    read: (token, ate) => request('POST', '/lida', token, { ate }),
    erase: (token) => request('DELETE', '/visitantes/eu', token),
    stream: (options) => readStream(base, options),
  }
}

async function refusalOf(reply: Response): Promise<Refused> {
  const body: { erro?: string } = await reply.json().catch(() => ({}))
  return new Refused(reply.status, body.erro ?? 'O chat não respondeu. Tente de novo.')
}

async function readStream(base: string, { token, last, signal, received }: StreamOptions): Promise<void> {
  const reply = await fetch(`${base}/eventos`, {
    headers: { authorization: `Bearer ${token}`, ...(last === null ? {} : { 'last-event-id': last }) },
    signal,
  })
  if (!reply.ok || reply.body === null) throw await refusalOf(reply)
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      if (field('event') !== '') received({ id: field('id'), event: field('event'), data: field('data') })
    }
  }
}
