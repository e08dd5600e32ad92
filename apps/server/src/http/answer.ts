import * as z from 'zod/mini'
import { isShared } from './shared-reads.ts'

/** How what a handler gives becomes the body of an answer: cut to the row's shape, written once. */

type Cortar = (valor: unknown) => unknown

/**
 * The writer of a row's answers. Nothing beyond `response` leaves: unknown fields are cut. Handlers are typed by their row, so
 * `conferir`, which also checks every value against the schema and throws what does not match, is for tests: looking at each
 * field of forty conversations again costs as much as reading them. What was read for several is written once.
 */
export function createWriter(response: z.ZodMiniType, conferir: boolean): (resultado: unknown) => string | Buffer {
  const cortar: Cortar = conferir ? (valor) => response.parse(valor) : cutterOf(response)
  const escritos = new WeakMap<object, Buffer>()
  return (resultado) => {
    if (typeof resultado !== 'object' || resultado === null || !isShared(resultado)) {
      return JSON.stringify(cortar(resultado))
    }
    const escrito = escritos.get(resultado) ?? Buffer.from(JSON.stringify(cortar(resultado)))
    escritos.set(resultado, escrito)
    return escrito
  }
}

/** Objects and lists are walked; what else may hold more than it says goes through its schema. */
function cutterOf(schema: unknown): Cortar {
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

function objectCutter(shape: Readonly<Record<string, unknown>>): Cortar {
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
