import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import type { ErasedContato } from '#ports/bots.ts'
import type { BotsRuntime } from './commands.ts'
import { addressKey } from '#modules/conversas/index.ts'
import type { BatchHandler } from '#bot/turn/handle-event.ts'
import type { AddressJoins } from '#bot/turn/address-joins.ts'
import type { AiQuestions } from '#bot/ai/questions.ts'
import type { SessionRegistry } from './registry.ts'

const forgottenContatoSchema = z.object({ contaId: z.string(), contatoId: z.string(), enderecos: z.array(z.string()) })

interface ForgottenContato extends ErasedContato {
  readonly contaId: string
}

export function parseForgottenContato(payload: string): ForgottenContato | null {
  try {
    return forgottenContatoSchema.parse(JSON.parse(payload))
  } catch {
    return null
  }
}

interface ForgetContatoOptions {
  readonly sessions: Pick<SessionRegistry, 'get'>
  readonly questions: Pick<AiQuestions, 'forget'>
  readonly handler: Pick<BatchHandler, 'forgetAddress'>
  readonly joins: Pick<AddressJoins, 'forget'>
  readonly bots: () => Pick<BotsRuntime, 'publishStatus'>
  readonly log: FastifyBaseLogger
}

/** Drops an erased contato from this node's memory: send queue, questions, address caches and status lists. */
export function createForgetContato(options: ForgetContatoOptions): (forgotten: ForgottenContato) => void {
  const { sessions, questions, handler, joins, bots, log } = options
  return ({ contaId, contatoId, enderecos }) => {
    const session = sessions.get(contaId)
    session?.queue.dropContato(contatoId)
    session?.setAttended(contatoId, false)
    questions.forget(contaId, contatoId)
    for (const address of enderecos) handler.forgetAddress(addressKey(contaId, address))
    joins.forget()
    bots()
      .publishStatus(contaId)
      .catch((error: unknown) => log.warn({ err: error, contaId }, 'status not published after erasing a contato'))
  }
}
