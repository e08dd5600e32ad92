import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateReleased } from '#modules/conversas/index.ts'
import { recordPasses } from '#modules/prazos/index.ts'
import { type Act, type ActDeps, ownerOrId, refOf } from './change.ts'

/** Returns the conversa to the queue of its setor. Throws `semPermissao` for others than its operador and the owner. */
export function releaseConversa(
  { clock, realtime }: Pick<ActDeps, 'clock' | 'realtime'>,
  session: LoginSession,
  id: string,
): Act {
  const ref = refOf(session, id)
  const { contaId } = ref
  const em = clock.now()
  return {
    ref,
    event: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
    update: async (tx) => {
      const released = await updateReleased(tx, { contaId, id, em, from: ownerOrId(session) })
      if (released !== null)
        await recordPasses(tx, { contaId, operadorId: session.usuarioId, now: em, conversaIds: [id] })
      return released
    },
    refusal: () => new AppError('semPermissao', { erro: 'Só quem atende esta conversa pode devolvê-la à fila.' }),
    publish: (served, situacao) => {
      const waits = { ...situacao, aguardandoDesde: em.toISOString() }
      const event = { userId: contaId, conversaId: id, novoSetor: situacao.setor, situacao: waits }
      realtime.publishConversa(contaId, 'conversaTransferida', event, audienceOf(served))
    },
  }
}
