import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/**
 * A queued reaction of the shop: a row of `saida` with its own id, whose `conteudo` names the marked message. The
 * mark is stored immediately and reverted if the reaction is not sent.
 */
export const reacaoNaFilaSchema = z.object({
  /** Our id of the marked message. */
  mensagemId: z.string(),
  alvo: z.object({ id: z.string(), nossa: z.boolean(), texto: z.string() }),
  /** Empty removes the reaction. */
  emoji: z.string(),
  anterior: z.nullable(z.string()),
})
export type ReacaoNaFila = z.infer<typeof reacaoNaFilaSchema>

export const conteudoSchema = z.object({ reacao: z.optional(reacaoNaFilaSchema) })

const MARCAR = `
update mensagens set extras = nullif(jsonb_strip_nulls(coalesce(extras, '{}') || jsonb_build_object('reacaoLoja', $3::text)), '{}')
where conta_id = $1 and id = $2`

export async function marcarReacao(tx: Tx, contaId: string, mensagemId: string, emoji: string | null): Promise<void> {
  await tx.query(MARCAR, [contaId, mensagemId, emoji])
}

interface ReacaoASair {
  readonly saidaId: string
  readonly contatoId: string
  readonly endereco: string
  readonly reacao: ReacaoNaFila
}

/** The new row is sent after earlier ones of the same contato. */
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

/** Restores the previous reaction, unless an operador has changed it since. */
export async function desfazerReacao(
  tx: Tx,
  contaId: string,
  { mensagemId, emoji, anterior }: ReacaoNaFila,
): Promise<void> {
  await tx.query(`${MARCAR} and coalesce(extras ->> 'reacaoLoja', '') = $4`, [contaId, mensagemId, anterior, emoji])
}

interface ReacaoPerdida {
  readonly canal: string
  readonly alvo: string
  readonly emoji: string
}

const PERDER = `
update mensagens set extras = nullif(coalesce(extras, '{}') - 'reacaoLoja', '{}')
where conta_id = $1 and canal = $2 and id_externo = $3 and coalesce(extras ->> 'reacaoLoja', '') = $4
returning id`

/**
 * Removes a sent reaction that was not delivered. Returns our id of the marked message, or null when an operador
 * has changed the reaction since.
 */
export async function perderReacao(
  tx: Tx,
  contaId: string,
  { canal, alvo, emoji }: ReacaoPerdida,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(PERDER, [contaId, canal, alvo, emoji])
  return rows[0]?.id ?? null
}
