import * as z from 'zod/mini'
import { dialogue, joinDialogue, lineOf } from '#db/statement/line.ts'
import { columns, contaId, linhaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { monthCostOf } from './budget.ts'

export interface NewQuestion {
  readonly contaId: string
  readonly id: string
  readonly contatoId: string
  /** Null: the first line. */
  readonly linhaId: string | null
  readonly askAt: Date
  /** The unanswered question of the contato before this one. */
  readonly previous: string | null
}

/**
 * A newer question replaces the older one of the contato. If the older one (`previous`) is still unanswered, it
 * belongs to the same question, so its start is kept.
 */
const insertRows = noRows(
  'perguntas-inserir',
  sql`
with i as (
  select * from ${columns('i', {
    contaId: 'uuid',
    id: 'uuid',
    contatoId: 'uuid',
    linhaId: 'uuid?',
    askAt: 'timestamptz',
    previous: 'uuid?',
  })}
), antigas as (
  delete from perguntas_ia p using i where p.conta_id = i.conta_id and p.contato_id = i.contato_id
    and p.linha_id is not distinct from i.linha_id
  returning p.conta_id, p.id, coalesce(p.desde_id, p.id) as desde
)
insert into perguntas_ia (conta_id, id, contato_id, linha_id, perguntar_em, desde_id)
select i.conta_id, i.id, i.contato_id, i.linha_id, i.ask_at, coalesce(a.desde, i.id)
from i left join antigas a on a.conta_id = i.conta_id and a.id = i.previous
on conflict (conta_id, id) do nothing`,
  { prepared: true },
)

/** At most one question of each dialogue. */
export async function insertQuestions(tx: Tx, questions: readonly NewQuestion[]): Promise<void> {
  if (questions.length > 0) await insertRows(tx, { i: questions })
}

export const deleteQuestions = noRows(
  'perguntas-apagar',
  sql`delete from perguntas_ia p using ${columns('i', { contaId: 'uuid', id: 'uuid' })}
      where p.conta_id = i.conta_id and p.id = i.id`,
  { prepared: true },
)

const until = value('until', 'timestamptz')

export const deleteQuestionsUntil = noRows(
  'conversas: delete old questions',
  sql`delete from perguntas_ia where criada_em <= ${until}`,
  { planner: 'indexes' },
)

const questionSchema = z.object({
  contaId: z.string(),
  linhaId: z.string(),
  id: z.string(),
  contatoId: z.string(),
  askAt: z.date(),
})
export type PendingQuestion = z.output<typeof questionSchema>
const questionColumns = sql`p.conta_id, ${lineOf('p')} as linha_id, p.id, p.contato_id, p.perguntar_em as ask_at`

export const listQuestions = manyRows(
  'conversas: list questions',
  questionSchema,
  sql`select ${questionColumns} from perguntas_ia p where p.conta_id = ${contaId} and ${lineOf('p')} = ${linhaId}`,
)

/** Finds the questions that were due before `until`. Without `linhas` of all lines. */
export const listOverdueQuestions = manyRows(
  'conversas: list overdue questions',
  questionSchema,
  sql`select ${questionColumns} from perguntas_ia p
      where p.perguntar_em < ${until}
        and (${value('linhas', 'uuid[]?')} is null or ${lineOf('p')} = any (${value('linhas', 'uuid[]?')}))`,
)

const listAwaited = manyRows(
  'perguntas-esperadas',
  z.object({
    n: z.int(),
    since: z.string(),
    customerName: z.string(),
    conversaId: z.nullable(z.string()),
    esperada: z.boolean(),
    contextVersion: z.int(),
    monthCost: z.number(),
  }),
  sql`
select i.n::int as n, coalesce(p.desde_id, p.id) as since, c.nome as customer_name, ${dialogue('p', 'conversa_id')} as conversa_id,
  coalesce(${dialogue('p', 'estado')} ->> 'pergunta' = p.id::text, false) as esperada,
  (select k.versao_contexto from contas k where k.id = i.conta_id) as context_version,
  ${monthCostOf} as month_cost
from ${columns('i', { contaId: 'uuid', id: 'uuid', contatoId: 'uuid' }, { number: 'n' })}
join perguntas_ia p on p.conta_id = i.conta_id and p.id = i.id and p.contato_id = i.contato_id
cross join lateral (select * from contatos c where c.conta_id = p.conta_id and c.id = p.contato_id offset 0) c
${joinDialogue('p')}`,
  { prepared: true, planner: 'indexes' },
)

export interface AwaitedQuestion {
  readonly contaId: string
  /** Id of the first message of the question. Everything the customer wrote since belongs to it. */
  readonly since: string
  readonly customerName: string
  readonly conversaId: string
  readonly contextVersion: number
  /** Cost of the AI of the conta in this month, in millionths of a cent. */
  readonly monthCost: number
}

/**
 * Returns an entry per question: null when it was answered or replaced. When the customer is back in the menu or with
 * a person, it deletes the row and returns null.
 */
export async function findAwaitedQuestions(
  tx: Tx,
  questions: readonly Pick<PendingQuestion, 'contaId' | 'contatoId' | 'id'>[],
  now: Date,
): Promise<(AwaitedQuestion | null)[]> {
  const rows = await listAwaited(tx, { i: questions, now })
  const stored = new Map(rows.map(({ n, ...row }) => [n - 1, row]))
  const awaited = questions.map(({ contaId }, index): AwaitedQuestion | null => {
    const row = stored.get(index)
    if (row === undefined || !row.esperada || row.conversaId === null) return null
    const { since, customerName, conversaId, contextVersion, monthCost } = row
    return { contaId, since, customerName, conversaId, contextVersion, monthCost }
  })
  const left = questions.filter((_, index) => stored.has(index) && awaited[index] === null)
  if (left.length > 0) await deleteQuestions(tx, { i: left })
  return awaited
}
