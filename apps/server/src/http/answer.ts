import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'
import { toJsonSchema } from '@balcao/contract/openapi'
import { isSharedRead } from '#lib/queue/share-reads.ts'

type Serialize = (value: Record<string, unknown>) => string

/** Compiled at the first answer and shared by all servers of the process: all routes take 0.1 s and 14 MB. */
const serializers = new WeakMap<z.ZodMiniType, Serialize>()

function serializerOf(response: z.ZodMiniType, reply: FastifyReply): Serialize {
  const existing = serializers.get(response)
  if (existing !== undefined) return existing
  // The input form has no `additionalProperties: false`. With it, a union refuses unknown fields instead of cutting them.
  const compiled = reply.compileSerializationSchema(withoutRequired(toJsonSchema(response, 'input')))
  serializers.set(response, compiled)
  return compiled
}

/**
 * Drops `required`, so that a missing field is left out of an answer instead of failing the request. Unions keep it:
 * the serializer needs it to select the branch.
 */
function withoutRequired({ required: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const { properties, items } = schema
  if (isRecord(properties)) {
    const fields = Object.entries(properties)
    const loose = fields.map(([name, field]) => [name, isRecord(field) ? withoutRequired(field) : field])
    return { ...schema, properties: Object.fromEntries(loose) }
  }
  return isRecord(items) ? { ...schema, items: withoutRequired(items) } : schema
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Returns a function that serializes the answers of a route with Fastify's serializer. Fields outside `response` are
 * cut. `check` also validates every value and throws on a mismatch. It is for tests: validating a list of forty
 * conversas takes as long as reading it. A shared answer is serialized once. `finish` completes the JSON text; equal
 * results must have equal ones.
 */
export function createAnswerWriter(
  response: z.ZodMiniType,
  check: boolean,
): (reply: FastifyReply, result: unknown, finish?: (json: string) => string) => string | Buffer {
  const written = new WeakMap<object, Buffer>()
  const write = (reply: FastifyReply, result: unknown): string => {
    const answer = check ? response.parse(result) : result
    if (!isRecord(answer)) throw new Error('answer of a route is not an object')
    return serializerOf(response, reply)(answer)
  }
  return (reply, result, finish = (json) => json) => {
    if (!isRecord(result) || !isSharedRead(result)) return finish(write(reply, result))
    const bytes = written.get(result) ?? Buffer.from(finish(write(reply, result)))
    written.set(result, bytes)
    return bytes
  }
}
