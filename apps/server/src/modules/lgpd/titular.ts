import { parsePhone } from '@balcao/contract/entities/telefone'
import * as z from 'zod/mini'
import { instant } from '#db/statement/fields.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { parseAnnouncements } from '#modules/enderecos/index.ts'

const titularSchema = z.object({
  id: z.string(),
  nome: z.string(),
  telefone: z.string(),
  /** Without `@`. Empty: unknown. */
  nomeUsuario: z.string(),
  etiquetas: z.array(z.string()),
  observacao: z.string(),
  criadoEm: instant,
  ultimaAtividade: instant,
  memoria: z.unknown(),
  /** Canonical form, such as `tel:5511987654321`. */
  enderecos: z.array(z.string()),
  trocas: z.pipe(z.unknown(), z.transform(parseAnnouncements)),
})
/** Data subject under the LGPD: a contato with all its addresses. */
export type Titular = z.output<typeof titularSchema>

const theOne = sql`c.conta_id = ${contaId} and c.id = ${value('contatoId', 'uuid')}`

const findById = oneRow(
  'lgpd: find titular',
  titularSchema,
  sql`
select c.id, c.nome, c.telefone, c.nome_usuario, c.trocas, c.criado_em, c.ultima_atividade, c.estado as memoria, c.observacao,
  array(select e.nome from contatos_etiquetas t join etiquetas e on e.conta_id = t.conta_id and e.id = t.etiqueta_id
        where t.conta_id = c.conta_id and t.contato_id = c.id order by e.chave) as etiquetas,
  coalesce(nullif(array(
    select e.endereco from enderecos e where e.conta_id = c.conta_id and e.contato_id = c.id order by e.endereco
  ), '{}'), array[c.endereco]) as enderecos
from contatos c where ${theOne}`,
)

const lockContato = noRows('lgpd: lock titular', sql`select 1 from contatos c where ${theOne} for update`)

const foundSchema = z.object({ contatoId: z.string() })
const typedText = value('typed', 'text')

const findByAddress = oneRow(
  'lgpd: find by address',
  foundSchema,
  sql`select contato_id from enderecos where conta_id = ${contaId} and endereco = ${typedText}`,
)

const findByUserName = oneRow(
  'lgpd: find by user name',
  foundSchema,
  sql`select id as contato_id from contatos where conta_id = ${contaId} and nome_usuario = ${typedText}`,
)

const findByContato = oneRow(
  'lgpd: find by contato',
  foundSchema,
  sql`select id as contato_id from contatos where conta_id = ${contaId} and id = ${typedText}::uuid`,
)

const findByProtocolo = oneRow(
  'lgpd: find by protocolo',
  foundSchema,
  sql`select contato_id from conversas where conta_id = ${contaId} and protocolo = ${typedText}`,
)

/**
 * Finds a customer by a typed phone number, with or without the ninth digit, by the address of the service, by the
 * user name with `@`, by a protocol number, or by the id of the contato. Throws `naoEncontrado`.
 */
export async function findTitular(tx: Tx, contaId: string, typed: string): Promise<Titular> {
  const phone = parsePhone(typed)
  for (const [find, text] of lookupsOf(typed, phone)) {
    const found = await find(tx, { contaId, typed: text })
    const titular = found === null ? null : await findById(tx, { contaId, ...found })
    if (titular !== null) return titular
  }
  const named = phone === null ? 'com este nome de usuário ou protocolo' : 'com este número'
  throw new AppError('naoEncontrado', { erro: `Nenhum cliente ${named}. Nada dele está guardado aqui.` })
}

/** Most certain first: the digits of a protocol number may also be a phone number. */
function lookupsOf(typed: string, phone: string | null): readonly (readonly [typeof findByAddress, string])[] {
  if (isUuid(typed)) return [[findByContato, typed]]
  if (typed.startsWith('@')) return [[findByUserName, typed.slice(1).toLowerCase()]]
  return [
    [findByAddress, phone === null ? typed : `tel:${phone}`],
    [findByProtocolo, typed],
  ]
}

export async function lockTitular(tx: Tx, contaId: string, contatoId: string): Promise<Titular | null> {
  await lockContato(tx, { contaId, contatoId })
  return findById(tx, { contaId, contatoId })
}
