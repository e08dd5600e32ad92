import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LockedConversa } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { findMensagem, type QueuedChange, queueChange } from '#modules/mensagens/index.ts'

/** Queues a change of an earlier message for the service. A test conversa has none. */
export async function queueMark(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'bots'>,
  contaId: string,
  { teste, contatoId, linhaId, endereco, ultimoId, ultimaSaida: anterior }: LockedConversa,
  change: QueuedChange,
): Promise<void> {
  if (teste) return
  const outboxId = deps.ids.uuidAfter(ultimoId)
  const now = deps.clock.now()
  await queueChange(tx, { contaId, now, outboxId, contatoId, linhaId, address: endereco, anterior, ...change })
  const output = { mensagemId: outboxId, idExterno: outboxId, texto: '', contatoId, anterior, endereco, ...change }
  tx.afterCommit(() => deps.bots.outboxAdded({ contaId, linhaId }, [{ ...output, onSent: () => {} }]))
}

export interface MarkedRef {
  readonly contaId: string
  readonly conversaId: string
  readonly mensagemId: string
}

/** Reads the changed message. `publish`: also for the panels, after the commit. */
export async function readMarked(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  { contaId, conversaId, mensagemId }: MarkedRef,
  locked: LockedConversa,
  publish: boolean,
): Promise<Mensagem> {
  const mensagem = await findMensagem(tx, contaId, mensagemId, nameOrPhone(locked))
  if (mensagem === null) throw new AppError('naoEncontrado')
  if (publish) {
    const event = { userId: contaId, conversaId, mensagem, marcada: true }
    const audience = audienceOf(locked)
    tx.afterCommit(() => realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audience))
  }
  return mensagem
}
