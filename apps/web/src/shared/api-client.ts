import { TIMEOUT_HTTP_MS } from '@balcao/contract/constants'
import type { BodyInput, ParamsOf, QueryInput, ResponseOf, RouteShape } from '@balcao/contract/define-route'
import type { RespostaErro } from '@balcao/contract/errors'
import { clearSession, readToken } from './storage.ts'
import { TEXTOS } from './textos.ts'

/** What a call fails with. `message` is the sentence to show. `status` 0: no answer came; `desconhecido`: an answer without words. */
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

/** What a row asks for, and nothing else. */
export type CallInput<R extends RouteShape> = Field<'params', ParamsOf<R>> &
  ([QueryInput<R>] extends [undefined] ? unknown : { readonly query?: QueryInput<R> }) &
  Field<'body', BodyInput<R>> & {
    readonly signal?: AbortSignal
    /** A form with a file, for multipart rows. */
    readonly form?: FormData
    /** How long to wait, when the answer may take longer than usual. */
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

/** What happens on a 401 besides the login's own (spec §2): the session provider decides once it exists. */
export function setUnauthorizedHandler(handler: () => void): void {
  onUnauthorized = handler
}

/** Calls one row of the contract. Rejects with `ApiError` only. */
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

/** The success body of an answer, or the `ApiError` it stands for. `token` is the session that asked. */
export function conclude<T>(row: RouteShape, status: number, texto: string, token: string | null): T {
  const corpo = readJson(texto)
  if (status >= 200 && status < 300 && corpo !== undefined) return corpo
  const erro = readError(row, status, corpo, texto)
  // A wrong password is a 401 that stays on its page. A late answer to a session already replaced says nothing of the new one.
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

/** The parsed body: null when it is empty, undefined when it is not JSON (a proxy's own page). */
function readJson(texto: string) {
  try {
    return JSON.parse(texto === '' ? 'null' : texto)
  } catch {
    return undefined
  }
}

/** The sentence is in `erro`, sometimes in `message`; without one, the row has its own (spec §8). */
function readError(row: RouteShape, status: number, corpo: unknown, texto: string): ApiError {
  if (!isRecusa(corpo))
    return new ApiError(status, 'desconhecido', semFrase(row, status, corpo === undefined ? texto : ''))
  const frase = [corpo.erro, corpo.message].find((texto) => typeof texto === 'string' && texto !== '')
  const codigo = frase === undefined ? 'desconhecido' : (corpo.codigo ?? 'semCodigo')
  return new ApiError(status, codigo, frase ?? row.erroPadrao, corpo)
}

/** The bot's calls tell the status and what was said in plain text (spec §8); a proxy's page of markup is nobody's sentence. */
function semFrase({ path, erroPadrao }: RouteShape, status: number, texto: string): string {
  return path.startsWith('/bot/') && /^\s*[^<\s]/.test(texto) ? `HTTP ${status}: ${texto}` : erroPadrao
}

function isRecusa(corpo: unknown): corpo is Partial<RespostaErro> & { readonly message?: string } {
  return typeof corpo === 'object' && corpo !== null && !Array.isArray(corpo)
}

/** The row's path with its parameters in place. */
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
