import { contarMensagem } from '#bot/limite.ts'
import { citadaDe } from '#bot/extras.ts'
import { nomeOuTelefone } from '#bot/mensagem-humana.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import type { EnviarDeps, MensagemEnviada } from './enviar-como-operador.ts'
import { exigirJanela } from './janela.ts'
import { anunciarMensagens } from './publicar.ts'
import { findMensagem, findReenviavel, requeueMensagem } from './repository.ts'
import { lockConversa } from './repository-envio.ts'

/**
 * Queues a failed mensagem again. A mensagem held back by the daily limit is counted now; a failed one was counted
 * at its first send. Throws `mensagemNaoFalhou` for any other state.
 */
export function reenviarMensagem(deps: EnviarDeps, { contaId }: Sessao, id: string): Promise<MensagemEnviada> {
  return deps.db.transaction(contaId, async (tx) => {
    const primeira = await findReenviavel(tx, contaId, id)
    if (primeira === null) throw new AppError('naoEncontrado')
    const { conversa_id: conversaId } = primeira
    const travada = await lockConversa(tx, contaId, conversaId, null)
    // Read again under the lock, so the second of two concurrent retries finds it queued.
    const atual = await findReenviavel(tx, contaId, id)
    if (travada === null || atual === null) throw new AppError('naoEncontrado')
    if (travada.status === 'finalizada') throw new AppError('conversaFinalizada')
    if (atual.direcao === 'entrada' || (atual.estado !== 'falhou' && atual.estado !== 'limite')) {
      throw new AppError('mensagemNaoFalhou')
    }
    if (atual.modelo === null) exigirJanela(deps, travada)
    await requeueMensagem(tx, contaId, id, travada)
    if (atual.estado === 'limite') await contarMensagem(tx, deps, contaId)
    const mensagem = await findMensagem(tx, contaId, id, nomeOuTelefone(travada))
    if (mensagem === null) throw new AppError('naoEncontrado')
    anunciarMensagens(tx, deps, contaId, [
      { conversaId, mensagem, travada, modelo: atual.modelo, ...citadaDe(atual.extras) },
    ])
    return { mensagem, conversaId }
  })
}
