import * as z from 'zod/mini'
import type { Avaliacao } from '@balcao/contract/entities/avaliacao'
import { instant } from '#db/statement/fields.ts'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { readableOfConversa } from '#modules/leitores/index.ts'

const readable = sql`a.conta_id = ${contaId} and ${readableOfConversa('a')}`

export const countAvaliacoes = manyRows(
  'avaliacoes: count',
  z.object({
    nota: z.nullable(z.int()),
    setor: z.nullable(z.string()),
    operadorId: z.nullable(z.string()),
    /** Bits of `grouping()`: 3 `nota`, 5 `setor`, 6 `operadorId`. */
    grupo: z.int(),
    total: z.int(),
    media: z.number(),
  }),
  sql`select nota, setor, operador_id, grouping(nota, setor, operador_id) as grupo, count(*) as total,
        avg(nota)::float8 as media
      from avaliacoes a where ${readable}
      group by grouping sets ((nota), (setor), (operador_id))`,
)

const latestSchema = z.object({
  id: z.string(),
  nota: z.int(),
  nome: z.string(),
  telefone: z.string(),
  nomeUsuario: z.string(),
  conversaId: z.nullable(z.string()),
  protocolo: z.nullable(z.string()),
  setor: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  teste: z.boolean(),
  criadaEm: instant,
})

/** A rating outlives its conversa and its contato, whose fields are then empty. */
export const listLatestAvaliacoes = manyRows(
  'avaliacoes: list latest',
  latestSchema,
  sql`select a.id, a.nota, coalesce(c.nome, '') as nome, coalesce(c.telefone, '') as telefone,
        coalesce(c.nome_usuario, '') as nome_usuario, v.id as conversa_id, v.protocolo, a.setor,
        coalesce(v.operador, u.nome) as operador, a.teste, a.criada_em
      from avaliacoes a
      left join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
      left join contatos c on c.conta_id = a.conta_id and c.id = a.contato_id
      left join usuarios u on u.conta_id = a.conta_id and u.id = a.operador_id
      where ${readable} order by a.criada_em desc, a.id desc limit ${value('limit', 'int')}`,
)

export function toAvaliacao({
  nome,
  telefone,
  nomeUsuario,
  conversaId,
  protocolo,
  setor,
  operador,
  teste,
  ...nota
}: z.output<typeof latestSchema>): Avaliacao {
  return {
    ...nota,
    cliente: { nome, telefone, ...(nomeUsuario === '' ? {} : { nomeUsuario }) },
    ...(conversaId === null ? {} : { conversaId }),
    ...(protocolo === null ? {} : { protocolo }),
    ...(setor === null ? {} : { setor }),
    ...(operador === null ? {} : { operador }),
    ...(teste ? { teste } : {}),
  }
}

const insertRows = noRows(
  'avaliacoes-inserir',
  sql`
insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, setor, operador_id, teste, criada_em)
select i.conta_id, i.id, i.conversa_id, i.contato_id, i.nota, v.setor, v.operador_id, v.teste, i.em
from ${columns('i', {
    contaId: 'uuid',
    id: 'uuid',
    conversaId: 'uuid?',
    contatoId: 'uuid',
    nota: 'int',
    em: 'timestamptz',
  })}
cross join lateral (
  select * from conversas v where v.conta_id = i.conta_id and v.id = i.conversa_id offset 0
) v`,
  { prepared: true },
)

export type NewAvaliacao = Parameters<typeof insertRows>[1]['i'][number]

export async function insertAvaliacoes(tx: Tx, avaliacoes: readonly NewAvaliacao[]): Promise<void> {
  if (avaliacoes.length > 0) await insertRows(tx, { i: avaliacoes })
}
