import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/**
 * A queued reaction of the shop: a row of `saida` with its own id, whose `conteudo` names the marked message. The
 * mark is stored immediately and reverted if the reaction is not sent.
 */
export const queuedReactionSchema = z.object({
  /** Our id of the marked message. */
  mensagemId: z.string(),
  alvo: z.object({ id: z.string(), nossa: z.boolean(), texto: z.string() }),
  /** Empty removes the reaction. */
  emoji: z.string(),
  anterior: z.nullable(z.string()),
})
export type QueuedReaction = z.infer<typeof queuedReactionSchema>

export const outboxContentSchema = z.object({ reacao: z.optional(queuedReactionSchema) })

const SET_REACTION_SQL = `
update mensagens set extras = nullif(jsonb_strip_nulls(coalesce(extras, '{}') || jsonb_build_object('reacaoLoja', $3::text)), '{}')
where conta_id = $1 and id = $2`

export async function setReaction(tx: Tx, contaId: string, mensagemId: string, emoji: string | null): Promise<void> {
  await tx.query(SET_REACTION_SQL, [contaId, mensagemId, emoji])
}

interface ReactionToQueue {
  readonly outboxId: string
  readonly contatoId: string
  readonly address: string
  readonly reacao: QueuedReaction
}

/** The new row is sent after earlier ones of the same contato. */
export async function queueReaction(
  tx: Tx,
  contaId: string,
  { outboxId, contatoId, address, reacao }: ReactionToQueue,
): Promise<void> {
  await tx.query(
    `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo)
     values ($1, $2::uuid, $3, $4, $5::jsonb, $2::text)`,
    [contaId, outboxId, contatoId, address, JSON.stringify({ reacao })],
  )
}

/** Restores the previous reaction, unless an operador has changed it since. */
export async function revertReaction(
  tx: Tx,
  contaId: string,
  { mensagemId, emoji, anterior }: QueuedReaction,
): Promise<void> {
  await tx.query(`${SET_REACTION_SQL} and coalesce(extras ->> 'reacaoLoja', '') = $4`, [
    contaId,
    mensagemId,
    anterior,
    emoji,
  ])
}

interface LostReaction {
  readonly channel: string
  readonly serviceId: string
  readonly emoji: string
}

const DROP_REACTION_SQL = `
update mensagens set extras = nullif(coalesce(extras, '{}') - 'reacaoLoja', '{}')
where conta_id = $1 and canal = $2 and id_externo = $3 and coalesce(extras ->> 'reacaoLoja', '') = $4
returning id`

/**
 * Removes a sent reaction that was not delivered. Returns our id of the marked message, or null when an operador
 * has changed the reaction since.
 */
export async function dropReaction(
  tx: Tx,
  contaId: string,
  { channel, serviceId, emoji }: LostReaction,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(DROP_REACTION_SQL, [contaId, channel, serviceId, emoji])
  return rows[0]?.id ?? null
}
