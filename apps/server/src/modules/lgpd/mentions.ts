import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Titular } from './titular.ts'

/** Finds a customer in log lines and in the keys of a WhatsApp session. */

const BRAZILIAN_NUMBER = /^55(\d{2})9?(\d{4})(\d{4})$/
const NON_DIGIT = '[^0-9]'

/** POSIX patterns that match a number in any notation: `5511987654321`, `(11) 98765-4321`, `11 8765 4321`. */
export function numberPatterns(digits: string): string[] {
  if (!/^\d{6,}$/.test(digits)) return []
  const whole = (middle: string): string => `(^|${NON_DIGIT})${middle}(${NON_DIGIT}|$)`
  const [, ddd, beginning, fim] = BRAZILIAN_NUMBER.exec(digits) ?? []
  if (ddd === undefined || beginning === undefined || fim === undefined) {
    return [whole([...digits].join(`${NON_DIGIT}?`))]
  }
  const entre = `${NON_DIGIT}{0,3}`
  return [whole(`(55${entre})?0?${ddd}${entre}9?${NON_DIGIT}?${beginning}${NON_DIGIT}?${fim}`)]
}

/** Digits of phone numbers and of WhatsApp ids without a number (LID). */
export function addressDigits(addresses: readonly string[]): string[] {
  return [...new Set(addresses.flatMap((address) => /\d{6,}/.exec(address)?.[0] ?? []))]
}

const patternsOf = ({ enderecos }: Titular): string[] => addressDigits(enderecos).flatMap(numberPatterns)

/**
 * A log line mentions a customer by number, by address, by the id of the contato, a conversa or a mensagem, or by a
 * full name that is unique in the conta.
 */
const MENTIONS_SQL = `
l.conta_id = $1 and (
  (l.mensagem || ' ' || coalesce(l.detalhes::text, '')) ~ any ($3::text[])
  or exists (
    select 1 from unnest($4::text[]) as p (parte) where strpos(l.mensagem || ' ' || coalesce(l.detalhes::text, ''), p.parte) > 0
  ) or exists (
    select 1 from regexp_matches(
      l.mensagem || ' ' || coalesce(l.detalhes::text, ''), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as u (achado)
    where u.achado[1]::uuid = $2
      or exists (select 1 from conversas v where v.conta_id = $1 and v.id = u.achado[1]::uuid and v.contato_id = $2)
      or exists (
        select 1 from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
        where m.conta_id = $1 and m.id = u.achado[1]::uuid and v.contato_id = $2)
  ))`

const NAME_OF_ANOTHER_SQL = `
select exists (select 1 from contatos where conta_id = $1 and nome = $2 and id <> $3)
  or exists (select 1 from usuarios where conta_id = $1 and nome = $2) as de_outro`

async function mentionParams(tx: Tx, contaId: string, titular: Titular): Promise<unknown[]> {
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
  return [contaId, titular.id, patternsOf(titular), parts]
}

const registroSchema = z.object({
  tipo: z.string(),
  mensagem: z.string(),
  detalhes: z.unknown(),
  timestamp: z.date(),
})
export type Registro = z.output<typeof registroSchema>

export async function listRegistros(tx: Tx, contaId: string, titular: Titular): Promise<Registro[]> {
  return tx.rows(
    registroSchema,
    `select l.tipo, l.mensagem, l.detalhes, l.timestamp from logs l where ${MENTIONS_SQL} order by l.id`,
    await mentionParams(tx, contaId, titular),
  )
}

export async function deleteRegistros(tx: Tx, contaId: string, titular: Titular): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from logs l where ${MENTIONS_SQL}`,
    await mentionParams(tx, contaId, titular),
  )
  return rowCount ?? 0
}

/**
 * Patterns, valid in POSIX and JavaScript, that match a number without punctuation, with or without its ninth
 * digit.
 */
export function machineNumberPatterns(addresses: readonly string[]): string[] {
  return addressDigits(addresses).map((digitos) => {
    const [, ddd, beginning, fim] = BRAZILIAN_NUMBER.exec(digitos) ?? []
    const middle = ddd === undefined ? digitos : `55${ddd}9?${beginning}${fim}`
    return `(^|${NON_DIGIT})${middle}(${NON_DIGIT}|$)`
  })
}

/** The ids of these session keys contain numbers. The next message of that phone negotiates new keys. */
export async function deleteSessionKeysOf(tx: Tx, contaId: string, { enderecos }: Titular): Promise<void> {
  const defaults = machineNumberPatterns(enderecos)
  await tx.query('delete from whatsapp_chaves where conta_id = $1 and id ~ any ($2::text[])', [contaId, defaults])
}
