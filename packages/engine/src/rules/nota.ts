import { lerNumero } from './opcoes.ts'

/** A rating from 0 to 5, another number, or not a number at all. */
export type Nota =
  | { readonly tipo: 'nota'; readonly nota: number }
  | { readonly tipo: 'outroNumero' }
  | { readonly tipo: 'texto' }

const DECIMAL = /^\s*\d+[.,]\d+\s*$/
const ESTRELAS = /^\s*(?:⭐|★|🌟)+\s*$/u

/** Reads `5`, `nota 5`, `cinco`, `5️⃣`, `5/5`, `⭐⭐⭐⭐`. */
export function lerNota(texto: string): Nota {
  if (ESTRELAS.test(texto)) {
    const quantas = Array.from(texto.trim().replaceAll('\ufe0f', '')).length
    return quantas <= 5 ? { tipo: 'nota', nota: quantas } : { tipo: 'outroNumero' }
  }
  const numero = lerNumero(texto.replace(/\s*\/\s*5\s*$/, ''))
  if (numero === null)
    return DECIMAL.test(texto) || /^\s*-\s*\d+\s*$/.test(texto) ? { tipo: 'outroNumero' } : { tipo: 'texto' }
  return numero <= 5 ? { tipo: 'nota', nota: numero } : { tipo: 'outroNumero' }
}
