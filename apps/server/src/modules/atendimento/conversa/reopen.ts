import { REABRIR_DIAS } from '@balcao/contract/constants'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { holdSetor } from '#modules/configuracao/index.ts'
import { findServed, finishBotConversa, lockContato, readEnd, reopenForOperador } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { withdrawBotMensagens } from '#modules/mensagens/index.ts'
import { type OpenDeps, openRefusal, readOpened } from './open-conversa.ts'
import type { ActingOperador } from './take.ts'

const REOPEN_MS = REABRIR_DIAS * 24 * 3_600_000

export function reopenConversa(deps: OpenDeps, session: LoginSession, id: string): Promise<Conversa> {
  const { contaId } = session
  return deps.db.transaction(contaId, (tx) => reopenConversaIn(tx, deps, { contaId, id, operador: session }))
}

export interface ReopenRequest {
  readonly contaId: string
  readonly id: string
  readonly operador: ActingOperador
}

/**
 * Keeps the protocolo. A conversa of the bot ends, and a pending rating question is dropped. Throws `naoEncontrado`,
 * `conversaAberta`, `reabrirVencida`, and `conflito` if the operador is inactive.
 */
export async function reopenConversaIn(tx: Tx, deps: OpenDeps, request: ReopenRequest): Promise<Conversa> {
  const { contaId, id, operador } = request
  const served = await findServed(tx, contaId, id, operador)
  if (served === null) throw new AppError('naoEncontrado')
  const { contatoId } = served
  // A setor that was removed after the end of the conversa.
  const setor = (await holdSetor(tx, deps, contaId, served.setor ?? SETOR_GERAL))?.id ?? SETOR_GERAL
  const contato = await lockContato(tx, contaId, contatoId)
  if (contato === null) throw new AppError('naoEncontrado')
  const { open } = contato
  if (open !== null && open.status !== 'bot') throw openRefusal(open)
  const em = deps.clock.now()
  const end = await readEnd(tx, contaId, id)
  if (end === null || em.getTime() - end.getTime() > REOPEN_MS) throw new AppError('reabrirVencida')
  if (open !== null) {
    await withdrawBotMensagens(tx, { contaId, contatoId })
    await finishBotConversa(tx, { contaId, id: open.id, em, motivo: 'reaberta' })
  }
  const reopened = { contaId, id, contatoId, setor, operadorId: operador.usuarioId, em }
  if ((await reopenForOperador(tx, reopened)) === 0) throw new AppError('conflito')
  await deps.applyEventIn(tx, contaId, contatoId, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
  const conversa = await readOpened(tx, contaId, id)
  tx.afterCommit(() => {
    const event = { userId: contaId, conversa }
    deps.realtime.publishConversa(contaId, 'conversaReaberta', event, audienceOf(conversa))
  })
  return conversa
}
