import * as z from 'zod/mini'
import { type RespostaIa, respostaIaSchema, type UsoIa } from '@balcao/contract/entities/resposta-ia'
import type { Tx } from '#db/transaction.ts'

export interface IaUsage {
  readonly perguntas: number
  readonly falhas: number
  readonly tokensEntrada: number
  readonly tokensSaida: number
}

export async function addUso(tx: Tx, contaId: string, day: string, usage: IaUsage): Promise<void> {
  await tx.queryNamed(
    'ia-uso',
    `insert into uso_ia as u (conta_id, dia, perguntas, falhas, tokens_entrada, tokens_saida) values ($1, $2, $3, $4, $5, $6)
     on conflict (conta_id, dia) do update set perguntas = u.perguntas + excluded.perguntas, falhas = u.falhas + excluded.falhas,
       tokens_entrada = u.tokens_entrada + excluded.tokens_entrada, tokens_saida = u.tokens_saida + excluded.tokens_saida`,
    [contaId, day, usage.perguntas, usage.falhas, usage.tokensEntrada, usage.tokensSaida],
  )
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
export async function insertResposta(tx: Tx, contaId: string, reply: RespostaIa): Promise<void> {
  await tx.queryNamed(
    'ia-resposta',
    'insert into respostas_ia (conta_id, mensagem_id, dados, criada_em) values ($1, $2, $3, $4)',
    [contaId, reply.mensagemId, JSON.stringify(reply), reply.criadaEm],
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
