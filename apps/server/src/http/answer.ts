import * as z from 'zod/mini'
import { isSharedRead } from '#lib/share-reads.ts'

type Cut = (value: unknown) => unknown

/**
 * Returns a function that serializes the answers of a route. Fields outside `response` are cut.
 * `conferir` also validates every value and throws on a mismatch. It is for tests: validating a list of forty
 * conversas takes as long as reading it. A shared answer is serialized once.
 */
export function createAnswerWriter(response: z.ZodMiniType, check: boolean): (result: unknown) => string | Buffer {
  const cut: Cut = check ? (value) => response.parse(value) : cutterOf(response)
  const written = new WeakMap<object, Buffer>()
  return (result) => {
    if (typeof result !== 'object' || result === null || !isSharedRead(result)) {
      return JSON.stringify(cut(result))
    }
    const escrito = written.get(result) ?? Buffer.from(JSON.stringify(cut(result)))
    written.set(result, escrito)
    return escrito
  }
}

/** Cuts objects and lists field by field. Other schemas that may contain unknown fields parse their value. */
function cutterOf(schema: unknown): Cut {
  if (schema instanceof z.ZodMiniObject) return objectCutter(schema.def.shape)
  if (schema instanceof z.ZodMiniArray) {
    const item = cutterOf(schema.def.element)
    return (value) => (Array.isArray(value) ? value.map((um: unknown) => item(um)) : value)
  }
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    const interno = cutterOf(schema.def.innerType)
    return (value) => (value === undefined || value === null ? value : interno(value))
  }
  if (isFlat(schema)) return (value) => value
  return schema instanceof z.ZodMiniType ? (value) => schema.parse(value) : (value) => value
}

function objectCutter(shape: Readonly<Record<string, unknown>>): Cut {
  const fields = Object.entries(shape).map(([name, schema]) => [name, cutterOf(schema)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const parsed: Record<string, unknown> = { ...value }
    const cortado: Record<string, unknown> = {}
    for (const [name, cut] of fields) if (parsed[name] !== undefined) cortado[name] = cut(parsed[name])
    return cortado
  }
}

function isFlat(schema: unknown): boolean {
  return [
    z.ZodMiniString,
    z.ZodMiniNumber,
    z.ZodMiniBoolean,
    z.ZodMiniEnum,
    z.ZodMiniLiteral,
    z.ZodMiniNull,
    z.ZodMiniUnknown,
  ].some((flat) => schema instanceof flat)
}
