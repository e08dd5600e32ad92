/**
 * Fake HTTP layer of screen tests: handlers by `METHOD /path`, 404 for the rest. Restoring puts the real `fetch`
 * back.
 */

export interface FakeRequest {
  readonly body: unknown
  readonly url: URL
  readonly headers: Headers
}

export type FakeAnswer = { readonly status: number; readonly body?: unknown }
type Handler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

export interface FakeApi {
  readonly calls: readonly { readonly route: string; readonly body: unknown }[]
  readonly on: (route: string, handler: Handler) => void
  readonly restore: () => void
}

export function ok(body: unknown): FakeAnswer {
  return { status: 200, body }
}

export function refusal(status: number, codigo: string, erro: string, data: object = {}): FakeAnswer {
  return { status, body: { erro, codigo, ...data } }
}

type Answer = (route: string, request: FakeRequest) => Promise<FakeAnswer>

/** The browser's own object without network: reports progress and is answered by the same handlers. */
function fakeUploads(answer: Answer): typeof XMLHttpRequest {
  return class extends XMLHttpRequest {
    private route = ''
    private address = new URL(location.origin)
    private readonly sentHeaders = new Headers()

    override open(method: string, url: string | URL): void {
      this.address = new URL(url, location.origin)
      this.route = `${method} ${this.address.pathname.slice(4)}`
    }

    override setRequestHeader(name: string, value: string): void {
      this.sentHeaders.set(name, value)
    }

    override send(body?: unknown): void {
      this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 2, lengthComputable: true }))
      void answer(this.route, { body, url: this.address, headers: this.sentHeaders }).then((sent) => {
        Object.defineProperty(this, 'status', { value: sent.status })
        Object.defineProperty(this, 'responseText', { value: JSON.stringify(sent.body ?? null) })
        this.dispatchEvent(new ProgressEvent('load'))
      })
    }
  }
}

export function fakeApi(routes: Readonly<Record<string, Handler>> = {}): FakeApi {
  const handlers = new Map(Object.entries(routes))
  const calls: { route: string; body: unknown }[] = []
  const real = globalThis.fetch
  const realUploads = globalThis.XMLHttpRequest
  const dispatch: Answer = async (route, request) => {
    calls.push({ route, body: request.body })
    return (await handlers.get(route)?.(request)) ?? refusal(404, 'rotaDesconhecida', 'Este endereço não existe.')
  }
  globalThis.XMLHttpRequest = fakeUploads(dispatch)
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin)
    if (!url.pathname.startsWith('/api')) return real(input, init)
    const route = `${init?.method ?? 'GET'} ${url.pathname.slice(4)}`
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : init?.body
    const { status, body: answer } = await dispatch(route, { body, url, headers: new Headers(init?.headers) })
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
      globalThis.XMLHttpRequest = realUploads
    },
  }
}
