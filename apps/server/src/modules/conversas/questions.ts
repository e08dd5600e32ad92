import * as z from 'zod/mini'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

/** Pending questions to the AI. A contato has at most one. */

/**
 * A newer question replaces the older one of the contato. If the older one (`anterior`) is still unanswered, it
 * belongs to the same question, so its start is kept.
 */
const INSERT_QUESTIONS_SQL = `
with i as (
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::uuid[])
    as i (conta_id, id, contato_id, perguntar_em, anterior)
), antigas as (
  delete from perguntas_ia p using i where p.conta_id = i.conta_id and p.contato_id = i.contato_id
  returning p.conta_id, p.id, coalesce(p.desde_id, p.id) as desde
)
insert into perguntas_ia (conta_id, id, contato_id, perguntar_em, desde_id)
select i.conta_id, i.id, i.contato_id, i.perguntar_em, coalesce(a.desde, i.id)
from i left join antigas a on a.conta_id = i.conta_id and a.id = i.anterior
on conflict (conta_id, id) do nothing`

export interface NewQuestion {
  readonly contaId: string
  readonly id: string
  readonly contatoId: string
  readonly askAt: Date
  /** The unanswered question of the contato before this one. */
  readonly previous: string | null
}

/** At most one question of each contato. */
export async function insertQuestions(tx: Tx, questions: readonly NewQuestion[]): Promise<void> {
  if (questions.length === 0) return
  await tx.queryNamed('perguntas-inserir', INSERT_QUESTIONS_SQL, [
    plainArray(questions.map(({ contaId }) => contaId)),
    plainArray(questions.map(({ id }) => id)),
    plainArray(questions.map(({ contatoId }) => contatoId)),
    plainArray(questions.map(({ askAt }) => askAt.toISOString())),
    plainArray(questions.map(({ previous }) => previous)),
  ])
}

export async function deleteQuestions(
  tx: Tx,
  questions: readonly { readonly contaId: string; readonly id: string }[],
): Promise<void> {
  await tx.queryNamed(
    'perguntas-apagar',
    `delete from perguntas_ia p using unnest($1::uuid[], $2::uuid[]) as i (conta_id, id)
     where p.conta_id = i.conta_id and p.id = i.id`,
    [plainArray(questions.map(({ contaId }) => contaId)), plainArray(questions.map(({ id }) => id))],
  )
}

/** Deletes the questions of all contas up to this instant. Their customers get no late answer. */
export async function deleteQuestionsUntil(tx: Tx, until: Date): Promise<void> {
  await tx.query('delete from perguntas_ia where criada_em <= $1', [until])
}

const questionSchema = z.object({ id: z.string(), contato_id: z.string(), perguntar_em: z.date() })

export interface PendingQuestion {
  readonly contaId: string
  readonly contatoId: string
  readonly id: string
  readonly askAt: Date
}

export async function listQuestions(tx: Tx, contaId: string): Promise<PendingQuestion[]> {
  const rows = await tx.rows(
    questionSchema,
    'select id, contato_id, perguntar_em from perguntas_ia where conta_id = $1',
    [contaId],
  )
  return rows.map((row) => toPending(contaId, row))
}

function toPending(contaId: string, row: z.output<typeof questionSchema>): PendingQuestion {
  return { contaId, id: row.id, contatoId: row.contato_id, askAt: row.perguntar_em }
}

interface OverdueFilter {
  readonly until: Date
  /** Default: all contas. */
  readonly contas?: readonly string[]
}

/** Finds the questions that were due before `until`. */
export async function listOverdueQuestions(tx: Tx, { until, contas }: OverdueFilter): Promise<PendingQuestion[]> {
  const rows = await tx.rows(
    z.extend(questionSchema, { conta_id: z.string() }),
    `select conta_id, id, contato_id, perguntar_em from perguntas_ia
     where perguntar_em < $1 and ($2::uuid[] is null or conta_id = any ($2))`,
    [until, contas ?? null],
  )
  return rows.map((row) => toPending(row.conta_id, row))
}

const awaitedSchema = z.object({
  n: z.number(),
  desde: z.string(),
  nome: z.string(),
  conversa_id: z.nullable(z.string()),
  esperada: z.boolean(),
  versao_contexto: z.int(),
})

const AWAITED_SQL = `
select i.n::int as n, coalesce(p.desde_id, p.id) as desde, c.nome, c.conversa_id,
  coalesce(c.estado ->> 'pergunta' = p.id::text, false) as esperada,
  (select k.versao_contexto from contas k where k.id = i.conta_id) as versao_contexto
from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as i (conta_id, id, contato_id, n)
join perguntas_ia p on p.conta_id = i.conta_id and p.id = i.id and p.contato_id = i.contato_id
cross join lateral (select * from contatos c where c.conta_id = p.conta_id and c.id = p.contato_id offset 0) c`

export interface AwaitedQuestion {
  readonly contaId: string
  /** Id of the first message of the question. Everything the customer wrote since belongs to it. */
  readonly since: string
  readonly customerName: string
  readonly conversaId: string
  readonly contextVersion: number
}

/**
 * Returns an entry per question: null when it was answered or replaced. When the customer is back in the menu or with
 * a person, it deletes the row and returns null.
 */
export async function findAwaitedQuestions(
  tx: Tx,
  questions: readonly Pick<PendingQuestion, 'contaId' | 'contatoId' | 'id'>[],
): Promise<(AwaitedQuestion | null)[]> {
  const { rows } = await tx.queryNamed('perguntas-esperadas', AWAITED_SQL, [
    plainArray(questions.map(({ contaId }) => contaId)),
    plainArray(questions.map(({ id }) => id)),
    plainArray(questions.map(({ contatoId }) => contatoId)),
  ])
  const stored = new Map(rows.map((row) => awaitedSchema.parse(row)).map((row) => [row.n - 1, row]))
  const awaited = questions.map(({ contaId }, index): AwaitedQuestion | null => {
    const row = stored.get(index)
    if (row === undefined || !row.esperada || row.conversa_id === null) return null
    const { desde: since, nome: customerName, conversa_id: conversaId, versao_contexto: contextVersion } = row
    return { contaId, since, customerName, conversaId, contextVersion }
  })
  const left = questions.filter((_, index) => stored.has(index) && awaited[index] === null)
  if (left.length > 0) await deleteQuestions(tx, left)
  return awaited
}
