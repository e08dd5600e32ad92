import * as z from 'zod/mini'
import { BOT_FREE_SQL } from '#db/nodes/held-bots.ts'
import { joinMainSession } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { oneRow, oneValue, manyRows, noRows } from '#db/statement/statement.ts'
import { MAIL_WAITING_SQL } from '#db/backup/restore-hold.ts'
import { instant } from '#db/statement/fields.ts'

const hoje = value('hoje', 'date')

export const readSistemaRow = oneRow(
  'sistema: find status',
  z.object({
    manutencao: z.boolean(),
    status: z.nullable(z.string()),
    /** Seconds since the last frame of the service, by the clock of the database. */
    quadroS: z.nullable(z.number()),
    /** The owner wants the bot running, but no node holds its lease. */
    semDono: z.boolean(),
    usadas: z.number(),
    total: z.number(),
    totalOntem: z.number(),
    falhasIa: z.number(),
  }),
  sql`select c.manutencao, b.status, extract(epoch from now() - b.ultimo_quadro)::float8 as quadro_s,
        coalesce(${rawSql(BOT_FREE_SQL)}, false) as sem_dono, coalesce(h.usadas, 0) as usadas,
        coalesce(h.total, 0) as total, coalesce(o.total, 0) as total_ontem, coalesce(i.falhas, 0) as falhas_ia
      from contas c
      ${joinMainSession}
      left join uso_diario h on h.conta_id = c.id and h.dia = ${hoje}
      left join uso_diario o on o.conta_id = c.id and o.dia = ${value('ontem', 'date')}
      left join uso_ia i on i.conta_id = c.id and i.dia = ${hoje}
      where c.id = ${contaId}`,
)

/**
 * Counts messages sent between the ids `de` and `fim`, and those before `ate`. Message ids contain their time, so
 * this is a range of the primary key.
 */
export const countSentMensagens = oneRow(
  'sistema: count sent mensagens',
  z.object({ ateAgora: z.number(), noDia: z.number() }),
  sql`select count(*) filter (where id < ${value('ate', 'uuid')}) as ate_agora, count(*) as no_dia
      from mensagens
      where conta_id = ${contaId} and id >= ${value('de', 'uuid')} and id < ${value('fim', 'uuid')}
        and direcao = 'saida' and origem <> 'telefone' and not simulada and estado <> 'limite'`,
)

const AVERAGED_RESPOSTAS = 20

export const readIaResponseTime = oneValue(
  'sistema: average ia time',
  z.nullable(z.number()),
  sql`select avg((dados->>'duracaoMs')::float8) / 1000 as value from (
        select dados from respostas_ia where conta_id = ${contaId} and mensagem_id >= ${value('since', 'uuid')}
        order by mensagem_id desc limit ${rawSql(String(AVERAGED_RESPOSTAS))}) ultimas`,
)

export const isBotConnected = oneValue(
  'sistema: is bot connected',
  z.boolean(),
  sql`select exists (
    select from contas c ${joinMainSession} where c.id = ${contaId} and b.status = 'CONECTADO') as value`,
)

const now = value('now', 'timestamptz')
/** Longest validity of a mail type. Older mails count neither as waiting nor as failed. */
const mailsBegin = sql`${now} - interval '72 hours'`

export const readCounts = oneRow(
  'sistema: count all',
  z.object({
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
  }),
  sql`
select split_part(current_setting('server_version'), ' ', 1) as postgres,
  (select max(nome) from migracoes) as migracao,
  pg_database_size(current_database()) as banco_bytes,
  (select count(*) from pg_stat_activity where datname = current_database()) as conexoes,
  (select count(*) from contas where excluida_em is null) as contas_vivas,
  (select count(*) from contas where excluida_em is not null) as contas_excluidas,
  (select count(*) from linhas_bots b where ${rawSql(BOT_FREE_SQL)}) as sem_dono,
  coalesce((select arquivos from totais), 0) as arquivos,
  coalesce((select arquivos_bytes from totais), 0) as arquivos_bytes,
  (select count(*) from saida) as fila,
  (select case when count(*) > 0 then greatest(extract(epoch from ${now} - min(m.criada_em)), 0)::float end
    from saida s join mensagens m on m.conta_id = s.conta_id and m.id = s.mensagem_id) as mais_antiga_s,
  (select count(*) from perguntas_ia) as perguntas_ia,
  (select count(*) from emails where enviado_em is null and erro is null and criado_em > ${mailsBegin}) as emails_esperando,
  (select count(*) from emails where enviado_em is null and erro is not null and criado_em > ${mailsBegin}) as emails_com_erro`,
)

export const listBotsByStatus = manyRows(
  'sistema: count bots by status',
  z.object({ status: z.string(), quantos: z.number() }),
  sql`select b.status, count(*) as quantos from linhas_bots b join contas c on c.id = b.conta_id and c.excluida_em is null
      group by b.status order by 2 desc, 1`,
)

export const findPendingRestore = oneRow(
  'sistema: find pending restore',
  z.object({
    copiaDe: z.date(),
    importadaEm: z.date(),
    mensagens: z.number(),
    emails: z.number(),
    bots: z.number(),
    agendadas: z.number(),
  }),
  sql`
select r.copia_de, r.importada_em,
  (select count(*) from saida where proxima_em <= r.importada_em) as mensagens,
  (select count(*) from emails
    where ${rawSql(MAIL_WAITING_SQL)} and criado_em > ${mailsBegin} and criado_em <= r.importada_em) as emails,
  (select count(*) from linhas_bots where desejado) as bots,
  (select count(*) from agendadas where estado = 'marcada' and enviar_em <= ${now}) as agendadas
from restauracoes r where r.decidida_em is null order by r.id desc limit 1`,
)

/** Stores the decision about all imports. Writes nothing if another administrator decided first. */
export const markRestoreDecided = noRows(
  'sistema: decide restore',
  sql`update restauracoes set decidida_em = ${now}, decisao = ${value('decision', 'text')} where decidida_em is null`,
  { planner: 'indexes' },
)

export const findLastBackup = oneRow(
  'sistema: find last backup',
  z.object({ em: instant, linhas: z.number(), tabelas: z.number(), bytes: z.number(), cifrada: z.boolean() }),
  sql`select em, linhas, tabelas, bytes, cifrada from copias_seguranca order by id desc limit 1`,
)
