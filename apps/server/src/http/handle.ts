import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { BodyOf, ParamsOf, QueryOf, RouteShape } from '@balcao/contract/define-route'
import { AppError } from '#errors.ts'
import { createWriter } from './answer.ts'
import { type Authenticate, bearerToken, type Pedinte } from './authentication.ts'
// What the server carries by this name.
import type {} from './known-tokens.ts'
import { requirePermission } from './permission.ts'
import { parseShape } from './parse-shape.ts'

export interface RouteInput<R extends RouteShape> {
  readonly sessao: R['permissao'] extends 'publico' ? null : Pedinte
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly ip: string
  readonly agente: string
  /** Only for multipart rows and the few answers that are not JSON. */
  readonly request: FastifyRequest
}

export type RouteHandler<R extends RouteShape> = (input: RouteInput<R>) => Promise<AnswerOf<R>>

type AnswerOf<R extends RouteShape> = R['response'] extends z.ZodMiniType ? z.input<R['response']> : void

/** A row with its handler, types erased, ready to be mounted. */
export interface BoundRoute {
  readonly row: RouteShape
  readonly run: (request: FastifyRequest, sessao: Pedinte | null) => Promise<unknown>
}

/** Method syntax on purpose: it lets a handler of one row stand where any row's is asked. `bind` fills each field by that row. */
interface ErasedHandler {
  run(input: { [Campo in keyof RouteInput<RouteShape>]: unknown }): Promise<unknown>
}

/** Binds a row of the contract to the function that answers it. */
export function bind<const R extends RouteShape>(row: R, handler: RouteHandler<R>): BoundRoute {
  const erased: ErasedHandler['run'] = handler
  return {
    row,
    run: (request, sessao) =>
      erased({
        sessao,
        params: parse(row.params, request.params),
        query: parse(row.query, request.query),
        body: row.corpo === 'multipart' ? undefined : parse(row.body, request.body ?? {}),
        ip: request.ip,
        agente: request.headers['user-agent']?.slice(0, 300) ?? '',
        request,
      }),
  }
}

function parse(schema: z.ZodMiniType | undefined, valor: unknown): unknown {
  if (schema === undefined) return undefined
  return parseShape(schema, valor)
}

/**
 * token → permission → shape → use case → answer, for one row. Nothing else touches the request. `conferir`: whether answers
 * are checked against the row too.
 */
export function mount(
  app: FastifyInstance,
  authenticate: Authenticate,
  { row, run }: BoundRoute,
  conferir = true,
): void {
  const write = row.response === undefined ? null : createWriter(row.response, conferir)
  const sessoes = new WeakMap<FastifyRequest, Pedinte>()
  app.route({
    method: row.method,
    url: `/api${row.path}`,
    config: { erroPadrao: row.erroPadrao },
    // After the limit of requests, which the plugin puts behind a route's own `onRequest`: who is refused is counted too.
    preParsing: async (request) => {
      if (row.permissao === 'publico') return
      const token = bearerToken(request)
      const sessao = token === null ? null : await authenticate(token)
      if (token === null) throw new AppError('semSessao')
      if (sessao === null) {
        request.server.knownTokens.delete(token)
        throw new AppError('semSessao')
      }
      request.server.knownTokens.add(token)
      sessoes.set(request, { ...sessao, ip: request.ip })
      requirePermission(sessao, row.permissao)
      if (row.configura === true) requirePermission(sessao, 'dono')
    },
    handler: async (request, reply) => {
      const resultado = await run(request, sessoes.get(request) ?? null)
      if (write === null) return reply.code(row.status ?? 204).send()
      return reply
        .code(row.status ?? 200)
        .header('content-type', 'application/json; charset=utf-8')
        .send(write(resultado))
    },
  })
}
