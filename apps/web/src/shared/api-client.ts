import { TIMEOUT_HTTP_MS } from '@balcao/contract/constants'
import type { BodyInput, ParamsOf, QueryInput, ResponseOf, RouteShape } from '@balcao/contract/define-route'
import type { RespostaErro } from '@balcao/contract/errors'
import { clearSession, readToken } from './storage.ts'
import { TEXTOS } from './textos.ts'

/** What a call fails with. `message` is the sentence to show. `status` 0: no answer came. */
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
  }

type Loose = { params?: unknown; query?: unknown; body?: unknown; signal?: AbortSignal; form?: FormData }

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
  const resposta = await send(row, input)
  if (resposta.ok) return resposta.status === 204 ? JSON.parse('null') : resposta.json()
  const erro = await readError(row, resposta)
  // A wrong password is a 401 that stays on its page; every other one ends the session.
  if (erro.status === 401 && erro.codigo !== 'credenciaisInvalidas') onUnauthorized()
  throw erro
}

async function send(row: RouteShape, { params, query, body, signal, form }: Loose): Promise<Response> {
  const prazo = AbortSignal.timeout(TIMEOUT_HTTP_MS)
  const token = readToken()
  const headers = new Headers()
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (form === undefined && body !== undefined) headers.set('content-type', 'application/json')
  try {
    return await fetch(`/api${fillPath(row.path, params)}${queryString(query)}`, {
      method: row.method,
      headers,
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal === undefined ? prazo : AbortSignal.any([signal, prazo]),
    })
  } catch (causa) {
    if (signal?.aborted === true) throw causa
    throw new ApiError(0, prazo.aborted ? 'timeout' : 'semRede', prazo.aborted ? TEXTOS.timeout : TEXTOS.semRede)
  }
}

async function readError(row: RouteShape, resposta: Response): Promise<ApiError> {
  const corpo: unknown = await resposta.json().catch(() => null)
  if (!isRespostaErro(corpo)) return new ApiError(resposta.status, 'desconhecido', row.erroPadrao)
  return new ApiError(resposta.status, corpo.codigo, corpo.erro, corpo)
}

function isRespostaErro(corpo: unknown): corpo is RespostaErro {
  if (typeof corpo !== 'object' || corpo === null) return false
  return 'erro' in corpo && typeof corpo.erro === 'string' && 'codigo' in corpo && typeof corpo.codigo === 'string'
}

function fillPath(path: string, params: unknown): string {
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
