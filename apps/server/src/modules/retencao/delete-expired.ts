import * as z from 'zod/mini'
import { ACESSOS_DIAS, CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { deleteOldAgendadas } from '#modules/agendadas/index.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { purgeAccess } from '#modules/auth/index.ts'
import { deleteOldJournalEntries } from '#modules/bot/index.ts'
import { clearRemovedOperadores } from '#modules/contas/index.ts'
import {
  deleteOldContatos,
  deleteOldConversas,
  deleteOldMensagens,
  deleteOldSeenMarks,
  type SeenDeps,
  sumOldDay,
} from '#modules/conversas/index.ts'
import { deleteOldMails } from '#modules/emails/index.ts'
import { deleteOldRespostas } from '#modules/ia/index.ts'
import { deleteOldLogs } from '#modules/logs/index.ts'
import { deleteOldNotas } from '#modules/notas/index.ts'
import { deleteOldEvents } from '#modules/oficial/index.ts'

const ROWS_BATCH_SIZE = 5_000
const DAY_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const JOURNAL_DAYS = 30
const MAILS_DAYS = 30
/** As long as the access records of the same people. */
const REMOVED_DAYS = ACESSOS_DIAS

/** Deletes one batch of data older than `before` and returns the number of rows. */
type DeleteOld = (tx: Tx, contaId: string, before: { readonly id: string; readonly em: Date }) => Promise<number>

interface RetentionTerm {
  readonly days: number
  /** Finds a row that is due: of the conta `c.id`, and older than `$id` or `$em`. */
  readonly due: string
  readonly deleteOld: DeleteOld
}

const OLD_MENSAGEM = 'select 1 from mensagens where conta_id = c.id and id < $id'
const OLD_CONVERSA = `select 1 from conversas where conta_id = c.id and id < $id and status = 'finalizada'
  and finalizada_em < $em`
const OLD_CONTATO =
  'select 1 from contatos where conta_id = c.id and id < $id and greatest(ultima_atividade, editado_em) < $em'

const retentionTerms = (deps: SeenDeps, conversasDias: number): readonly RetentionTerm[] => [
  {
    ...{ days: conversasDias, due: OLD_MENSAGEM },
    deleteOld: (tx, contaId, before) => deleteOldMensagens(tx, deps, { contaId, ...before }),
  },
  {
    ...{ days: conversasDias, due: 'select 1 from notas where conta_id = c.id and id < $id' },
    deleteOld: (tx, contaId, { id }) => deleteOldNotas(tx, { contaId, id }),
  },
  {
    ...{ days: conversasDias, deleteOld: deleteOldAgendadas },
    due: `select 1 from agendadas where conta_id = c.id and id < $id and estado <> 'marcada'`,
  },
  {
    days: conversasDias,
    due: OLD_CONVERSA,
    deleteOld: (tx, contaId, before) => deleteOldConversas(tx, { contaId, ...before }),
  },
  {
    days: conversasDias,
    due: OLD_CONTATO,
    deleteOld: (tx, contaId, before) => deleteOldContatos(tx, { contaId, ...before }),
  },
  {
    ...{ days: LOGS_DIAS, due: 'select 1 from logs where conta_id = c.id and id < $id' },
    deleteOld: (tx, contaId, { id }) => deleteOldLogs(tx, { contaId, id }),
  },
  {
    ...{ days: RESPOSTAS_IA_DIAS, deleteOld: deleteOldRespostas },
    due: 'select 1 from respostas_ia where conta_id = c.id and mensagem_id < $id',
  },
  {
    ...{ days: JOURNAL_DAYS, deleteOld: deleteOldEvents },
    due: 'select 1 from oficial_chegadas where conta_id = c.id and chegou_em < $em',
  },
  {
    days: JOURNAL_DAYS,
    deleteOld: (tx, contaId, { em }) => deleteOldJournalEntries(tx, { contaId, em }),
    due: 'select 1 from whatsapp_chegadas where conta_id = c.id and chegou_em < $em',
  },
  {
    ...{ days: REMOVED_DAYS, deleteOld: clearRemovedOperadores },
    due: `select 1 from usuarios where conta_id = c.id and excluido_em < $em and tipo = 'operador' and email <> ''`,
  },
  // A mark stores the end of its period.
  {
    days: 0,
    due: 'select 1 from vistos where conta_id = c.id and ate < $em',
    deleteOld: (tx, contaId, { em }) => deleteOldSeenMarks(tx, { contaId, em }),
  },
]

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
  deleted += await repeat(deps, (tx) => deleteOldMails(tx, mailsBefore, ROWS_BATCH_SIZE))
  deleted += await repeat(deps, (tx) => sumOldDay(tx, {}))
  const contas = await deps.db.transaction('*', listContasToClean)
  for (const [days, ofDays] of Map.groupBy(contas, ({ retencao_dias }) => retencao_dias ?? CONVERSAS_DIAS)) {
    const ids = ofDays.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += PROBED_CONTAS) {
      deleted += await deleteOfContas(deps, retentionTerms(deps, days), ids.slice(from, from + PROBED_CONTAS))
    }
  }
  return deleted
}

async function deleteOfContas(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  terms: readonly RetentionTerm[],
  contas: readonly string[],
): Promise<number> {
  const dated = terms.map(({ days, ...term }) => {
    const em = new Date(clock.now().getTime() - days * DAY_MS)
    return { ...term, before: { id: firstIdAt(em), em } }
  })
  const due = await db.transaction('*', (tx) => listDue(tx, dated, contas), 'indices')
  const work = due.values()
  const counts = Array.from({ length: PARALLEL_CONTAS }, async () => {
    let deleted = 0
    for (const { id: contaId, vencidos } of work) {
      for (const [index, { deleteOld, before }] of dated.entries()) {
        if (vencidos[index] === true) deleted += await repeat({ db }, (tx) => deleteOld(tx, contaId, before), contaId)
      }
    }
    return deleted
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

interface DatedTerm extends Pick<RetentionTerm, 'due'> {
  readonly before: { readonly id: string; readonly em: Date }
}

const dueSchema = z.object({ id: z.string(), vencidos: z.array(z.boolean()) })

/**
 * For each conta with data that is due: which terms. `limit 1` keeps each probe an index scan of one row, because the
 * planner would otherwise scan a whole table once.
 */
function listDue(
  tx: Tx,
  terms: readonly DatedTerm[],
  contas: readonly string[],
): Promise<z.output<typeof dueSchema>[]> {
  const values: unknown[] = [contas]
  const bind = (value: unknown, type: string): string => `$${values.push(value)}::${type}`
  const probes = terms.map(({ due, before }) => {
    const dated = due
      .replaceAll('$id', () => bind(before.id, 'uuid'))
      .replaceAll('$em', () => bind(before.em, 'timestamptz'))
    return `(${dated} limit 1) is not null`
  })
  return tx.rows(
    dueSchema,
    `select id, vencidos from unnest($1::uuid[]) as c (id)
       cross join lateral (select array[${probes.join(', ')}] as vencidos offset 0) as sondas
     where true = any (vencidos)`,
    values,
  )
}

/** Runs `deleteSome` in separate transactions until it deletes no row. Returns the number of rows. */
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

const contaSchema = z.object({ id: z.string(), retencao_dias: z.nullable(z.int()) })

/** All contas without a legal hold, with their retention in days. Null means the default. */
function listContasToClean(tx: Tx): Promise<z.output<typeof contaSchema>[]> {
  return tx.rows(
    contaSchema,
    `select c.id, p.retencao_dias from contas c left join privacidade p on p.conta_id = c.id
     where p.guarda_legal is not true order by c.id`,
  )
}
