import type * as z from 'zod/mini'
import type { Componente } from '#constants.ts'

/**
 * Callers of a route. `publico`: no login needed. `logado`: any session. `admin`: administrators. `dono`: every
 * user except operators. A component or a list of components: users who have at least one of them.
 */
export type RoutePermission = 'publico' | 'logado' | 'admin' | 'dono' | Componente | readonly Componente[]

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface OtherResponse {
  readonly query: Readonly<Record<string, string>>
  readonly response: z.ZodMiniType
}

/** One route of the contract. `path` is relative to `/api`; parameters are written `:nome`. */
export interface RouteShape {
  readonly method: HttpMethod
  readonly path: string
  readonly permission: RoutePermission
  /** The route changes the shop's settings. Operators get 403 even when the account has the component. */
  readonly deniesOperators?: true
  /** Open to a person who lacks a demanded second factor. All other routes answer 403 `segundoFatorObrigatorio`. */
  readonly enrolment?: true
  /**
   * Needs a confirmation of the person in the last ten minutes, else 403 `confirmacaoNecessaria`. Asked only of people
   * with a second factor and of those from whom one is demanded.
   */
  readonly stepUp?: true
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  /** The route parses its own form. The use case validates the fields with a schema of the contract. */
  readonly bodyType?: 'multipart'
  /** The answer is streamed as this type. `response` is then text. */
  readonly responseType?: 'text/csv' | 'text/event-stream' | 'text/plain' | 'image/svg+xml'
  /** Requests whose query contains this are answered with bytes instead. */
  readonly bytesWhen?: Readonly<Record<string, string>>
  /** Type of these bytes. Default: `application/octet-stream`. */
  readonly bytesType?: 'image/png'
  /** The answer is kept in memory and has an ETag. A request with the same one gets 304. */
  readonly kept?: true
  /** Success body. Absent: no body (204). */
  readonly response?: z.ZodMiniType
  /** Success body of requests whose query contains `query`, instead of `response`. */
  readonly otherResponse?: OtherResponse
  /** Body of an answer 202: the request was right, and a further step is missing. */
  readonly accepted?: z.ZodMiniType
  /** HTTP status of success. Default: 200 with a response schema, 204 without. */
  readonly status?: number
  /** Portuguese message for errors without a specific one. */
  readonly fallbackError: string
}

/** Returns `row` unchanged and keeps its literal types for the server's `bind` and the browser's client. */
export function defineRoute<const R extends RouteShape>(row: R): R {
  return row
}

type Parsed<S> = S extends z.ZodMiniType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodMiniType ? z.input<S> : undefined

export type ParamsOf<R extends RouteShape> = Parsed<R['params']>
export type QueryOf<R extends RouteShape> = Parsed<R['query']>
export type BodyOf<R extends RouteShape> = Parsed<R['body']>
export type BodyInput<R extends RouteShape> = Sent<R['body']>
export type QueryInput<R extends RouteShape> = Sent<R['query']>
export type ResponseOf<R extends RouteShape> = Parsed<R['response']>
export type AcceptedOf<R extends RouteShape> = Parsed<R['accepted']>
