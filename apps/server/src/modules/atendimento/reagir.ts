import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { nameOrPhone } from '#bot/mensagem-humana.ts'
import { queueReaction, setReaction, type QueuedReaction } from '#bot/reacoes.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { requireTarget } from './alvo.ts'
import { type SendDeps, requireTurn } from './enviar-como-operador.ts'
import { findMensagem } from './repository.ts'
import { lockConversa } from './repository-envio.ts'

export interface OperadorReaction {
  readonly id: string
  readonly mensagemId: string
  /** Null removes the reaction. */
  readonly emoji: string | null
}

/**
 * Sets the shop's reaction on a mensagem and queues it in one transaction; publishes after the commit. The same
 * emoji again changes nothing. Throws `mensagemForaDeAlcance` and the errors of a send except `limiteDiario`.
 */
export function react(
  deps: SendDeps,
  { contaId, usuarioId, nome }: LoginSession,
  { id: conversaId, mensagemId, emoji }: OperadorReaction,
): Promise<{ readonly mensagem: Mensagem; readonly conversaId: string }> {
  return deps.db.transaction(contaId, async (tx) => {
    const travada = await lockConversa(tx, contaId, conversaId, null)
    if (travada === null) throw new AppError('naoEncontrado')
    await requireTurn(tx, deps, { contaId, conversaId, operador: { id: usuarioId, nome } }, travada)
    const { teste, contato_id: contatoId, endereco } = travada
    const { reacaoLoja: anterior, ...achado } = await requireTarget(tx, { contaId, conversaId, mensagemId, teste })
    const mudou = anterior !== emoji
    if (mudou) {
      await setReaction(tx, contaId, mensagemId, emoji)
      if (!teste) {
        const alvo = { id: achado.id, nossa: achado.nossa, texto: achado.texto }
        const reacao: QueuedReaction = { mensagemId, alvo, emoji: emoji ?? '', anterior }
        const saidaId = deps.ids.uuid()
        await queueReaction(tx, contaId, { outboxId: saidaId, contatoId, address: endereco, reacao })
        const saida = { mensagemId: saidaId, idExterno: saidaId, texto: '', contatoId, endereco, reacao }
        tx.afterCommit(() => deps.bots.outboxAdded(contaId, [{ ...saida, onSent: () => {} }]))
      }
    }
    const mensagem = await findMensagem(tx, contaId, mensagemId, nameOrPhone(travada))
    if (mensagem === null) throw new AppError('naoEncontrado')
    if (mudou) {
      const evento = { userId: contaId, conversaId, mensagem, marcada: true }
      tx.afterCommit(() => deps.realtime.publish(contaId, 'mensagemConversaHumana', evento))
    }
    return { mensagem, conversaId }
  })
}
