import * as z from 'zod/mini'
import { ACESSOS_DIAS, CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import { rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { deleteOldAgendadas } from '#modules/agendadas/index.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { AVISO_DAYS, deleteOldAvisos } from '#modules/avisos/index.ts'
import { purgeAccess } from '#modules/auth/index.ts'
import { deleteOldJournalEntries } from '#modules/chaves/index.ts'
import { clearRemovedOperadores } from '#modules/contas/index.ts'
import { deleteOldActs } from '#modules/conversas/index.ts'
import {
  deleteOldContatos,
  deleteOldConversas,
  deleteOldMensagens,
  deleteOldSeenMarks,
  type SeenDeps,
} from '#modules/exclusao/index.ts'
import { deleteExpiredCarts } from '#modules/cardapio/index.ts'
import { COST_MARK_DAYS, deleteOldCostMarks } from '#modules/custos/index.ts'
import { sumOldDay } from '#modules/limites/index.ts'
import { deleteOldMails } from '#modules/emails/index.ts'
import { deleteOldRespostas } from '#modules/ia/index.ts'
import { deleteOldLogs } from '#modules/logs/index.ts'
import { deleteOldNotas } from '#modules/notas/index.ts'
import { deleteOldEvents } from '#modules/oficial/index.ts'
import { deleteExpiredVisitors } from '#modules/webchat/index.ts'

const ROWS_BATCH_SIZE = 5_000
const DAY_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const JOURNAL_DAYS = 30
const MAILS_DAYS = 30
/** An undo is possible for 2 minutes. */
const ACTS_DAYS = 1
/** As long as the access records of the same people. */
const REMOVED_DAYS = ACESSOS_DIAS

/** Rows of a conta with a smaller id, or from before this instant, are old. */
interface Old {
  readonly contaId: string
  readonly id: string
  readonly em: Date
}

interface Bounds {
  readonly ids: readonly string[]
  readonly times: readonly Date[]
}

interface Bound {
  readonly id: Sql<Bounds>
  readonly em: Sql<Bounds>
}

interface RetentionTerm {
  /** Null: the period of the conta. */
  readonly days: number | null
  readonly due: (before: Bound) => Sql<Bounds>
  readonly deleteOld: (tx: Tx, old: Old, deps: SeenDeps) => Promise<number>
}

const TERMS: readonly RetentionTerm[] = [
  {
    days: null,
    due: ({ id }) => sql`select 1 from mensagens where conta_id = c.id and id < ${id}`,
    deleteOld: (tx, old, deps) => deleteOldMensagens(tx, deps, old),
  },
  {
    days: null,
    due: ({ id }) => sql`select 1 from notas where conta_id = c.id and id < ${id}`,
    deleteOld: deleteOldNotas,
  },
  {
    days: AVISO_DAYS,
    due: ({ id }) => sql`select 1 from avisos where conta_id = c.id and id < ${id}`,
    deleteOld: deleteOldAvisos,
  },
  {
    days: null,
    due: ({ id }) => sql`select 1 from agendadas where conta_id = c.id and id < ${id} and estado <> 'marcada'`,
    deleteOld: deleteOldAgendadas,
  },
  {
    days: null,
    due: ({ id, em }) => sql`select 1 from conversas where conta_id = c.id and id < ${id} and status = 'finalizada'
      and finalizada_em < ${em}`,
    deleteOld: deleteOldConversas,
  },
  {
    days: null,
    due: ({ id, em }) => sql`select 1 from contatos where conta_id = c.id and id < ${id}
      and greatest(ultima_atividade, editado_em) < ${em}`,
    deleteOld: deleteOldContatos,
  },
  {
    days: LOGS_DIAS,
    due: ({ id }) => sql`select 1 from logs where conta_id = c.id and id < ${id}`,
    deleteOld: deleteOldLogs,
  },
  {
    days: RESPOSTAS_IA_DIAS,
    due: ({ id }) => sql`select 1 from respostas_ia where conta_id = c.id and mensagem_id < ${id}`,
    deleteOld: deleteOldRespostas,
  },
  {
    days: JOURNAL_DAYS,
    due: ({ em }) => sql`select 1 from linhas_oficial_chegadas
      where linha_id in (select linha_id from linhas_oficial o where o.conta_id = c.id) and chegou_em < ${em}`,
    deleteOld: deleteOldEvents,
  },
  {
    days: JOURNAL_DAYS,
    due: ({ em }) => sql`select 1 from linhas_chegadas
      where linha_id in (select linha_id from linhas_bots b where b.conta_id = c.id) and chegou_em < ${em}`,
    deleteOld: deleteOldJournalEntries,
  },
  {
    days: REMOVED_DAYS,
    due: ({ em }) => sql`select 1 from usuarios where conta_id = c.id and excluido_em < ${em} and tipo = 'operador'
      and email <> ''`,
    deleteOld: clearRemovedOperadores,
  },
  {
    days: ACTS_DAYS,
    due: ({ em }) => sql`select 1 from atos_desfaziveis where conta_id = c.id and em < ${em}`,
    deleteOld: deleteOldActs,
  },
  {
    days: COST_MARK_DAYS,
    due: ({ em }) => sql`select 1 from oficial_custos_vistos where conta_id = c.id and visto_em < ${em}`,
    deleteOld: deleteOldCostMarks,
  },
  // A mark stores the end of its period.
  {
    days: 0,
    due: ({ em }) => sql`select 1 from vistos where conta_id = c.id and ate < ${em}`,
    deleteOld: deleteOldSeenMarks,
  },
  {
    days: 0,
    due: ({ em }) => sql`select 1 from webchat_visitantes where conta_id = c.id and expira_em < ${em}`,
    deleteOld: deleteExpiredVisitors,
  },
  {
    days: 0,
    due: ({ em }) => sql`select 1 from carrinhos_pagina where conta_id = c.id and expira_em < ${em}`,
    deleteOld: deleteExpiredCarts,
  },
]

/** `limit 1` keeps the probe an index scan of one row, not one of the table. */
const probes = TERMS.map(({ due }, index) => {
  const position = rawSql(String(index + 1))
  const id = sql`(${value('ids', 'uuid[]')})[${position}]`
  const em = sql`(${value('times', 'timestamptz[]')})[${position}]`
  return sql`(${due({ id, em })} limit 1) is not null`
})

const listDue = manyRows(
  'retencao: list due',
  z.object({ id: z.string(), vencidos: z.array(z.boolean()) }),
  sql`select id, vencidos from unnest(${value('contas', 'uuid[]')}) as c (id)
        cross join lateral (select array[${probes.reduce((all, one) => sql`${all}, ${one}`)}] as vencidos offset 0) as sondas
      where true = any (vencidos)`,
  { planner: 'indexes' },
)

const listContasToClean = manyRows(
  'retencao: list contas',
  z.object({ id: z.string(), retencaoDias: z.nullable(z.int()) }),
  sql`select c.id, p.retencao_dias from contas c left join privacidade p on p.conta_id = c.id
      where p.guarda_legal is not true order by c.id`,
)

/** Contas of one probe. The statement stays far below its timeout. */
const PROBED_CONTAS = 500
const PARALLEL_CONTAS = 4

/**
 * Deletes data past its retention period, in small transactions, 4 contas at once. Contas without data that is due cost
 * no transaction. Returns the number of deleted rows.
 */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'clock' | 'vault'>): Promise<number> {
  const now = deps.clock.now()
  let deleted = 0
  deleted += await repeat(deps, (tx) => purgeAccess(tx, now, ROWS_BATCH_SIZE))
  const mailsBefore = new Date(now.getTime() - MAILS_DAYS * DAY_MS)
  deleted += await repeat(deps, (tx) => purgeAuditoria(tx, { now, limit: ROWS_BATCH_SIZE }))
  deleted += await repeat(deps, (tx) => deleteOldMails(tx, { before: mailsBefore, limit: ROWS_BATCH_SIZE }))
  deleted += await repeat(deps, (tx) => sumOldDay(tx, {}))
  const contas = await deps.db.transaction('*', (tx) => listContasToClean(tx, {}))
  for (const [days, ofDays] of Map.groupBy(contas, ({ retencaoDias }) => retencaoDias ?? CONVERSAS_DIAS)) {
    const ids = ofDays.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += PROBED_CONTAS) {
      deleted += await deleteOfContas(deps, days, ids.slice(from, from + PROBED_CONTAS))
    }
  }
  return deleted
}

async function deleteOfContas(
  deps: Pick<Deps, 'db' | 'clock' | 'vault'>,
  conversasDias: number,
  contas: readonly string[],
): Promise<number> {
  const { db, clock } = deps
  const times = TERMS.map(({ days }) => new Date(clock.now().getTime() - (days ?? conversasDias) * DAY_MS))
  const ids = times.map(firstIdAt)
  const due = await db.transaction('*', (tx) => listDue(tx, { contas, ids, times }), { planner: 'indexes' })
  const work = due.values()
  const counts = Array.from({ length: PARALLEL_CONTAS }, async () => {
    let deleted = 0
    for (const { id: contaId, vencidos } of work) {
      for (const [index, { deleteOld }] of TERMS.entries()) {
        const [id, em] = [ids[index], times[index]]
        if (vencidos[index] !== true || id === undefined || em === undefined) continue
        deleted += await repeat(deps, (tx) => deleteOld(tx, { contaId, id, em }, deps), contaId)
      }
    }
    return deleted
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

async function repeat(
  { db }: Pick<Deps, 'db'>,
  deleteSome: (tx: Tx) => Promise<number>,
  contas: string = '*',
): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await db.transaction(contas, deleteSome)
    if (count === 0) return deleted
    deleted += count
  }
}
