import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Mention } from '#modules/logs/index.ts'
import type { Titular } from './titular.ts'

/** Finds a customer in log lines, in the keys of a WhatsApp session and in stored webhook events. */

const BRAZILIAN_NUMBER = /^55(\d{2})9?(\d{4})(\d{4})$/
const NON_DIGIT = '[^0-9]'

/** POSIX patterns that match a number in any notation: `5511987654321`, `(11) 98765-4321`, `11 8765 4321`. */
function numberPatterns(digits: string): string[] {
  if (!/^\d{6,}$/.test(digits)) return []
  const whole = (middle: string): string => `(^|${NON_DIGIT})${middle}(${NON_DIGIT}|$)`
  const [, ddd, beginning, end] = BRAZILIAN_NUMBER.exec(digits) ?? []
  if (ddd === undefined || beginning === undefined || end === undefined) {
    return [whole([...digits].join(`${NON_DIGIT}?`))]
  }
  const between = `${NON_DIGIT}{0,3}`
  return [whole(`(55${between})?0?${ddd}${between}9?${NON_DIGIT}?${beginning}${NON_DIGIT}?${end}`)]
}

/** Meta's id of a person. Its digits are no phone number, although they may look like one. */
const isUserId = (address: string): boolean => !address.startsWith('tel:') && !address.includes('@')

/** Digits of phone numbers and of WhatsApp ids without a number (LID). */
function addressDigits(addresses: readonly string[]): string[] {
  const numbers = addresses.filter((address) => !isUserId(address))
  return [...new Set(numbers.flatMap((address) => /\d{6,}/.exec(address)?.[0] ?? []))]
}

function patternsOf({ enderecos, nomeUsuario }: Titular): string[] {
  const userName = `(^|[^A-Za-z0-9._@])@${escapePattern(nomeUsuario)}([^A-Za-z0-9._]|$)`
  return [...addressDigits(enderecos).flatMap(numberPatterns), ...(nomeUsuario === '' ? [] : [userName])]
}

const NAME_OF_ANOTHER_SQL = `
select exists (select 1 from contatos where conta_id = $1 and nome = $2 and id <> $3)
  or exists (select 1 from usuarios where conta_id = $1 and nome = $2) as de_outro`

/** Returns what a log line that mentions the customer contains. */
export async function mentionOf(tx: Tx, contaId: string, titular: Titular): Promise<Mention> {
  const parts = titular.enderecos.filter((address) => !address.startsWith('tel:'))
  const name = titular.nome.trim()
  // A name of one word is too common to identify a person.
  if (/\S{2,}\s+\S{2,}/.test(name)) {
    const [parsed] = await tx.rows(z.object({ de_outro: z.boolean() }), NAME_OF_ANOTHER_SQL, [
      contaId,
      titular.nome,
      titular.id,
    ])
    if (parsed?.de_outro === false) parts.push(name)
  }
  return { contatoId: titular.id, patterns: patternsOf(titular), parts }
}

/**
 * Patterns, valid in POSIX and JavaScript, that match a number without punctuation, with or without its ninth
 * digit, or the id of a person.
 */
export function machinePatterns(addresses: readonly string[]): string[] {
  const ids = addresses.filter(isUserId).map((id) => `(^|[^A-Za-z0-9])${escapePattern(id)}([^A-Za-z0-9]|$)`)
  const numbers = addressDigits(addresses).map((digits) => {
    const [, ddd, beginning, end] = BRAZILIAN_NUMBER.exec(digits) ?? []
    const middle = ddd === undefined ? digits : `55${ddd}9?${beginning}${end}`
    return `(^|${NON_DIGIT})${middle}(${NON_DIGIT}|$)`
  })
  return [...numbers, ...ids]
}

/** A backslash before a letter of any alphabet has another meaning. */
const escapePattern = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
