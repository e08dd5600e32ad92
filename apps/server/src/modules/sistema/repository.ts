import * as z from 'zod/mini'
import { BOT_FREE_SQL } from '#db/nodes/held-bots.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { oneRow, oneValue } from '#db/statement/statement.ts'

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
      left join bots b on b.conta_id = c.id
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

/** Mean seconds of the last AI answers since an id, or null without any. */
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
  sql`select exists (select from bots where conta_id = ${contaId} and status = 'CONECTADO') as value`,
)
