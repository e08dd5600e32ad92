import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'

/** Texts of customers in one list, at most. */
export const TEXTS_MAX = 20_000

const textSchema = z.object({
  id: z.string(),
  pessoa: z.string(),
  conversa: z.string(),
  texto: z.string(),
  comPessoas: z.boolean(),
})

const firstId = value('firstId', 'uuid')
const max = rawSql(String(TEXTS_MAX))

/** Messages that may belong to one question, before its reply. */
const FRAGMENTS_MAX = rawSql('10')

/**
 * Texts of the customer before each reply that is no answer, since the last message of the shop. `offset 0` makes the
 * planner begin with the few replies.
 */
export const listUnanswered = manyRows(
  'ia: list unanswered texts',
  textSchema,
  sql`select r.id, v.contato_id as pessoa, r.conversa_id as conversa, q.texto, v.protocolo is not null as com_pessoas
      from (
        select id, conversa_id from mensagens where conta_id = ${contaId} and lacuna is not null and id >= ${firstId}
        order by id desc limit ${max}
      ) r
      cross join lateral (
        select string_agg(w.texto, ' ' order by w.id) as texto from (
          select m.id, m.texto, count(*) filter (where m.direcao = 'saida') over (order by m.id desc) as saidas
          from mensagens m where m.conta_id = ${contaId} and m.conversa_id = r.conversa_id and m.id < r.id
          order by m.id desc limit ${FRAGMENTS_MAX} offset 0
        ) w where w.saidas = 0 and w.texto <> ''
      ) q
      join conversas v on v.conta_id = ${contaId} and v.id = r.conversa_id
      where q.texto is not null and not v.teste`,
  { planner: 'indexes' },
)

/**
 * The first text of each customer after the bot handed over to people. In a conversa that a person began, the first
 * answer counts as given before the wait.
 */
export const listFirstWords = manyRows(
  'ia: list first words after a hand-off',
  textSchema,
  sql`select m.id, v.contato_id as pessoa, v.id as conversa, m.texto, true as com_pessoas
      from conversas v cross join lateral (
        select m.id, m.texto from mensagens m
        where m.conta_id = v.conta_id and m.conversa_id = v.id and m.direcao = 'entrada' and m.texto <> ''
          and m.criada_em > v.aguardando_desde
        order by m.id limit 1 offset 0
      ) m
      where v.conta_id = ${contaId} and v.id >= ${firstId} and v.protocolo is not null and not v.teste
        and v.primeira_resposta_em < v.aguardando_desde is not true
      order by m.id desc limit ${max}`,
  { planner: 'indexes' },
)

export const listNames = manyRows(
  'ia: list names of contatos',
  z.object({ nome: z.string() }),
  sql`select distinct nome from contatos where conta_id = ${contaId} and nome <> ''`,
)

export const listIgnored = manyRows(
  'ia: list ignored gaps',
  z.object({ id: z.string() }),
  sql`select id from lacunas_ignoradas where conta_id = ${contaId}`,
)

export const insertIgnored = noRows(
  'ia: insert ignored gap',
  sql`insert into lacunas_ignoradas (conta_id, id, ignorada_em)
      values (${contaId}, ${value('id', 'text')}, ${value('em', 'timestamptz')}) on conflict do nothing`,
)
