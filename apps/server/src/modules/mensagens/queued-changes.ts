import * as z from 'zod/mini'
import { storedLine } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

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

function changeExpiry(now: Date, { edicao }: QueuedChange): Date {
  const isEdit = edicao !== undefined && edicao.texto !== null
  return isEdit ? new Date(now.getTime() + EDIT_WITHIN_MS) : sendExpiry(now, 'person')
}

interface ChangeToQueue extends QueuedChange {
  readonly contaId: string
  readonly now: Date
  readonly outboxId: string
  readonly contatoId: string
  readonly linhaId: string
  readonly address: string
  /** The message promised to the contato before. */
  readonly anterior: string | null
}

/** Null: the first line. */
const linha = value('linha', 'uuid?')

const insertChange = noRows(
  'conversas: queue change',
  sql`with c as (
        update contatos set ultimo_id = greatest(ultimo_id, ${value('outboxId', 'uuid')}),
          ultima_saida = case when ${linha} is null then ${value('outboxId', 'uuid')} else ultima_saida end
        where conta_id = ${contaId} and id = ${value('contatoId', 'uuid')}
      ), d as (
        update dialogos set ultima_saida = ${value('outboxId', 'uuid')}
        where conta_id = ${contaId} and contato_id = ${value('contatoId', 'uuid')} and linha_id = ${linha}
      )
      insert into saida (conta_id, mensagem_id, contato_id, linha_id, endereco, conteudo, id_externo, vence_em, anterior)
      values (${contaId}, ${value('outboxId', 'uuid')}, ${value('contatoId', 'uuid')}, ${linha}, ${value('address', 'text')},
        ${value('conteudo', 'jsonb')}, ${value('outboxId', 'uuid')}::text, ${value('venceEm', 'timestamptz')},
        ${value('anterior', 'uuid?')})`,
)

export async function queueChange(tx: Tx, { now, reacao, edicao, ...queued }: ChangeToQueue): Promise<void> {
  const conteudo = { ...(reacao === undefined ? {} : { reacao }), ...(edicao === undefined ? {} : { edicao }) }
  await insertChange(tx, { ...queued, linha: storedLine(queued), conteudo, venceEm: changeExpiry(now, conteudo) })
}
