import { DDD, parsePhone } from './telefone.ts'

/** Keys of PIX, as in the Banco Central's manual of the DICT: CPF, CNPJ, phone, e-mail and random key. */

export type PixChave = { readonly tipo: 'cpf' | 'cnpj' | 'telefone' | 'email' | 'aleatoria'; readonly chave: string }

const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/
const EMAIL_MAX = 77
const RANDOM_KEY = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** With points it is meant as a CPF, never as a telephone. */
const CPF_SPELLING = /^\d{3}\.\d{3}\.\d{3}-?\d{2}$/
const PHONE = new RegExp(`^55${DDD}(?:9\\d{8}|[2-5]\\d{7})$`)

/**
 * Returns the key in the spelling that banks store, or null when it is none. Eleven digits are a CPF if their check
 * digits agree, otherwise a telephone with its area code.
 */
export function parsePixChave(typed: string): PixChave | null {
  const text = typed.trim()
  const lower = text.toLowerCase()
  if (RANDOM_KEY.test(lower)) return { tipo: 'aleatoria', chave: lower }
  if (text.includes('@')) return lower.length <= EMAIL_MAX && EMAIL.test(lower) ? { tipo: 'email', chave: lower } : null
  const plain = text.replace(/[\s./-]/g, '').toUpperCase()
  if (isCpf(plain)) return { tipo: 'cpf', chave: plain }
  if (isCnpj(plain)) return { tipo: 'cnpj', chave: plain }
  const phone = CPF_SPELLING.test(text) ? null : parsePhone(text)
  return phone !== null && PHONE.test(phone) ? { tipo: 'telefone', chave: `+${phone}` } : null
}

/** True for eleven digits with valid check digits. Eleven equal digits are not a CPF. */
export function isCpf(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false
  return [9, 10].every((position) => cpfDigit(digits.slice(0, position)) === Number(digits[position]))
}

function cpfDigit(base: string): number {
  const sum = [...base].reduce((total, digit, i) => total + Number(digit) * (base.length + 1 - i), 0)
  return ((sum * 10) % 11) % 10
}

/** Source: Receita Federal, IN RFB 2.229/2024. Since July 2026 the first twelve signs may be letters. */
export function isCnpj(text: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(text) || /^(.)\1+$/.test(text)) return false
  return [12, 13].every((position) => cnpjDigit(text.slice(0, position)) === Number(text[position]))
}

function cnpjDigit(base: string): number {
  // A sign counts its ASCII code less 48. Weights run from 2 to 9 from the right, and begin again.
  const sum = [...base].toReversed().reduce((total, sign, i) => total + (sign.charCodeAt(0) - 48) * (2 + (i % 8)), 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}
