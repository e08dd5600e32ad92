import * as z from 'zod/mini'
import { canonicalPhone } from '@balcao/contract/entities/telefone'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'

export interface NewContato {
  readonly contaId: string
  readonly id: string
  readonly canonical: string
  readonly nome: string
  readonly telefone: string
  readonly endereco: string
  readonly others?: readonly string[]
  /** With its `seenMarks`. */
  readonly message: { readonly channel: string; readonly idExterno: string; readonly marks: string } | null
}

export interface FoundContato {
  /** Null for a deleted message without a contato. */
  readonly id: string | null
  readonly created: CreatedContato | null
}

export interface CreatedContato {
  readonly contextVersion: number
  /** The message is stored, with another contato. */
  readonly repeated: boolean
}

/** `limit 1` keeps the planner from scanning all messages of the conta. */
export const storedMessageSql = (row: string) => sql`coalesce((
    select true from mensagens m where m.conta_id = ${rawSql(row)}.conta_id and m.canal = ${rawSql(row)}.canal
      and m.id_externo = ${rawSql(row)}.id_externo and m.direcao = 'entrada' limit 1
  ), (
    select true from mensagens m where m.conta_id = ${rawSql(row)}.conta_id and m.canal = ${rawSql(row)}.canal
      and m.id_externo = ${rawSql(row)}.id_externo and m.origem = 'telefone' limit 1
  ), false)`

const ensuredSchema = z.object({
  contaId: z.string(),
  endereco: z.string(),
  contatoId: z.nullable(z.string()),
  contextVersion: z.nullable(z.int()),
  repetida: z.boolean(),
})
type EnsuredRow = z.output<typeof ensuredSchema>

/**
 * An address that a concurrent transaction inserts is missing; the caller repeats the statement. A message that was
 * deleted creates no contato: it would bring an erased customer back. The new ids are compared as an array, because a
 * join of two such lists compares every pair without hash joins.
 */
const ensureRows = manyRows(
  'contatos-garantir',
  ensuredSchema,
  sql`
with i as (
  select * from ${columns('i', {
    contaId: 'uuid',
    canonical: 'text',
    id: 'uuid',
    nome: 'text',
    telefone: 'text',
    endereco: 'text',
    marks: 'text?',
    canal: 'text?',
    idExterno: 'text?',
  })}
), existentes as (
  select e.conta_id, e.endereco, e.contato_id from i
  join enderecos e on e.conta_id = i.conta_id and e.endereco = i.canonical
), faltam as (
  select i.*, exists (
    select 1 from vistos s where s.conta_id = i.conta_id and s.marca = any (string_to_array(i.marks, ' '))
  ) as vista, ${storedMessageSql('i')} as repetida from i
  where not exists (select 1 from existentes x where x.conta_id = i.conta_id and x.endereco = i.canonical)
), novos as (
  insert into enderecos (conta_id, endereco, contato_id)
  select i.conta_id, i.canonical, i.id from faltam i where not i.vista
  order by i.conta_id, i.canonical
  on conflict do nothing
  returning conta_id, endereco, contato_id
), contatos_novos as (
  insert into contatos (conta_id, id, nome, telefone, endereco)
  select i.conta_id, i.id, i.nome, i.telefone, i.endereco from i
  where i.id = any (array(select contato_id from novos))
), outros as (
  insert into enderecos (conta_id, endereco, contato_id)
  select o.conta_id, o.endereco, o.id from ${columns('o', { contaId: 'uuid', id: 'uuid', endereco: 'text' })}
  where o.id = any (array(select contato_id from novos))
  order by o.conta_id, o.endereco
  on conflict do nothing
)
select conta_id, endereco, contato_id, null::int as context_version, false as repetida from existentes
union all select n.conta_id, n.endereco, n.contato_id,
  (select k.versao_contexto from contas k where k.id = n.conta_id), false from novos n
union all select conta_id, canonical, null, null, repetida from faltam where vista or repetida`,
  { prepared: true },
)

export function addressKey(contaId: string, canonical: string): string {
  return `${contaId}|${canonical}`
}

/** By address key. Each first address must be given once. */
export async function ensureContatos(tx: Tx, contatos: readonly NewContato[]): Promise<Map<string, FoundContato>> {
  const rows = await ensureRows(tx, {
    i: contatos.map(({ message, ...contato }) => ({
      ...contato,
      ...{ marks: message?.marks ?? null, canal: message?.channel ?? null, idExterno: message?.idExterno ?? null },
    })),
    o: contatos.flatMap(({ contaId, id, others = [] }) => others.map((endereco) => ({ contaId, id, endereco }))),
  })
  return toFound(rows)
}

function toFound(rows: readonly EnsuredRow[]): Map<string, FoundContato> {
  const keyOf = ({ contaId, endereco }: EnsuredRow): string => addressKey(contaId, endereco)
  const repeated = new Set(rows.filter(({ repetida }) => repetida).map(keyOf))
  const found = new Map<string, FoundContato>()
  for (const row of rows) {
    const { contatoId: id, contextVersion } = row
    // A stored message has a second row, without a contato.
    if (id === null && found.has(keyOf(row))) continue
    const created = contextVersion === null ? null : { contextVersion, repeated: repeated.has(keyOf(row)) }
    found.set(keyOf(row), { id, created })
  }
  return found
}

