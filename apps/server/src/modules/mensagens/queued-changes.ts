import * as z from 'zod/mini'

/**
 * A queued change of an earlier message: a row of `saida` with its own id, whose `conteudo` names the changed message.
 * The mark is stored immediately and reverted if the change is not sent.
 */

const changedSchema = z.object({
  mensagemId: z.string(),
  alvo: z.object({ id: z.string(), nossa: z.boolean(), texto: z.string() }),
  anterior: z.nullable(z.string()),
})

/** A reaction of the shop. Empty removes it. */
const queuedReactionSchema = z.extend(changedSchema, { emoji: z.string() })

/** An edit of our message. Null deletes it on both sides. */
const queuedEditSchema = z.extend(changedSchema, { texto: z.nullable(z.string()) })

export const outboxContentSchema = z.object({
  reacao: z.exactOptional(queuedReactionSchema),
  edicao: z.exactOptional(queuedEditSchema),
})
export type QueuedChange = Readonly<z.infer<typeof outboxContentSchema>>

/** Our id of the message that a row changes. Undefined for a row that is a message. */
export function changedIdOf({ reacao, edicao }: QueuedChange): string | undefined {
  return (reacao ?? edicao)?.mensagemId
}

/** Milliseconds that a message waits for its send at most. A late answer of the bot or the AI confuses sooner. */
export const SEND_WITHIN_MS = { automatic: 24 * 3_600_000, person: 72 * 3_600_000 } as const
/** Phones of customers ignore an edit that arrives much later than its message. */
const EDIT_WITHIN_MS = 15 * 60_000

export function sendExpiry(now: Date, sender: keyof typeof SEND_WITHIN_MS): Date {
  return new Date(now.getTime() + SEND_WITHIN_MS[sender])
}

export function changeExpiry(now: Date, { edicao }: QueuedChange): Date {
  const isEdit = edicao !== undefined && edicao.texto !== null
  return isEdit ? new Date(now.getTime() + EDIT_WITHIN_MS) : sendExpiry(now, 'person')
}
