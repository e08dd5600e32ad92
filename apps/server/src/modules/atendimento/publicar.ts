import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Travada } from './repository.ts'

export interface MensagemNova {
  readonly contaId: string
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly travada: Travada
  readonly idTemporario?: string
}

/** After the commit: the panel hears of the message, and a queued one leaves. */
export function anunciarMensagem(
  tx: Tx,
  { realtime, bots }: Pick<Deps, 'realtime' | 'bots'>,
  { contaId, conversaId, mensagem, travada, idTemporario }: MensagemNova,
): void {
  const { id, texto, midia, estado, timestamp } = mensagem
  const { nome, telefone, contato_id: contatoId, endereco } = travada
  const comMidia = midia === undefined ? {} : { midia }
  tx.afterCommit(() => {
    const eco = idTemporario === undefined ? {} : { idTemporario }
    realtime.publish(contaId, 'mensagemConversaHumana', { userId: contaId, conversaId, mensagem, ...eco })
    realtime.publish(contaId, 'botMensagem', {
      userId: contaId,
      ...{
        id,
        timestamp,
        conteudo: texto,
        contato: nome,
        telefone,
        direcao: 'saida',
        origem: mensagem.origem ?? 'operador',
      },
      ...(estado === undefined ? {} : { estado }),
      ...comMidia,
    })
    if (estado !== 'pendente') return
    bots.saidaNova(contaId, [{ mensagemId: id, contatoId, endereco, idExterno: id, texto, ...comMidia }])
  })
}
