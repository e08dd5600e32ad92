import type * as z from 'zod/mini'
import { JSON_PROFUNDIDADE_MAXIMA } from '@balcao/contract/constants'
import { ERROS } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'

/** Text for issues without their own message. The validator's global language of another library must not appear. */
const defaultIssueText = { error: (): string => ERROS.dadosInvalidos.erro }

/** Validates a value from a client and cleans its texts. Throws `dadosInvalidos` with the path of each issue. */
export function parseShape<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(cleanJson(value), defaultIssueText)
  if (parsed.success) return parsed.data
  const detalhes = parsed.error.issues.map(({ path, message }) => ({ caminho: path.join('.'), mensagem: message }))
  throw new AppError('dadosInvalidos', { erro: detalhes[0]?.mensagem, detalhes })
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** Removes U+0000, which PostgreSQL refuses, and replaces lone surrogates, which JSON readers refuse. */
function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

/**
 * Cleans all texts of a JSON value. Throws `dadosInvalidos` if it is nested too deep or has a key that reaches a
 * prototype.
 */
function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= JSON_PROFUNDIDADE_MAXIMA) throw new AppError('dadosInvalidos')
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) throw new AppError('dadosInvalidos')
    clean[cleanText(key)] = cleanJson(item, depth + 1)
  }
  return clean
}
