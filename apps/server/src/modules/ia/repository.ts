import * as z from 'zod/mini'
import { type RespostaIa, respostaIaSchema, type UsoIa } from '@balcao/contract/entities/resposta-ia'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** Usage of one question. */
export interface IaUsage {
  readonly contaId: string
  /** `AAAA-MM-DD` in the time zone of the conta. */
  readonly day: string
  /** 1 when the question was not answered, else 0. */
  readonly falhas: number
  readonly tokensEntrada: number
  readonly tokensSaida: number
}

const upsertUsos = noRows(
  'ia-usos',
  sql`
insert into uso_ia as u (conta_id, dia, perguntas, falhas, tokens_entrada, tokens_saida)
select i.conta_id, i.day, count(*), sum(i.falhas), sum(i.tokens_entrada), sum(i.tokens_saida)
from ${columns('i', { contaId: 'uuid', day: 'date', falhas: 'int', tokensEntrada: 'int', tokensSaida: 'int' })}
group by i.conta_id, i.day order by i.conta_id, i.day
on conflict (conta_id, dia) do update set perguntas = u.perguntas + excluded.perguntas, falhas = u.falhas + excluded.falhas,
  tokens_entrada = u.tokens_entrada + excluded.tokens_entrada, tokens_saida = u.tokens_saida + excluded.tokens_saida`,
  { prepared: true },
)

/** Adds the questions to the counters of their days. */
export async function addUsos(tx: Tx, usages: readonly IaUsage[]): Promise<void> {
  if (usages.length > 0) await upsertUsos(tx, { i: usages })
}

/** The last 30 days with usage, newest first. */
const listDays = manyRows(
  'ia: list days',
  z.object({ dia: z.string(), perguntas: z.number(), tokensEntrada: z.number(), tokensSaida: z.number() }),
  sql`select dia, perguntas, tokens_entrada, tokens_saida from uso_ia
    where conta_id = ${contaId} and perguntas > 0 order by dia desc limit 30`,
)

/** `today` is the local date of the conta. */
export async function readUso(tx: Tx, contaId: string, today: string): Promise<UsoIa> {
  const dias = await listDays(tx, { contaId })
  const { perguntas = 0, tokensEntrada = 0, tokensSaida = 0 } = dias.find(({ dia }) => dia === today) ?? {}
  return { hoje: { perguntas, tokensEntrada, tokensSaida }, dias }
}

/** Deleted with its mensagem or after the retention period. */
export interface RespostaOfConta {
  readonly contaId: string
  readonly resposta: RespostaIa
}

const insertRows = noRows(
  'ia-respostas',
  sql`insert into respostas_ia (conta_id, mensagem_id, dados, criada_em)
    select conta_id, mensagem_id, dados, criada_em
    from ${columns('i', { contaId: 'uuid', mensagemId: 'uuid', dados: 'jsonb', criadaEm: 'timestamptz' })}`,
  { prepared: true },
)

export async function insertRespostas(tx: Tx, respostas: readonly RespostaOfConta[]): Promise<void> {
  if (respostas.length === 0) return
  const i = respostas.map(({ contaId, resposta }) => {
    const { mensagemId, criadaEm } = resposta
    return { contaId, mensagemId, dados: resposta, criadaEm: new Date(criadaEm) }
  })
  await insertRows(tx, { i })
}

const findRow = oneRow(
  'ia: find resposta',
  z.object({ dados: z.unknown() }),
  sql`select dados from respostas_ia where conta_id = ${contaId} and mensagem_id = ${value('mensagemId', 'uuid')}
    and criada_em >= ${value('since', 'timestamptz')}`,
)

/** Returns null if it does not exist, belongs to another conta or is older than `since`. */
export async function findResposta(
  tx: Tx,
  contaId: string,
  mensagemId: string,
  since: Date,
): Promise<RespostaIa | null> {
  const row = await findRow(tx, { contaId, mensagemId, since })
  return row === null ? null : respostaIaSchema.parse(row.dados)
}

/** Deletes one batch. Returns the number of rows. */
export const deleteOldRespostas = noRows(
  'ia: delete old respostas',
  sql`delete from respostas_ia where conta_id = ${contaId} and mensagem_id = any (array(
      select mensagem_id from respostas_ia where conta_id = ${contaId} and mensagem_id < ${value('id', 'uuid')}
      order by mensagem_id limit 1000))`,
)
