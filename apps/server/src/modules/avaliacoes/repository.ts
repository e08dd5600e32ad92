import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Avaliacao } from '@balcao/contract/entities/avaliacao'
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

interface NewAvaliacao {
  readonly id: string
  readonly conversaId: string | null
  readonly contatoId: string
  readonly nota: number
  readonly em: Date
}

/** Takes setor, operador and `teste` from the conversa. */
export async function insertAvaliacao(tx: Tx, contaId: string, input: NewAvaliacao): Promise<void> {
  const { id, conversaId, contatoId, nota, em } = input
  await tx.query(
    `insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, setor, operador_id, teste, criada_em)
     select $1, $2, $3, $4, $5, v.setor, v.operador_id, v.teste, $6 from conversas v where v.conta_id = $1 and v.id = $3`,
    [contaId, id, conversaId, contatoId, nota, em],
  )
}
