import * as z from 'zod/mini'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

/** Contatos that people of the shop write down. A message from the same phone later finds them by `enderecos`. */

export interface SavedContato {
  readonly id: string
  readonly nome: string
  /** Canonical digits with country code. */
  readonly telefone: string
  readonly observacao: string
}

const INSERT_SQL = `
with i as (
  select * from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as i (id, nome, telefone, observacao)
), novos as (
  insert into enderecos (conta_id, endereco, contato_id)
  select $1, 'tel:' || i.telefone, i.id from i order by 2 on conflict do nothing returning contato_id
)
insert into contatos (conta_id, id, nome, telefone, endereco, observacao, nome_do_painel, editado_em, criado_em,
  ultima_atividade)
select $1, i.id, i.nome, i.telefone, i.telefone, i.observacao, i.nome <> '', $6, $6, $6
from i join novos n on n.contato_id = i.id
returning id`

/**
 * Inserts the contatos whose phone is unknown and returns their ids. Locks the phones in sorted order, as customer
 * messages do. The caller sorts several batches by phone.
 */
export async function insertSavedContatos(
  tx: Tx,
  contaId: string,
  contatos: readonly SavedContato[],
  em: Date,
): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(INSERT_SQL, [
    contaId,
    plainArray(contatos.map(({ id }) => id)),
    textArray(contatos.map(({ nome }) => nome)),
    textArray(contatos.map(({ telefone }) => telefone)),
    textArray(contatos.map(({ observacao }) => observacao)),
    em,
  ])
  return new Set(rows.map(({ id }) => id))
}

export interface SavedChange {
  readonly id: string
  /** Null keeps the name. */
  readonly nome: string | null
  /** Null keeps the text. */
  readonly observacao: string | null
}

const LOCK_SQL = `select id from contatos where conta_id = $1 and id = any ($2::uuid[]) order by id for no key update`

const UPDATE_SQL = `
update contatos c set nome = coalesce(i.nome, c.nome), observacao = coalesce(i.observacao, c.observacao),
  nome_do_painel = c.nome_do_painel or i.nome is not null, editado_em = $5
from unnest($2::uuid[], $3::text[], $4::text[]) as i (id, nome, observacao)
where c.conta_id = $1 and c.id = i.id`

/**
 * Changes contatos and returns the ids that exist. Locks them in id order, as every transaction that locks several
 * contatos does. The caller sorts several batches by id.
 */
export async function updateSavedContatos(
  tx: Tx,
  contaId: string,
  changes: readonly SavedChange[],
  em: Date,
): Promise<Set<string>> {
  const ids = plainArray(changes.map(({ id }) => id))
  const { rows } = await tx.query<{ id: string }>(LOCK_SQL, [contaId, ids])
  await tx.query(UPDATE_SQL, [
    contaId,
    ids,
    textArray(changes.map(({ nome }) => nome)),
    textArray(changes.map(({ observacao }) => observacao)),
    em,
  ])
  return new Set(rows.map(({ id }) => id))
}

const knownSchema = z.object({
  telefone: z.string(),
  id: z.string(),
  nome: z.string(),
  observacao: z.string(),
  etiquetas: z.array(z.string()),
})
export type KnownContato = z.output<typeof knownSchema>

const KNOWN_SQL = `
select substr(e.endereco, 5) as telefone, c.id, c.nome, c.observacao, array(
  select t.etiqueta_id from contatos_etiquetas t where t.conta_id = $1 and t.contato_id = c.id) as etiquetas
from unnest($2::text[]) as i (endereco)
cross join lateral (select * from enderecos e where e.conta_id = $1 and e.endereco = i.endereco offset 0) e
cross join lateral (select * from contatos c where c.conta_id = $1 and c.id = e.contato_id offset 0) c`

/** The contatos of these phones. `telefone` is the phone that was asked for. */
export function findKnownContatos(tx: Tx, contaId: string, telefones: readonly string[]): Promise<KnownContato[]> {
  return tx.rows(knownSchema, KNOWN_SQL, [contaId, textArray(telefones.map((telefone) => `tel:${telefone}`))])
}
