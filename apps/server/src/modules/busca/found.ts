import * as z from 'zod/mini'
import { isRestricted, SETOR_GERAL } from '@balcao/contract/conversa-access'
import { hasAllTerms } from '@balcao/engine/search/words'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSql } from '#modules/conversas/index.ts'
import { hasAllSql, type SearchPlan } from './plan.ts'
import type { UnreadRange } from './progress.ts'
import { tsqueryOf } from './vectors.ts'

/** Text after the last edit. */
const TEXT_SQL = `coalesce(m.extras ->> 'edicao', m.texto)`
/** Messages that the task did not read yet are at most those of its interval. */
const FRESH_MAX = 5_000

const foundSchema = z.object({
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
const textRow = z.object({ id: z.string(), texto: z.string() })

/** Reads the index as `mayReadConversa` allows. */
export async function findWithIndex(tx: Tx, { contaId, reader, terms, before, limit }: SearchPlan): Promise<string[]> {
  const setores = isRestricted(reader) ? textArray([...reader.setores, SETOR_GERAL]) : null
  const rows = await tx.rows(
    idRow,
    'select id from busca_ids($1::uuid, $2::tsquery, $3::uuid, $4::int, $5::text[], $6::uuid) as id',
    [contaId, tsqueryOf(contaId, terms), before, limit, setores, reader.usuarioId],
  )
  return rows.map(({ id }) => id)
}

/** Reads messages that the index does not contain. */
export async function findUnread(tx: Tx, plan: SearchPlan, range: UnreadRange): Promise<string[]> {
  const { contaId, reader, terms, before, limit } = plan
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  const isFresh = 'above' in range
  const inRange = isFresh ? `m.id > ${bind(range.above)}::uuid` : `m.id < ${bind(range.below)}::uuid`
  const rows = await tx.rows(
    textRow,
    `select m.id, ${TEXT_SQL} as texto from (
       select * from mensagens m where m.conta_id = $1 and m.id < $2::uuid and ${inRange}
         and not exists (select from busca_mensagens b where b.conta_id = $1 and b.mensagem_id = m.id)
       order by m.id desc ${isFresh ? `limit ${FRESH_MAX}` : 'offset 0'}
     ) m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where ${hasAllSql(TEXT_SQL, terms, bind)} and v.protocolo is not null and ${readableSql(reader, 'v', bind)}
     order by m.id desc limit ${bind(2 * limit)}`,
    values,
  )
  return rows.filter(({ texto }) => hasAllTerms(texto, terms)).map(({ id }) => id)
}

/** The last messages of conversas whose customer has all words in the name, user name or phone. `busca` is folded. */
export async function findByName(tx: Tx, plan: SearchPlan): Promise<string[]> {
  const { contaId, reader, terms, before, limit } = plan
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  const named = terms.map(({ word }) => `c.busca like ${bind(`%${word}%`)}`).join(' and ')
  const rows = await tx.rows(
    idRow,
    `select m.id from contatos c
     cross join lateral (
       select v.id from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and v.protocolo is not null
         and ${readableSql(reader, 'v', bind)} order by v.id desc limit 1
     ) v
     cross join lateral (
       select m.id from mensagens m where m.conta_id = c.conta_id and m.conversa_id = v.id order by m.id desc limit 1
     ) m
     where c.conta_id = $1 and ${named} and m.id < $2::uuid order by m.id desc limit ${bind(limit)}`,
    values,
  )
  return rows.map(({ id }) => id)
}

const notaSchema = z.extend(foundSchema, { origem: z.literal('nota') })

export function findNotas(tx: Tx, { contaId, reader, terms, before, limit }: SearchPlan): Promise<FoundRow[]> {
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  return tx.rows(
    notaSchema,
    `select n.id, n.conversa_id, n.texto, 'nota' as origem, n.criada_em, c.nome, c.telefone, c.nome_usuario from notas n
     join conversas v on v.conta_id = n.conta_id and v.id = n.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where n.conta_id = $1 and n.id < $2::uuid and ${hasAllSql('n.texto', terms, bind)}
       and v.protocolo is not null and ${readableSql(reader, 'v', bind)}
     order by n.id desc limit ${bind(limit)}`,
    values,
  )
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
