import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import type { Deps } from '#deps.ts'
import { updateReleased, returnConversas } from '#modules/conversas/index.ts'
import { audienceOf, type ChangedConversa } from '#modules/leitores/index.ts'
import { recordPasses } from '#modules/prazos/index.ts'
import { type ActDeps, ownerOrId, refOf, requireActed, requireOpen } from './change.ts'

/** The wait goes on unless the person wrote. Throws `semPermissao` for others than its operador and the owner. */
export async function releaseConversa(
  tx: Tx,
  { clock, realtime, sendEventIn }: Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'>,
  session: LoginSession,
  id: string,
): Promise<void> {
  const ref = refOf(session, id)
  const { contaId } = ref
  const em = clock.now()
  const { contatoId, linhaId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
    tipo: 'atendenteAssumiu',
    ...base,
  }))
  const [, acted] = await inOrder([
    event.stored,
    updateReleased(tx, { contaId, id, em, from: ownerOrId(session), por: session.usuarioId }),
  ])
  const { before, ...released } = await requireActed(tx, ref, acted, async () => {
    await requireOpen(tx, ref)
    return new AppError('semPermissao', { erro: 'Só quem atende esta conversa pode devolvê-la à fila.' })
  })
  await recordPasses(tx, { contaId, operadorId: session.usuarioId, now: em, conversaIds: [id] })
  tx.afterCommit(() => {
    const newWait = released.waitsSinceNow ? { aguardandoDesde: em.toISOString() } : {}
    const situacao = { ...released.situacao, ...newWait }
    const moved = { userId: contaId, conversaId: id, novoSetor: situacao.setor, situacao }
    realtime.publishConversa(contaId, 'conversaTransferida', moved, audienceOf(before))
  })
}

export async function returnConversasToQueue(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  operadorId: string,
): Promise<void> {
  const returned = await returnConversas(tx, contaId, operadorId)
  tx.afterCommit(() => publishReturned(realtime, { contaId, operadorId }, returned))
}

/** The operador who served them receives the event too. */
export function publishReturned(
  realtime: Deps['realtime'],
  { contaId, operadorId }: { readonly contaId: string; readonly operadorId: string },
  returned: readonly ChangedConversa[],
): void {
  for (const { id, linhaId, situacao } of returned) {
    const { setor } = situacao
    const data = { userId: contaId, conversaId: id, novoSetor: setor, situacao }
    realtime.publishConversa(contaId, 'conversaTransferida', data, { setores: [setor], linhaId, operadorId })
  }
}
