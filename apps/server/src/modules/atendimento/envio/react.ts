import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { lockConversa } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { findMensagem, queueReaction, setReaction } from '#modules/mensagens/index.ts'
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
    const { teste, contatoId, endereco } = locked
    const { reacaoLoja: anterior, ...found } = await requireTarget(tx, { contaId, conversaId, mensagemId, teste })
    const changed = anterior !== emoji
    if (changed) {
      await setReaction(tx, { contaId, mensagemId, emoji })
      if (!teste) {
        const alvo = { id: found.id, nossa: found.nossa, texto: found.texto }
        const reacao = { mensagemId, alvo, emoji: emoji ?? '', anterior }
        const saidaId = deps.ids.uuidAfter(locked.ultimoId)
        const now = deps.clock.now()
        const before = locked.ultimaSaida
        const queued = { contaId, now, outboxId: saidaId, contatoId, address: endereco, reacao, anterior: before }
        await queueReaction(tx, queued)
        const output = {
          mensagemId: saidaId,
          idExterno: saidaId,
          texto: '',
          contatoId,
          anterior: before,
          endereco,
          reacao,
        }
        tx.afterCommit(() => deps.bots.outboxAdded(contaId, [{ ...output, onSent: () => {} }]))
      }
    }
    const mensagem = await findMensagem(tx, contaId, mensagemId, nameOrPhone(locked))
    if (mensagem === null) throw new AppError('naoEncontrado')
    if (changed) {
      const event = { userId: contaId, conversaId, mensagem, marcada: true }
      const audience = audienceOf(locked)
      tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audience))
    }
    return { mensagem, conversaId }
  })
}
