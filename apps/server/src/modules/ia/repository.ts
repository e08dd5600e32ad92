import * as z from 'zod/mini'
import { type RespostaIa, respostaIaSchema, type UsoIa } from '@balcao/contract/entities/resposta-ia'
import { plainArray, textArray } from '#db/arrays.ts'
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

const ADD_USOS_SQL = `
insert into uso_ia as u (conta_id, dia, perguntas, falhas, tokens_entrada, tokens_saida)
select i.conta_id, i.dia, count(*), sum(i.falhas), sum(i.tokens_entrada), sum(i.tokens_saida)
from unnest($1::uuid[], $2::date[], $3::int[], $4::int[], $5::int[])
  as i (conta_id, dia, falhas, tokens_entrada, tokens_saida)
group by i.conta_id, i.dia order by i.conta_id, i.dia
on conflict (conta_id, dia) do update set perguntas = u.perguntas + excluded.perguntas, falhas = u.falhas + excluded.falhas,
  tokens_entrada = u.tokens_entrada + excluded.tokens_entrada, tokens_saida = u.tokens_saida + excluded.tokens_saida`

/** Adds the questions to the counters of their days. */
export async function addUsos(tx: Tx, usages: readonly IaUsage[]): Promise<void> {
  if (usages.length === 0) return
  await tx.queryNamed('ia-usos', ADD_USOS_SQL, [
    plainArray(usages.map(({ contaId }) => contaId)),
    plainArray(usages.map(({ day }) => day)),
    plainArray(usages.map(({ falhas }) => falhas)),
    plainArray(usages.map(({ tokensEntrada }) => tokensEntrada)),
    plainArray(usages.map(({ tokensSaida }) => tokensSaida)),
  ])
}

const usoRowSchema = z.object({
  dia: z.string(),
  perguntas: z.number(),
  tokensEntrada: z.number(),
  tokensSaida: z.number(),
})

const DAYS_SHOWN = 30

/** Last 30 days with usage, newest first. `hoje` is the local date of the conta. */
export async function readUso(tx: Tx, contaId: string, today: string): Promise<UsoIa> {
  const dias = await tx.rows(
    usoRowSchema,
    `select dia, perguntas, tokens_entrada as "tokensEntrada", tokens_saida as "tokensSaida" from uso_ia
     where conta_id = $1 and perguntas > 0 order by dia desc limit ${DAYS_SHOWN}`,
    [contaId],
  )
  const { perguntas = 0, tokensEntrada = 0, tokensSaida = 0 } = dias.find(({ dia }) => dia === today) ?? {}
  return { hoje: { perguntas, tokensEntrada, tokensSaida }, dias }
}

/** Deleted with its mensagem or after the retention period. */
export interface RespostaOfConta {
  readonly contaId: string
  readonly resposta: RespostaIa
}

export async function insertRespostas(tx: Tx, respostas: readonly RespostaOfConta[]): Promise<void> {
  if (respostas.length === 0) return
  await tx.queryNamed(
    'ia-respostas',
    `insert into respostas_ia (conta_id, mensagem_id, dados, criada_em)
     select * from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::timestamptz[])`,
    [
      plainArray(respostas.map(({ contaId }) => contaId)),
      plainArray(respostas.map(({ resposta }) => resposta.mensagemId)),
      textArray(respostas.map(({ resposta }) => JSON.stringify(resposta))),
      plainArray(respostas.map(({ resposta }) => resposta.criadaEm)),
    ],
  )
}

/** Returns null if it does not exist, belongs to another conta or is older than `desde`. */
export async function findResposta(
  tx: Tx,
  contaId: string,
  mensagemId: string,
  since: Date,
): Promise<RespostaIa | null> {
  const line = await tx.kysely
    .selectFrom('respostasIa')
    .select('dados')
    .where('contaId', '=', contaId)
    .where('mensagemId', '=', mensagemId)
    .where('criadaEm', '>=', since)
    .executeTakeFirst()
  return line === undefined ? null : respostaIaSchema.parse(line.dados)
}

const OLD_BATCH = 1_000

/** Deletes one batch. Returns the number of rows. */
export async function deleteOldRespostas(tx: Tx, contaId: string, { id }: { readonly id: string }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from respostas_ia where conta_id = $1 and mensagem_id = any (array(
       select mensagem_id from respostas_ia where conta_id = $1 and mensagem_id < $2 order by mensagem_id limit ${OLD_BATCH}))`,
    [contaId, id],
  )
  return rowCount ?? 0
}
