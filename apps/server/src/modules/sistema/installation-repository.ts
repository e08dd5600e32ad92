import * as z from 'zod/mini'
import type { RestoreDecision, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { MAIL_WAITING_SQL } from '#db/backup/restore-hold.ts'
import { BOT_FREE_SQL } from '#db/nodes/held-bots.ts'
import type { Tx } from '#db/transaction.ts'

const countsSchema = z.object({
  postgres: z.string(),
  migracao: z.string(),
  bancoBytes: z.number(),
  conexoes: z.number(),
  contasVivas: z.number(),
  contasExcluidas: z.number(),
  semDono: z.number(),
  arquivos: z.number(),
  arquivosBytes: z.number(),
  fila: z.number(),
  maisAntigaS: z.nullable(z.number()),
  perguntasIa: z.number(),
  emailsEsperando: z.number(),
  emailsComErro: z.number(),
})

/** Longest validity of a mail type. Older mails count neither as waiting nor as failed. */
const MAILS_MS = 3 * 24 * 3_600_000

/** Reads all single counts. Needs a system transaction. */
export async function readCounts(tx: Tx, now: Date): Promise<z.output<typeof countsSchema>> {
  const [line] = await tx.rows(
    countsSchema,
    `select split_part(current_setting('server_version'), ' ', 1) as postgres,
            (select max(nome) from migracoes) as migracao,
            pg_database_size(current_database()) as "bancoBytes",
            (select count(*) from pg_stat_activity where datname = current_database()) as conexoes,
            (select count(*) from contas where excluida_em is null) as "contasVivas",
            (select count(*) from contas where excluida_em is not null) as "contasExcluidas",
            (select count(*) from bots b where ${BOT_FREE_SQL}) as "semDono",
            coalesce((select arquivos from totais), 0) as arquivos,
            coalesce((select arquivos_bytes from totais), 0) as "arquivosBytes",
            (select count(*) from saida) as fila,
            (select case when count(*) > 0 then greatest(extract(epoch from $1 - min(m.criada_em)), 0)::float end
               from saida s join mensagens m on m.conta_id = s.conta_id and m.id = s.mensagem_id) as "maisAntigaS",
            (select count(*) from perguntas_ia) as "perguntasIa",
            (select count(*) from emails where enviado_em is null and erro is null and criado_em > $2) as "emailsEsperando",
            (select count(*) from emails where enviado_em is null and erro is not null and criado_em > $2) as "emailsComErro"`,
    [now, new Date(now.getTime() - MAILS_MS)],
  )
  if (line === undefined) throw new Error('counts query without a row')
  return line
}

export async function listBotsByStatus(tx: Tx): Promise<SistemaAdmin['bots']['porStatus']> {
  return tx.rows(
    z.object({ status: z.string(), quantos: z.number() }),
    `select b.status, count(*) as quantos from bots b join contas c on c.id = b.conta_id and c.excluida_em is null
      group by b.status order by 2 desc, 1`,
  )
}

const restoreSchema = z.object({
  copiaDe: z.date(),
  importadaEm: z.date(),
  mensagens: z.number(),
  emails: z.number(),
  bots: z.number(),
  agendadas: z.number(),
})

/** The newest import without a decision, with the work that its backup contained. Null: none. */
export async function findPendingRestore(tx: Tx, now: Date): Promise<z.output<typeof restoreSchema> | null> {
  const [line] = await tx.rows(
    restoreSchema,
    `select r.copia_de as "copiaDe", r.importada_em as "importadaEm",
            (select count(*) from saida where proxima_em <= r.importada_em) as mensagens,
            (select count(*) from emails
              where ${MAIL_WAITING_SQL} and criado_em > $1 and criado_em <= r.importada_em) as emails,
            (select count(*) from bots where desejado) as bots,
            (select count(*) from agendadas where estado = 'marcada' and enviar_em <= $2) as agendadas
       from restauracoes r where r.decidida_em is null order by r.id desc limit 1`,
    [new Date(now.getTime() - MAILS_MS), now],
  )
  return line ?? null
}

/** Stores the decision about all imports. Returns false if another administrator decided first. */
export async function markRestoreDecided(tx: Tx, decision: RestoreDecision, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('restauracoes')
    .set({ decididaEm: now, decisao: decision })
    .where('decididaEm', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findLastBackup(tx: Tx): Promise<SistemaAdmin['ultimaCopia']> {
  const line = await tx.kysely
    .selectFrom('copiasSeguranca')
    .select(['em', 'linhas', 'tabelas', 'bytes', 'cifrada'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return line === undefined ? null : { ...line, em: line.em.toISOString() }
}
