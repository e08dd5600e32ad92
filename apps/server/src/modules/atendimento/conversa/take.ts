import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { updateTaken, updateAssigned } from '#modules/conversas/index.ts'
import { audienceOf, SERVER_READER } from '#modules/leitores/index.ts'
import { type ActDeps, type ConversaRef, requireActed, requireOpen } from './change.ts'

export type ActingOperador = Pick<LoginSession, 'usuarioId' | 'nome' | 'setores' | 'linhas'>

/** The first operador wins. Taking an own conversa again succeeds. */
export async function takeConversa(
  tx: Tx,
  { clock, realtime, sendEventIn }: Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Promise<void> {
  const { usuarioId: operadorId, nome: operador } = reader
  const ref = { contaId, id, reader }
  const { contatoId, linhaId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
    tipo: 'atendenteAssumiu',
    ...base,
  }))
  const [, acted] = await inOrder([
    event.stored,
    updateTaken(tx, { contaId, id, operadorId, operador, em: clock.now(), por: operadorId }),
  ])
  const { before, situacao } = await requireActed(tx, ref, acted)
  tx.afterCommit(() => {
    const taken = { userId: contaId, conversaId: id, operadorId, operador, situacao }
    realtime.publishConversa(contaId, 'conversaAssumida', taken, audienceOf(before))
  })
}

export async function assignConversa(
  tx: Tx,
  { clock, realtime, sendEventIn }: Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  { id: operadorId, nome: operador }: Record<'id' | 'nome', string>,
): Promise<void> {
  const ref = { contaId, id, reader: SERVER_READER }
  const { contatoId, linhaId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
    tipo: 'atendenteAssumiu',
    ...base,
  }))
  const [, acted] = await inOrder([
    event.stored,
    updateAssigned(tx, { contaId, id, operadorId, operador, em: clock.now(), por: null }),
  ])
  const { before, situacao } = await requireActed(tx, ref, acted)
  tx.afterCommit(() => {
    const { naoLidas } = situacao
    const taken = { conversaId: id, operadorId, operador, automatica: true as const, naoLidas, situacao }
    const audience = { ...audienceOf(before), operadorId }
    realtime.publishConversa(contaId, 'conversaAssumida', { userId: contaId, ...taken }, audience)
  })
}
