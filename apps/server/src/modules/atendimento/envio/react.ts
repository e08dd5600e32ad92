import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { lockConversa } from '#modules/conversas/index.ts'
import { setReaction } from '#modules/mensagens/index.ts'
import { queueMark, readMarked } from './marked.ts'
import { type SendDeps, requireTurn } from './send-mensagens.ts'
import { requireTarget } from './target.ts'

interface OperadorReaction {
  readonly id: string
  readonly mensagemId: string
  readonly emoji: string | null
}

/**
 * The same emoji again changes nothing. Throws `mensagemForaDeAlcance` and the errors of a send except `limiteDiario`.
 */
export function react(
  deps: SendDeps,
  session: LoginSession,
  { id: conversaId, mensagemId, emoji }: OperadorReaction,
): Promise<{ readonly mensagem: Mensagem; readonly conversaId: string }> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const locked = await lockConversa(tx, contaId, { conversaId, operador: session })
    if (locked === null) throw new AppError('naoEncontrado')
    await requireTurn(tx, deps, { contaId, conversaId, operador: session }, locked)
    const ref = { contaId, conversaId, mensagemId }
    const { id, nossa, texto, reacaoLoja: anterior } = await requireTarget(tx, { ...ref, teste: locked.teste })
    const changed = anterior !== emoji
    if (changed) {
      await setReaction(tx, ref, emoji)
      const reacao = { mensagemId, alvo: { id, nossa, texto }, emoji: emoji ?? '', anterior }
      await queueMark(tx, deps, contaId, locked, { reacao })
    }
    return { mensagem: await readMarked(tx, deps, ref, locked, changed), conversaId }
  })
}
