import * as z from 'zod/mini'
import { BOT_FREE_SQL } from '#db/nodes/held-bots.ts'
import type { Tx } from '#db/transaction.ts'

const readingSchema = z.object({
  manutencao: z.boolean(),
  status: z.nullable(z.string()),
  /** The owner wants the bot running, but no node holds its lease. */
  semDono: z.boolean(),
  /** Seconds since the last frame of the service, by the clock of the database. */
  quadroS: z.nullable(z.number()),
  usadas: z.number(),
  total: z.number(),
  totalOntem: z.number(),
  falhasIa: z.number(),
})
type SistemaReading = z.output<typeof readingSchema>

export async function readSistemaRow(
  tx: Tx,
  contaId: string,
  { hoje, ontem }: { readonly hoje: string; readonly ontem: string },
): Promise<SistemaReading | null> {
  const [line] = await tx.rows(
    readingSchema,
    `select c.manutencao, b.status,
            extract(epoch from now() - b.ultimo_quadro)::float8 as "quadroS",
            coalesce(${BOT_FREE_SQL}, false) as "semDono",
            coalesce(h.usadas, 0) as "usadas", coalesce(h.total, 0) as "total",
            coalesce(o.total, 0) as "totalOntem",
            coalesce(i.falhas, 0) as "falhasIa"
       from contas c
       left join bots b on b.conta_id = c.id
       left join uso_diario h on h.conta_id = c.id and h.dia = $2
       left join uso_diario o on o.conta_id = c.id and o.dia = $3
       left join uso_ia i on i.conta_id = c.id and i.dia = $2
      where c.id = $1`,
    [contaId, hoje, ontem],
  )
  return line ?? null
}

/**
 * Counts messages sent between the ids `de` and `fim`, and those before `ate`. Message ids contain their time, so
 * this is a range of the primary key.
 */
export async function countSentMensagens(
  tx: Tx,
  contaId: string,
  range: { readonly de: string; readonly ate: string; readonly fim: string },
): Promise<{ readonly ateAgora: number; readonly noDia: number }> {
  const [line] = await tx.rows(
    z.object({ ateAgora: z.number(), noDia: z.number() }),
    `select count(*) filter (where id < $3) as "ateAgora", count(*) as "noDia"
       from mensagens
      where conta_id = $1 and id >= $2 and id < $4 and direcao = 'saida' and origem <> 'telefone'
        and not simulada and estado <> 'limite'`,
    [contaId, range.de, range.ate, range.fim],
  )
  return line ?? { ateAgora: 0, noDia: 0 }
}

const AVERAGED_RESPOSTAS = 20

/** Mean seconds of the last AI answers since the id `desde`, or null without any. */
export async function readIaResponseTime(tx: Tx, contaId: string, since: string): Promise<number | null> {
  const [line] = await tx.rows(
    z.object({ segundos: z.nullable(z.number()) }),
    `select avg((dados->>'duracaoMs')::float8) / 1000 as segundos
       from (select dados from respostas_ia where conta_id = $1 and mensagem_id >= $2
              order by mensagem_id desc limit ${AVERAGED_RESPOSTAS}) ultimas`,
    [contaId, since],
  )
  return line?.segundos ?? null
}

export async function isBotConnected(tx: Tx, contaId: string): Promise<boolean> {
  const bot = await tx.kysely.selectFrom('bots').select('status').where('contaId', '=', contaId).executeTakeFirst()
  return bot?.status === 'CONECTADO'
}
