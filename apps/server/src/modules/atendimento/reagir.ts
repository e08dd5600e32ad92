import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { nomeOuTelefone } from '#bot/mensagem-humana.ts'
import { enfileirarReacao, marcarReacao, type ReacaoNaFila } from '#bot/reacoes.ts'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { exigirAlvo } from './alvo.ts'
import { type EnviarDeps, exigirVez } from './enviar-como-operador.ts'
import { findMensagem } from './repository.ts'
import { lockConversa } from './repository-envio.ts'

export interface Reacao {
  readonly id: string
  readonly mensagemId: string
  /** Null removes the reaction. */
  readonly emoji: string | null
}

/**
 * Sets the shop's reaction on a mensagem and queues it in one transaction; publishes after the commit. The same
 * emoji again changes nothing. Throws `mensagemForaDeAlcance` and the errors of a send except `limiteDiario`.
 */
export function reagir(
  deps: EnviarDeps,
  { contaId, usuarioId, nome }: Sessao,
  { id: conversaId, mensagemId, emoji }: Reacao,
): Promise<{ readonly mensagem: Mensagem; readonly conversaId: string }> {
  return deps.db.transaction(contaId, async (tx) => {
    const travada = await lockConversa(tx, contaId, conversaId, null)
    if (travada === null) throw new AppError('naoEncontrado')
    await exigirVez(tx, deps, { contaId, conversaId, operador: { id: usuarioId, nome } }, travada)
    const { teste, contato_id: contatoId, endereco } = travada
    const { reacaoLoja: anterior, ...achado } = await exigirAlvo(tx, { contaId, conversaId, mensagemId, teste })
    const mudou = anterior !== emoji
    if (mudou) {
      await marcarReacao(tx, contaId, mensagemId, emoji)
      if (!teste) {
        const alvo = { id: achado.id, nossa: achado.nossa, texto: achado.texto }
        const reacao: ReacaoNaFila = { mensagemId, alvo, emoji: emoji ?? '', anterior }
        const saidaId = deps.ids.uuid()
        await enfileirarReacao(tx, contaId, { saidaId, contatoId, endereco, reacao })
        const saida = { mensagemId: saidaId, idExterno: saidaId, texto: '', contatoId, endereco, reacao }
        tx.afterCommit(() => deps.bots.saidaNova(contaId, [{ ...saida, saiu: () => {} }]))
      }
    }
    const mensagem = await findMensagem(tx, contaId, mensagemId, nomeOuTelefone(travada))
    if (mensagem === null) throw new AppError('naoEncontrado')
    if (mudou) {
      const evento = { userId: contaId, conversaId, mensagem, marcada: true }
      tx.afterCommit(() => deps.realtime.publish(contaId, 'mensagemConversaHumana', evento))
    }
    return { mensagem, conversaId }
  })
}
