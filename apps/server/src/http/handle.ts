// Adds the type of the route option `compress`.
import type {} from '@fastify/compress'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { BodyOf, ParamsOf, QueryOf, RouteShape } from '@balcao/contract/define-route'
import type { Clock } from '#ports/clock.ts'
import type { FileLinks } from '#ports/file-links.ts'
import { createAnswerWriter } from './answer.ts'
import {
  type Authenticate,
  type RequestSession,
  requirePermission,
  requireSecondFactor,
  requireSession,
  requireStepUp,
} from './authentication.ts'
import { KeptAnswer } from './kept-answer.ts'
import { requireContaLimit } from './limits/conta-limit.ts'
import { parseShape } from './parse-shape.ts'

export interface RouteInput<R extends RouteShape> {
  readonly sessao: R['permission'] extends 'publico' ? null : RequestSession
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly ip: string
  readonly userAgent: string
  /** For multipart routes and answers that are not JSON. */
  readonly request: FastifyRequest
}

export type RouteHandler<R extends RouteShape> = (input: RouteInput<R>) => Promise<AnswerOf<R>>

/** The body of an answer 202, of a row with `accepted`. */
export class Accepted<T> {
  readonly body: T
  constructor(body: T) {
    this.body = body
  }
}

type AnswerOf<R extends RouteShape> = R['kept'] extends true ? KeptAnswer : WrittenAnswer<R>

type WrittenAnswer<R extends RouteShape> =
  | (R['accepted'] extends z.ZodMiniType ? Accepted<z.input<R['accepted']>> : never)
  | (R['responseType'] extends string ? Readable : R['response'] extends z.ZodMiniType ? z.input<R['response']> : void)
  | (R['otherResponse'] extends { readonly response: infer S extends z.ZodMiniType } ? z.input<S> : never)

export interface BoundRoute {
  readonly row: RouteShape
  readonly run: (request: FastifyRequest, session: RequestSession | null) => Promise<unknown>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Method syntax: its parameters are bivariant, so a handler of one row fits here. `bind` fills each field from its
 * row.
 */
interface ErasedHandler {
  run(input: { [Campo in keyof RouteInput<RouteShape>]: unknown }): Promise<unknown>
}

export function bind<const R extends RouteShape>(row: R, handler: RouteHandler<R>): BoundRoute {
  const erased: ErasedHandler['run'] = handler
  return {
    row,
    run: (request, sessao) =>
      erased({
        sessao,
        params: parse(row.params, request.params),
        query: parse(row.query, request.query),
        body:
          row.bodyType === 'multipart' ? undefined : parse(row.body, request.body === undefined ? {} : request.body),
        ip: request.ip,
        userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
        request,
      }),
  }
}

function parse(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  return parseShape(schema, value)
}

const PUBLIC_BODY_BYTES = 16_384

export interface MountDeps {
  readonly authenticate: Authenticate
  readonly clock: Clock
  readonly fileLinks: Pick<FileLinks, 'signJson'>
}

const JSON_TYPE = 'application/json; charset=utf-8'

type AnswerWriter = ReturnType<typeof createAnswerWriter>

function createWriter(
  { response, otherResponse: other }: RouteShape,
  checkAnswers: boolean,
): ((query: unknown) => AnswerWriter) | null {
  if (response === undefined) return null
  const write = createAnswerWriter(response, checkAnswers)
  if (other === undefined) return () => write
  const writeOther = createAnswerWriter(other.response, checkAnswers)
  return (query) => (contains(query, other.query) ? writeOther : write)
}

function contains(query: unknown, wanted: Readonly<Record<string, string>>): boolean {
  const given = new Map(Object.entries(Object(query)))
  return Object.entries(wanted).every(([name, value]) => given.get(name) === value)
}

function streamTypeOf({ responseType = 'text/plain', bytesWhen, bytesType }: RouteShape, query: unknown): string {
  if (bytesWhen !== undefined && contains(query, bytesWhen)) return bytesType ?? 'application/octet-stream'
  return `${responseType}; charset=utf-8`
}

/** Mounts one route: token, permission, validation, handler, answer. `checkAnswers` also validates the answers. */
export function mount(
  app: FastifyInstance,
  { authenticate, clock, fileLinks }: MountDeps,
  { row, run, headers = {} }: BoundRoute,
  checkAnswers = true,
): void {
  const write = createWriter(row, checkAnswers)
  const writeAccepted = row.accepted === undefined ? null : createAnswerWriter(row.accepted, checkAnswers)
  const sessions = new WeakMap<FastifyRequest, RequestSession>()
  app.route({
    method: row.method,
    url: `/api${row.path}`,
    config: { erroPadrao: row.fallbackError },
    ...(row.permission === 'publico' && { bodyLimit: PUBLIC_BODY_BYTES }),
    // A compressed event would wait in the buffer of the encoder.
    ...(row.responseType === 'text/event-stream' && { compress: false }),
    ...(row.kept === true && { compress: false }),
    // Runs after the rate limit, which the plugin adds behind the route's `onRequest`, so refused requests count
    // too.
    preParsing: async (request) => {
      if (row.permission === 'publico') return
      const session = await requireSession(request, authenticate)
      requireContaLimit(request, session.contaId)
      sessions.set(request, { ...session, ip: request.ip })
      if (row.enrolment !== true) requireSecondFactor(session)
      requirePermission(session, row.permission)
      if (row.deniesOperators === true) requirePermission(session, 'dono')
      if (row.stepUp === true) requireStepUp(session, clock.now())
    },
    handler: async (request, reply) => {
      const session = sessions.get(request) ?? null
      const result = await run(request, session)
      void reply.headers(headers)
      if (result instanceof KeptAnswer) return result.send(request, reply)
      if (result instanceof Accepted && writeAccepted !== null) {
        return reply.code(202).type(JSON_TYPE).send(writeAccepted(reply, result.body))
      }
      if (write === null) return reply.code(row.status ?? 204).send()
      if (row.responseType !== undefined) return reply.type(streamTypeOf(row, request.query)).send(result)
      const sign = (json: string): string => (session === null ? json : fileLinks.signJson(session.contaId, json))
      return reply
        .code(row.status ?? 200)
        .type(JSON_TYPE)
        .send(write(request.query)(reply, result, sign))
    },
  })
}
