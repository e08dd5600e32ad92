import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { lockConversa } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { reserveOneMensagem } from '#modules/limites/index.ts'
import { findMensagem, findResendable, sentMarksOf, requeueMensagem } from '#modules/mensagens/index.ts'
import { announceMensagens } from './announce.ts'
import { sendRefusalOf, type SendDeps, type SentMensagem } from './send-mensagens.ts'

/**
 * A failed mensagem was counted at its first send; one held back by the daily limit is counted now. Throws
 * `mensagemNaoFalhou`, and the errors of a send.
 */
export function resendMensagem(deps: SendDeps, session: LoginSession, id: string): Promise<SentMensagem> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const first = await findResendable(tx, contaId, id)
    if (first === null) throw new AppError('naoEncontrado')
    const { conversaId } = first
    const locked = await lockConversa(tx, contaId, { conversaId, operador: session })
    // Read again under the lock, so the second of two concurrent retries finds it queued.
    const current = await findResendable(tx, contaId, id)
    if (locked === null || current === null) throw new AppError('naoEncontrado')
    const { modelo } = current
    const refusal = sendRefusalOf(deps, { operador: session, ...(modelo === null ? {} : { modelo }) }, locked)
    // The closed window comes last: a mensagem that did not fail needs no advice about it.
    if (refusal !== null && (refusal.codigo !== 'janelaFechada' || hasFailed(current))) throw refusal
    if (!hasFailed(current)) throw new AppError('mensagemNaoFalhou')
    await requeueMensagem(tx, { contaId, id, now: deps.clock.now() }, locked)
    if (current.estado === 'limite') await reserveOneMensagem(tx, deps, contaId)
    const mensagem = await findMensagem(tx, contaId, id, nameOrPhone(locked))
    if (mensagem === null) throw new AppError('naoEncontrado')
    announceMensagens(tx, deps, contaId, [
      {
        ...{ conversaId, mensagem, locked, situacao: locked.situacao },
        modelo: current.modelo,
        ...sentMarksOf(current.extras),
      },
    ])
    return { mensagem, conversaId }
  })
}

function hasFailed({ direcao, estado }: { readonly direcao: string; readonly estado: string }): boolean {
  return direcao === 'saida' && (estado === 'falhou' || estado === 'limite')
}
