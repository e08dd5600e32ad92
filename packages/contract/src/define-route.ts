import type * as z from 'zod/mini'
import type { Componente } from '#constants.ts'

/**
 * Who may call a route: `publico` anybody, `logado` any session, `admin` administrators, `dono` all but operators, a component its
 * holders, several components the holders of any of them.
 */
export type Permissao = 'publico' | 'logado' | 'admin' | 'dono' | Componente | readonly Componente[]

export type Metodo = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** One row of the contract. `path` is below `/api`; parameters are written `:nome`. */
export interface RouteShape {
  readonly method: Metodo
  readonly path: string
  readonly permissao: Permissao
  /** It changes how the shop works: operators, who only serve, are refused whatever components the account has. */
  readonly configura?: true
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  /** JSON body. Absent: any body is ignored. */
  readonly body?: z.ZodMiniType
  /** `multipart` routes parse their own form; fields are checked by the use case with a schema of the contract. */
  readonly corpo?: 'multipart'
  /** The success body. Absent: the answer has none (204). */
  readonly response?: z.ZodMiniType
  /** HTTP status of success; default 200 with a body, 204 without. */
  readonly status?: number
  /** What the person reads when nothing better is known (spec §8). */
  readonly erroPadrao: string
}

/** Names a row and keeps its exact types, for the server's `bind` and the browser's client. */
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
