import * as z from 'zod/mini'
import { isSharedRead } from './shared-reads.ts'

type Cut = (valor: unknown) => unknown

/**
 * Returns a function that serializes the answers of a route. Fields outside `response` are cut.
 * `conferir` also validates every value and throws on a mismatch. It is for tests: validating a list of forty
 * conversas takes as long as reading it. A shared answer is serialized once.
 */
export function createAnswerWriter(response: z.ZodMiniType, check: boolean): (resultado: unknown) => string | Buffer {
  const cortar: Cut = check ? (valor) => response.parse(valor) : cutterOf(response)
  const escritos = new WeakMap<object, Buffer>()
  return (resultado) => {
    if (typeof resultado !== 'object' || resultado === null || !isSharedRead(resultado)) {
      return JSON.stringify(cortar(resultado))
    }
    const escrito = escritos.get(resultado) ?? Buffer.from(JSON.stringify(cortar(resultado)))
    escritos.set(resultado, escrito)
    return escrito
  }
}

/** Cuts objects and lists field by field. Other schemas that may contain unknown fields parse their value. */
function cutterOf(schema: unknown): Cut {
  if (schema instanceof z.ZodMiniObject) return objectCutter(schema.def.shape)
  if (schema instanceof z.ZodMiniArray) {
    const item = cutterOf(schema.def.element)
    return (valor) => (Array.isArray(valor) ? valor.map((um: unknown) => item(um)) : valor)
  }
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    const interno = cutterOf(schema.def.innerType)
    return (valor) => (valor === undefined || valor === null ? valor : interno(valor))
  }
  if (isFlat(schema)) return (valor) => valor
  return schema instanceof z.ZodMiniType ? (valor) => schema.parse(valor) : (valor) => valor
}

function objectCutter(shape: Readonly<Record<string, unknown>>): Cut {
  const campos = Object.entries(shape).map(([nome, schema]) => [nome, cutterOf(schema)] as const)
  return (valor) => {
    if (typeof valor !== 'object' || valor === null) return valor
    const lido: Record<string, unknown> = { ...valor }
    const cortado: Record<string, unknown> = {}
    for (const [nome, cortar] of campos) if (lido[nome] !== undefined) cortado[nome] = cortar(lido[nome])
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
