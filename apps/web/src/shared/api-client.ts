import { TIMEOUT_HTTP_MS } from '@balcao/contract/constants'
import type { AcceptedOf, BodyInput, ParamsOf, QueryInput, ResponseOf, RouteShape } from '@balcao/contract/define-route'
import type { ErrorBody } from '@balcao/contract/errors'
import { clearSession, readToken } from './storage.ts'
import { TEXTS } from './texts.ts'
import { beforeIdle } from './when-idle.ts'

/**
 * A failed call. `message` is the sentence to show. Status 0: no answer. Code `desconhecido`: the answer had no
 * sentence.
 */
export class ApiError extends Error {
  readonly status: number
  readonly codigo: string
  readonly dados: Partial<ErrorBody>

  constructor(status: number, code: string, error: string, data: Partial<ErrorBody> = {}) {
    super(error)
    this.name = 'ApiError'
    this.status = status
    this.codigo = code
    this.dados = data
  }
}

type Field<K extends string, V> = [V] extends [undefined]
  ? unknown
  : undefined extends V
    ? { readonly [P in K]?: V }
    : { readonly [P in K]: V }

export type CallInput<R extends RouteShape> = Field<'params', ParamsOf<R>> &
  ([QueryInput<R>] extends [undefined] ? unknown : { readonly query?: QueryInput<R> }) &
  Field<'body', BodyInput<R>> & {
    readonly signal?: AbortSignal
    readonly form?: FormData
    readonly timeoutMs?: number
  }

type Loose = {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal
  form?: FormData
  timeoutMs?: number
}

/** True: the session ended. False: it reaches only the enrolment of a second factor. */
type RefusedSession = (ended: boolean) => void

let onRefused: RefusedSession = () => {
  clearSession()
  location.assign('/login')
}

export function setRefusedSessionHandler(handler: RefusedSession): void {
  onRefused = handler
}

type AnswerOf<R extends RouteShape> = ResponseOf<R> | Exclude<AcceptedOf<R>, undefined>

/** Calls a route of the contract. Rejects with `ApiError`, or with the abort reason when `signal` was aborted. */
export async function call<R extends RouteShape>(row: R, input: CallInput<R>): Promise<AnswerOf<R>> {
  const once = (): Promise<AnswerOf<R>> => beforeIdle(request<AnswerOf<R>>(row, input))
  try {
    return await once()
  } catch (error) {
    if (!(error instanceof ApiError) || error.codigo !== 'confirmacaoNecessaria') throw error
    // Asks who the person is and repeats the call, so no screen needs to know.
    const { askStepUp } = await import('./identity/step-up.ts')
    if (!(await askStepUp(error.dados.metodos ?? ['senha']))) throw error
    return once()
  }
}

async function request<T>(row: RouteShape, input: Loose): Promise<T> {
  const token = readToken()
  const deadline = AbortSignal.timeout(input.timeoutMs ?? TIMEOUT_HTTP_MS)
  let reply: Response
  let texto: string
  try {
    reply = await send(row, input, token, deadline)
    texto = await reply.text()
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause
    throw new ApiError(0, deadline.aborted ? 'timeout' : 'semRede', deadline.aborted ? TEXTS.timeout : TEXTS.semRede)
  }
  return conclude<T>(row, reply.status, texto, token)
}

/** Calls a route whose answer is a file. Rejects with `ApiError`. */
export async function callFile<R extends RouteShape>(row: R, input: CallInput<R>): Promise<Blob> {
  const token = readToken()
  const reply = await send(row, input, token, AbortSignal.timeout(TIMEOUT_HTTP_MS)).catch(() => {
    throw new ApiError(0, 'semRede', TEXTS.semRede)
  })
  return reply.ok ? reply.blob() : conclude(row, reply.status, await reply.text(), token)
}

/** Returns the success body or throws `ApiError`. `token` is the session that sent the request. */
export function conclude<T>(row: RouteShape, status: number, text: string, token: string | null): T {
  const corpo = readJson(text)
  if (status >= 200 && status < 300 && corpo !== undefined) return corpo
  const error = readError(row, status, corpo, text)
  // A 401 of a public route (wrong password) stays on its page. A late 401 of a replaced session must not end the
  // new session.
  const ended = error.status === 401 && row.permission !== 'publico'
  if ((ended || error.codigo === 'segundoFatorObrigatorio') && readToken() === token) onRefused(ended)
  throw error
}

declare global {
  interface Window {
    /** Requests that `app.html` sends while the scripts load, by path, with the token of their session. */
    firstReads?: { readonly token: string; readonly replies: Record<string, Promise<Response>> }
  }
}

/** The reply to a request that `app.html` already sent. Each serves one call, and only the session that sent it. */
function takeFirstRead(method: string, path: string, token: string | null): Promise<Response> | undefined {
  const reads = window.firstReads
  const reply = method === 'GET' && reads?.token === token ? reads.replies[path] : undefined
  delete reads?.replies[path]
  return reply
}

async function send(row: RouteShape, input: Loose, token: string | null, timeout: AbortSignal): Promise<Response> {
  const { params, query, body, signal, form } = input
  const path = `/api${fillPath(row.path, params)}${queryString(query)}`
  const early = await takeFirstRead(row.method, path, token)?.catch(() => undefined)
  // A refusal may be old: the person may have added a second factor since the page was loaded.
  if (early?.ok === true) return early
  const headers = new Headers()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (form === undefined && body !== undefined) headers.set('content-type', 'application/json')
  return fetch(path, {
    method: row.method,
    headers,
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
}

/** Returns null for an empty body and undefined for a body that is not JSON (a proxy's page). */
function readJson(text: string) {
  try {
    return JSON.parse(text === '' ? 'null' : text)
  } catch {
    return undefined
  }
}

function readError(row: RouteShape, status: number, body: unknown, text: string): ApiError {
  if (!isRefusal(body))
    return new ApiError(status, 'desconhecido', defaultSentence(row, status, body === undefined ? text : ''))
  const sentence = [body.erro, body.message].find((texto) => typeof texto === 'string' && texto !== '')
  const code = sentence === undefined ? 'desconhecido' : (body.codigo ?? 'semCodigo')
  return new ApiError(status, code, sentence ?? row.fallbackError, body)
}

/** Bot routes show the status and the plain-text body. Markup from a proxy is never shown. */
function defaultSentence({ path, fallbackError }: RouteShape, status: number, text: string): string {
  return path.startsWith('/bot/') && /^\s*[^<\s]/.test(text) ? `HTTP ${status}: ${text}` : fallbackError
}

function isRefusal(body: unknown): body is Partial<ErrorBody> & { readonly message?: string } {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

export function fillPath(path: string, params: unknown): string {
  const values = new Map(typeof params === 'object' && params !== null ? Object.entries(params) : [])
  return path.replace(/:(\w+)/g, (_tudo, nome: string) => encodeURIComponent(String(values.get(nome) ?? '')))
}

function queryString(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([nome, value]) => [nome, String(value)])).toString()}`
}
