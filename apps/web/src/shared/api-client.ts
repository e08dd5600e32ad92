import { TIMEOUT_HTTP_MS } from '@balcao/contract/constants'
import type { BodyInput, ParamsOf, QueryInput, ResponseOf, RouteShape } from '@balcao/contract/define-route'
import type { RespostaErro } from '@balcao/contract/errors'
import { clearSession, readToken } from './storage.ts'
import { TEXTOS } from './textos.ts'

/**
 * A failed call. `message` is the sentence to show. Status 0: no answer. Code `desconhecido`: the answer had no
 * sentence.
 */
export class ApiError extends Error {
  readonly status: number
  readonly codigo: string
  readonly dados: Partial<RespostaErro>

  constructor(status: number, codigo: string, erro: string, dados: Partial<RespostaErro> = {}) {
    super(erro)
    this.name = 'ApiError'
    this.status = status
    this.codigo = codigo
    this.dados = dados
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
    /** Default: `TIMEOUT_HTTP_MS`. */
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

let onUnauthorized = (): void => {
  clearSession()
  location.assign('/login')
}

/** Sets the reaction to a 401 of a non-public route. The default clears the session and opens the login. */
export function setUnauthorizedHandler(handler: () => void): void {
  onUnauthorized = handler
}

/** Calls a route of the contract. Rejects with `ApiError`, or with the abort reason when `signal` was aborted. */
export async function call<R extends RouteShape>(row: R, input: CallInput<R>): Promise<ResponseOf<R>> {
  return request<ResponseOf<R>>(row, input)
}

async function request<T>(row: RouteShape, input: Loose): Promise<T> {
  const token = readToken()
  const prazo = AbortSignal.timeout(input.timeoutMs ?? TIMEOUT_HTTP_MS)
  let resposta: Response
  let texto: string
  try {
    resposta = await send(row, input, token, prazo)
    texto = await resposta.text()
  } catch (causa) {
    if (input.signal?.aborted === true) throw causa
    throw new ApiError(0, prazo.aborted ? 'timeout' : 'semRede', prazo.aborted ? TEXTOS.timeout : TEXTOS.semRede)
  }
  return conclude<T>(row, resposta.status, texto, token)
}

/** Returns the success body or throws `ApiError`. `token` is the session that sent the request. */
export function conclude<T>(row: RouteShape, status: number, texto: string, token: string | null): T {
  const corpo = readJson(texto)
  if (status >= 200 && status < 300 && corpo !== undefined) return corpo
  const erro = readError(row, status, corpo, texto)
  // A 401 of a public route (wrong password) stays on its page. A late 401 of a replaced session must not end the
  // new session.
  if (erro.status === 401 && row.permissao !== 'publico' && readToken() === token) onUnauthorized()
  throw erro
}

function send(row: RouteShape, input: Loose, token: string | null, prazo: AbortSignal): Promise<Response> {
  const { params, query, body, signal, form } = input
  const headers = new Headers()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (form === undefined && body !== undefined) headers.set('content-type', 'application/json')
  return fetch(`/api${fillPath(row.path, params)}${queryString(query)}`, {
    method: row.method,
    headers,
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
    signal: signal === undefined ? prazo : AbortSignal.any([signal, prazo]),
  })
}

/** Returns null for an empty body and undefined for a body that is not JSON (a proxy's page). */
function readJson(texto: string) {
  try {
    return JSON.parse(texto === '' ? 'null' : texto)
  } catch {
    return undefined
  }
}

/** The sentence is in `erro` or `message`. Without one, the route's default sentence is used. */
function readError(row: RouteShape, status: number, corpo: unknown, texto: string): ApiError {
  if (!isRecusa(corpo))
    return new ApiError(status, 'desconhecido', semFrase(row, status, corpo === undefined ? texto : ''))
  const frase = [corpo.erro, corpo.message].find((texto) => typeof texto === 'string' && texto !== '')
  const codigo = frase === undefined ? 'desconhecido' : (corpo.codigo ?? 'semCodigo')
  return new ApiError(status, codigo, frase ?? row.erroPadrao, corpo)
}

/** Bot routes show the status and the plain-text body. Markup from a proxy is never shown. */
function semFrase({ path, erroPadrao }: RouteShape, status: number, texto: string): string {
  return path.startsWith('/bot/') && /^\s*[^<\s]/.test(texto) ? `HTTP ${status}: ${texto}` : erroPadrao
}

function isRecusa(corpo: unknown): corpo is Partial<RespostaErro> & { readonly message?: string } {
  return typeof corpo === 'object' && corpo !== null && !Array.isArray(corpo)
}

export function fillPath(path: string, params: unknown): string {
  const valores = new Map(typeof params === 'object' && params !== null ? Object.entries(params) : [])
  return path.replace(/:(\w+)/g, (_tudo, nome: string) => encodeURIComponent(String(valores.get(nome) ?? '')))
}

function queryString(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const pares = Object.entries(query).filter(([, valor]) => valor !== undefined && valor !== '')
  return pares.length === 0
    ? ''
    : `?${new URLSearchParams(pares.map(([nome, valor]) => [nome, String(valor)])).toString()}`
}
