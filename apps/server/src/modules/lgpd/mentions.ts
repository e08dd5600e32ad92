import { foldAccents } from '@balcao/contract/text/fold-accents'
import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { limitSearch } from '#http/page.ts'
import { ACCENTS } from '#lib/text.ts'
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

function addressDigits(addresses: readonly string[]): string[] {
  const numbers = addresses.filter((address) => !isUserId(address))
  return [...new Set(numbers.flatMap((address) => /\d{6,}/.exec(address)?.[0] ?? []))]
}

function patternsOf({ enderecos, nomeUsuario }: Titular): string[] {
  const userName = `(^|[^A-Za-z0-9._@])@${escapePattern(nomeUsuario)}([^A-Za-z0-9._]|$)`
  return [...addressDigits(enderecos).flatMap(numberPatterns), ...(nomeUsuario === '' ? [] : [userName])]
}

const contatoId = value('contatoId', 'uuid')
const nameText = value('name', 'text')

const isNameOfAnother = oneValue(
  'lgpd: is name of another',
  z.boolean(),
  sql`select exists (select 1 from contatos where conta_id = ${contaId} and nome = ${nameText} and id <> ${contatoId})
        or exists (select 1 from usuarios where conta_id = ${contaId} and nome = ${nameText}) as value`,
)

/** The name if it identifies the customer in texts, otherwise null. A name of one word is too common. */
async function findOwnName(tx: Tx, contaId: string, { id, nome }: Titular): Promise<string | null> {
  const name = nome.trim()
  if (!/\S{2,}\s+\S{2,}/.test(name)) return null
  return (await isNameOfAnother(tx, { contaId, contatoId: id, name: nome })) ? null : name
}

export async function mentionOf(tx: Tx, contaId: string, titular: Titular): Promise<Mention> {
  const name = await findOwnName(tx, contaId, titular)
  const addresses = titular.enderecos.filter((address) => !address.startsWith('tel:'))
  const parts = name === null ? addresses : [...addresses, name]
  return { contatoId: titular.id, patterns: patternsOf(titular), parts }
}

const [ACCENTED, PLAIN] = ACCENTS

const countNotas = oneValue(
  'lgpd: count notas of others',
  z.int(),
  sql`
select count(*)::int as value from notas n
cross join lateral (
  select lower(translate(n.texto, '${rawSql(ACCENTED)}', '${rawSql(PLAIN)}')) as texto offset 0
) d
where n.conta_id = ${contaId} and strpos(d.texto, ${nameText}) > 0 and d.texto ~ ${value('pattern', 'text')} and not exists (
  select 1 from conversas v where v.conta_id = n.conta_id and v.id = n.conversa_id and v.contato_id = ${contatoId})`,
)

/**
 * Counts the notas of other contatos with the name, in any case and without accents. Null: not searched, because the
 * name does not identify the customer or the search took 2 s.
 */
export async function countNotasOfOthers(tx: Tx, contaId: string, titular: Titular): Promise<number | null> {
  const name = await findOwnName(tx, contaId, titular)
  if (name === null) return null
  const folded = foldAccents(name)
  const pattern = `(^|[^[:alnum:]])${escapePattern(folded)}([^[:alnum:]]|$)`
  const values = { contaId, contatoId: titular.id, name: folded, pattern }
  try {
    return await limitSearch(tx, '', (limited) => countNotas(limited, values))
  } catch (error) {
    if (error instanceof AppError && error.codigo === 'servidorOcupado') return null
    throw error
  }
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