/** `nome` is only for a new contato. Another transaction may create the contato at the same time. Throws `conflito`. */
export async function ensureContatoOfPhone(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  contaId: string,
  { telefone, nome }: { readonly telefone: string; readonly nome: string },
): Promise<string> {
  const canonical = canonicalAddress(telefone, telefone)
  const fresh = { contaId, id: ids.uuid(), canonical, nome, telefone, endereco: telefone, message: null }
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const found = (await ensureContatos(tx, [fresh])).get(addressKey(contaId, canonical))
    if (typeof found?.id !== 'string') continue
    if (found.created !== null && nome !== '') await markNamedByPeople(tx, { contaId, id: found.id })
    return found.id
  }
  throw new AppError('conflito')
}

/** The name that the service sends does not replace a name that people wrote. */
const markNamedByPeople = noRows(
  'conversas: mark contato named by people',
  sql`update contatos set nome_do_painel = true where conta_id = ${contaId} and id = ${value('id', 'uuid')}`,
)

const findPhoneRow = oneRow(
  'conversas: find phone of address',
  z.object({ telefone: z.string() }),
  sql`select c.telefone from contatos c
      where c.conta_id = ${contaId} and c.telefone <> '' and (c.endereco = ${value('address', 'text')}
        or c.id in (
          select e.contato_id from enderecos e where e.conta_id = ${contaId} and e.endereco = ${value('address', 'text')}))
      limit 1`,
)

export async function findPhone(tx: Tx, contaId: string, address: string): Promise<string> {
  return (await findPhoneRow(tx, { contaId, address }))?.telefone ?? ''
}

/** The phone number if it is known, otherwise the address of the service. */
export function canonicalAddress(phone: string, address: string): string {
  return phone === '' ? address : `tel:${canonicalPhone(phone)}`
}

/** `5511987654321`, `5511987654321@c.us`, `5511987654321:12@s.whatsapp.net`. */
const SERVICE_PHONE = /^\+?(\d+)(?::\d+)?(?:@(?:c\.us|s\.whatsapp\.net))?$/

/** An id with other characters is never a phone number. */
export function serviceAddressKey(address: string): string {
  const [, digits] = SERVICE_PHONE.exec(address) ?? []
  return digits === undefined ? address : canonicalAddress(digits, address)
}

type Named = Record<'nome' | 'telefone' | 'nomeUsuario', string>

export function nameOrPhone({ nome, telefone, nomeUsuario }: Readonly<Named>): string {
  return nome || telefone || (nomeUsuario === '' ? 'Cliente sem nome' : `@${nomeUsuario}`)
}

const contatoId = value('contatoId', 'uuid')

export const updateExpectsAnswer = noRows(
  'conversas: update expected answer',
  sql`
update contatos c set tem_agendada = n.tem from (
  select exists (
    select 1 from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
    where a.conta_id = ${contaId} and v.contato_id = ${contatoId} and a.estado = 'marcada' and a.cancelar_se_responder) as tem
) n where c.conta_id = ${contaId} and c.id = ${contatoId} and c.tem_agendada <> n.tem`,
)

export const setCurrentConversa = noRows(
  'conversas: set current of contato',
  sql`update contatos set conversa_id = ${value('id', 'uuid')} where conta_id = ${contaId} and id = ${contatoId}`,
)

const CHANGES = columns('i', { contaId: 'uuid', contatoId: 'uuid', userName: 'text' })

const takeFromOthers = noRows(
  'nomes-de-usuario-tomar',
  sql`update contatos c set nome_usuario = ''
      where (c.conta_id, c.id) in (
        select o.conta_id, o.id from ${CHANGES}
        join contatos o on o.conta_id = i.conta_id and o.nome_usuario = i.user_name and o.id <> i.contato_id
        for no key update of o skip locked
      )`,
  { prepared: true },
)

const storeFreeNames = noRows(
  'nomes-de-usuario-gravar',
  sql`update contatos c set nome_usuario = i.user_name from ${CHANGES}
      where c.conta_id = i.conta_id and c.id = i.contato_id and not exists (
        select 1 from contatos o where o.conta_id = i.conta_id and o.nome_usuario = i.user_name and o.id <> c.id
      )`,
  { prepared: true },
)

export type UserNameChange = Parameters<typeof storeFreeNames>[1]['i'][number]

/**
 * Takes the names from their earlier contatos, because the service lets people change and reuse user names. A name
 * whose owner another transaction holds stays there: the next message contains it again.
 */
export async function storeUserNames(tx: Tx, changes: readonly UserNameChange[]): Promise<void> {
  // The last turn of a batch wins.
  const i = [...new Map(changes.map((change) => [`${change.contaId} ${change.userName}`, change])).values()]
  if (i.length > 0) await inOrder([takeFromOthers(tx, { i }), storeFreeNames(tx, { i })])
}
