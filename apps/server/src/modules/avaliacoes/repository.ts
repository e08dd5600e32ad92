import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Avaliacao } from '@balcao/contract/entities/avaliacao'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSetorSql } from '#modules/conversas/index.ts'

const countSchema = z.object({
  nota: z.nullable(z.number()),
  setor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  /** Bits of `grouping()`: 3 `nota`, 5 `setor`, 6 `operadorId`. */
  grupo: z.number(),
  total: z.number(),
  media: z.number(),
})

/** Reader of the ratings of one conta. A rating belongs to the setor of its conversa. */
export interface AvaliacoesReader extends ConversaReader {
  readonly contaId: string
}

export async function countAvaliacoes(tx: Tx, reader: AvaliacoesReader): Promise<z.output<typeof countSchema>[]> {
  const values: unknown[] = [reader.contaId]
  const readable = readableSetorSql(reader, 'a.setor', bindTo(values))
  return tx.rows(
    countSchema,
    `select nota, setor, operador_id as "operadorId", grouping(nota, setor, operador_id) as grupo,
            count(*) as total, avg(nota)::float8 as media
       from avaliacoes a where conta_id = $1 and ${readable}
      group by grouping sets ((nota), (setor), (operador_id))`,
    values,
  )
}

const latestSchema = z.object({
  id: z.string(),
  nota: z.number(),
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
  conversaId: z.nullable(z.string()),
  protocolo: z.nullable(z.string()),
  setor: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  teste: z.boolean(),
  criadaEm: z.date(),
})

/** Newest first. A rating outlives its conversa and its contato, whose fields are then empty. */
export async function listLatestAvaliacoes(tx: Tx, reader: AvaliacoesReader, limit: number): Promise<Avaliacao[]> {
  const values: unknown[] = [reader.contaId, limit]
  const readable = readableSetorSql(reader, 'a.setor', bindTo(values))
  const parsed = await tx.rows(
    latestSchema,
    `select a.id, a.nota, coalesce(c.nome, '') as nome, coalesce(c.telefone, '') as telefone,
            coalesce(c.nome_usuario, '') as "nomeUsuario", v.id as "conversaId",
            v.protocolo, a.setor, coalesce(v.operador, u.nome) as operador, a.teste, a.criada_em as "criadaEm"
       from avaliacoes a
       left join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
       left join contatos c on c.conta_id = a.conta_id and c.id = a.contato_id
       left join usuarios u on u.conta_id = a.conta_id and u.id = a.operador_id
      where a.conta_id = $1 and ${readable} order by a.criada_em desc, a.id desc limit $2`,
    values,
  )
  return parsed.map(
    ({ nome, telefone, nomeUsuario, conversaId, protocolo, setor, operador, teste, criadaEm, ...note }) => ({
      ...note,
      cliente: { nome, telefone, ...(nomeUsuario === '' ? {} : { nomeUsuario }) },
      ...(conversaId === null ? {} : { conversaId }),
      ...(protocolo === null ? {} : { protocolo }),
      ...(setor === null ? {} : { setor }),
      ...(operador === null ? {} : { operador }),
      ...(teste ? { teste } : {}),
      criadaEm: criadaEm.toISOString(),
    }),
  )
}

export interface NewAvaliacao {
  readonly contaId: string
  readonly id: string
  readonly conversaId: string | null
  readonly contatoId: string
  readonly nota: number
  readonly em: Date
}

const INSERT_AVALIACOES_SQL = `
insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, setor, operador_id, teste, criada_em)
select i.conta_id, i.id, i.conversa_id, i.contato_id, i.nota, v.setor, v.operador_id, v.teste, i.em
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::timestamptz[])
  as i (conta_id, id, conversa_id, contato_id, nota, em)
cross join lateral (
  select * from conversas v where v.conta_id = i.conta_id and v.id = i.conversa_id offset 0
) v`

/** Takes setor, operador and `teste` from the conversas. */
export async function insertAvaliacoes(tx: Tx, avaliacoes: readonly NewAvaliacao[]): Promise<void> {
  if (avaliacoes.length === 0) return
  await tx.queryNamed('avaliacoes-inserir', INSERT_AVALIACOES_SQL, [
    plainArray(avaliacoes.map(({ contaId }) => contaId)),
    plainArray(avaliacoes.map(({ id }) => id)),
    plainArray(avaliacoes.map(({ conversaId }) => conversaId)),
    plainArray(avaliacoes.map(({ contatoId }) => contatoId)),
    plainArray(avaliacoes.map(({ nota }) => nota)),
    plainArray(avaliacoes.map(({ em }) => em.toISOString())),
  ])
}
