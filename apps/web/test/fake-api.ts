/** The HTTP edge of a screen's test: routes by `METHOD /path`, everything else is a 404. Real fetch is put back by `restore`. */

export interface FakeRequest {
  readonly body: unknown
  readonly url: URL
  readonly headers: Headers
}

/** A status with a body; a plain value is 200 with it. */
export type FakeAnswer = { readonly status: number; readonly body?: unknown }
type Handler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

export interface FakeApi {
  /** What was asked, in order: `POST /auth/login`. */
  readonly calls: readonly { readonly route: string; readonly body: unknown }[]
  readonly on: (route: string, handler: Handler) => void
  readonly restore: () => void
}

export function ok(body: unknown): FakeAnswer {
  return { status: 200, body }
}

export function refusal(status: number, codigo: string, erro: string, dados: object = {}): FakeAnswer {
  return { status, body: { erro, codigo, ...dados } }
}

export function fakeApi(routes: Readonly<Record<string, Handler>> = {}): FakeApi {
  const handlers = new Map(Object.entries(routes))
  const calls: { route: string; body: unknown }[] = []
  const real = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin)
    if (!url.pathname.startsWith('/api')) return real(input, init)
    const route = `${init?.method ?? 'GET'} ${url.pathname.slice(4)}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
    calls.push({ route, body })
    const handler = handlers.get(route)
    const { status, body: answer } =
      (await handler?.({ body, url, headers: new Headers(init?.headers) })) ??
      refusal(404, 'rotaDesconhecida', 'Este endereço não existe.')
    if (init?.signal?.aborted === true) throw new DOMException('aborted', 'AbortError')
    return new Response(answer === undefined ? null : JSON.stringify(answer), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
  return {
    calls,
    on: (route, handler) => void handlers.set(route, handler),
    restore: () => {
      globalThis.fetch = real
    },
  }
}
