import * as z from 'zod/mini'
import { isRestricted, SETOR_GERAL } from '@balcao/contract/conversa-access'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { SearchPlan } from './plan.ts'
import { TEXT_SQL } from './unread.ts'

export const foundSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  texto: z.string(),
  origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone', 'nota']),
  criada_em: z.date(),
  nome: z.string(),
  telefone: z.string(),
  nome_usuario: z.string(),
})
export type FoundRow = z.output<typeof foundSchema>

const idRow = z.object({ id: z.string() })

interface IndexQuery {
  /** Text of a `tsquery`. */
  readonly words: string
  /** Only messages with greater ids are read. */
  readonly floor: string
  /** The name of the customer must match all patterns. */
  readonly names: readonly string[] | null
}

/** Reads the index as `mayReadConversa` allows. */
export async function findWithIndex(
  tx: Tx,
  { contaId, reader, before, limit }: SearchPlan,
  { words, floor, names }: IndexQuery,
): Promise<string[]> {
  const setores = isRestricted(reader) ? textArray([...reader.setores, SETOR_GERAL]) : null
  const patterns = names === null ? null : textArray(names)
  const rows = await tx.rows(
    idRow,
    'select id from busca_ids($1::uuid, $2::tsquery, $3::uuid, $4::int, $5::text[], $6::uuid, $7::uuid, $8::text[]) as id',
    [contaId, words, before, limit, setores, reader.usuarioId, floor, patterns],
  )
  return rows.map(({ id }) => id)
}

export async function readFound(tx: Tx, contaId: string, ids: readonly string[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  return tx.rows(
    foundSchema,
    `select m.id, m.conversa_id, ${TEXT_SQL} as texto, m.origem, m.criada_em, c.nome, c.telefone, c.nome_usuario
     from unnest($2::uuid[]) as i (id)
     cross join lateral (select * from mensagens m where m.conta_id = $1 and m.id = i.id offset 0) m
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id`,
    [contaId, plainArray(ids)],
  )
}
