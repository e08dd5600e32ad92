import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Alvo, ModeloEnviado } from '#ports/messaging.ts'
import type { Deps } from '#deps.ts'
import type { Travada } from './repository.ts'

export interface MensagemNova {
  readonly contaId: string
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly travada: Travada
  readonly idTemporario?: string
  readonly modelo?: ModeloEnviado | null
  readonly citada?: Alvo
}

/** After the commit: the panel hears of the message, and a queued one leaves. */
export function anunciarMensagem(tx: Tx, deps: Pick<Deps, 'realtime' | 'bots'>, nova: MensagemNova): void {
  const { contaId, mensagem, travada, modelo = null, citada } = nova
  tx.afterCommit(() => {
    contar(deps, nova)
    if (mensagem.estado !== 'pendente') return
    const { id, texto, midia } = mensagem
    const saida = {
      mensagemId: id,
      idExterno: id,
      texto,
      ...(midia === undefined ? {} : { midia }),
      ...(modelo === null ? {} : { modelo }),
      ...(citada === undefined ? {} : { citada }),
    }
    const saiu = (): void => contar(deps, { ...nova, mensagem: { ...mensagem, estado: 'enviada' } })
    deps.bots.saidaNova(contaId, [{ ...saida, contatoId: travada.contato_id, endereco: travada.endereco, saiu }])
  })
}

function contar({ realtime }: Pick<Deps, 'realtime'>, nova: MensagemNova): void {
  const { contaId, conversaId, mensagem, travada, idTemporario } = nova
  const { id, texto, midia, estado, timestamp, origem = 'operador' } = mensagem
  const { nome, telefone } = travada
  const eco = idTemporario === undefined ? {} : { idTemporario }
  realtime.publish(contaId, 'mensagemConversaHumana', { userId: contaId, conversaId, mensagem, ...eco })
  realtime.publish(contaId, 'botMensagem', {
    userId: contaId,
    ...{ id, timestamp, conteudo: texto, contato: nome, telefone, direcao: 'saida', origem },
    ...(estado === undefined ? {} : { estado }),
    ...(midia === undefined ? {} : { midia }),
  })
}
