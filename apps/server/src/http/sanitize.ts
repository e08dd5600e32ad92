import { JSON_PROFUNDIDADE_MAXIMA } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'

const PROIBIDAS = new Set(['__proto__', 'constructor', 'prototype'])

/** Removes U+0000, which PostgreSQL refuses, and replaces lone surrogates, which JSON readers refuse. */
export function cleanText(texto: string): string {
  return texto.replaceAll('\u0000', '').toWellFormed()
}

/**
 * Cleans all texts of a JSON value. Throws `dadosInvalidos` if it is nested too deep or has a key that reaches a
 * prototype.
 */
export function cleanJson(valor: unknown, profundidade = 0): unknown {
  if (typeof valor === 'string') return cleanText(valor)
  if (typeof valor !== 'object' || valor === null) return valor
  if (profundidade >= JSON_PROFUNDIDADE_MAXIMA) throw new AppError('dadosInvalidos')
  if (Array.isArray(valor)) return valor.map((item) => cleanJson(item, profundidade + 1))
  const limpo: Record<string, unknown> = {}
  for (const [chave, item] of Object.entries(valor)) {
    if (PROIBIDAS.has(chave)) throw new AppError('dadosInvalidos')
    limpo[cleanText(chave)] = cleanJson(item, profundidade + 1)
  }
  return limpo
}
