import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/**
 * A reaction of the shop on its way: a row of `saida` like any other, under an id of its own, whose `conteudo` says which message
 * it marks. The mark itself stands in that message from the first; here is what takes it back should it never leave.
 */
export const reacaoNaFilaSchema = z.object({
  /** The message it marks, by our id. */
  mensagemId: z.string(),
  alvo: z.object({ id: z.string(), nossa: z.boolean(), texto: z.string() }),
  /** Empty takes the mark back. */
  emoji: z.string(),
  /** What stood there before. */
  anterior: z.nullable(z.string()),
})
export type ReacaoNaFila = z.infer<typeof reacaoNaFilaSchema>

/** `saida.conteudo`: empty for a message, which is read from `mensagens`. */
export const conteudoSchema = z.object({ reacao: z.optional(reacaoNaFilaSchema) })

const MARCAR = `
update mensagens set extras = nullif(jsonb_strip_nulls(coalesce(extras, '{}') || jsonb_build_object('reacaoLoja', $3::text)), '{}')
where conta_id = $1 and id = $2`

/** Null takes it away. */
export async function marcarReacao(tx: Tx, contaId: string, mensagemId: string, emoji: string | null): Promise<void> {
  await tx.query(MARCAR, [contaId, mensagemId, emoji])
}

interface ReacaoASair {
  readonly saidaId: string
  readonly contatoId: string
  readonly endereco: string
  readonly reacao: ReacaoNaFila
}

/** After what was promised before it, to the same customer. */
export async function enfileirarReacao(
  tx: Tx,
  contaId: string,
  { saidaId, contatoId, endereco, reacao }: ReacaoASair,
): Promise<void> {
  await tx.query(
    `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
     values ($1, $2::uuid, $3, $4, $5::jsonb, $2::text)`,
    [contaId, saidaId, contatoId, endereco, JSON.stringify({ reacao })],
  )
}

/** It will not leave: the panel shows what the customer sees, unless people have marked the message anew. */
export async function desfazerReacao(
  tx: Tx,
  contaId: string,
  { mensagemId, emoji, anterior }: ReacaoNaFila,
): Promise<void> {
  await tx.query(`${MARCAR} and coalesce(extras ->> 'reacaoLoja', '') = $4`, [contaId, mensagemId, anterior, emoji])
}

interface ReacaoPerdida {
  readonly canal: string
  /** The service's own id of the message that it marks. */
  readonly alvo: string
  readonly emoji: string
}

const PERDER = `
update mensagens set extras = nullif(coalesce(extras, '{}') - 'reacaoLoja', '{}')
where conta_id = $1 and canal = $2 and id_externo = $3 and coalesce(extras ->> 'reacaoLoja', '') = $4
returning id`

/** It had left and did not arrive. Our id of the message it marked; null when people have marked it anew. */
export async function perderReacao(
  tx: Tx,
  contaId: string,
  { canal, alvo, emoji }: ReacaoPerdida,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(PERDER, [contaId, canal, alvo, emoji])
  return rows[0]?.id ?? null
}
