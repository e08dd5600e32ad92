import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { SaidaNova } from '#ports/bots.ts'
import type { Alvo, ModeloEnviado } from '#ports/messaging.ts'
import type { Deps } from '#deps.ts'
import type { Travada } from './repository-envio.ts'

export interface MensagemNova {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly travada: Travada
  readonly idTemporario?: string
  readonly modelo?: ModeloEnviado | null
  readonly citada?: Alvo
}

/** Publishes the mensagens after the commit and passes the pending ones to the bot as one batch. */
export function anunciarMensagens(
  tx: Tx,
  deps: Pick<Deps, 'realtime' | 'bots'>,
  contaId: string,
  novas: readonly MensagemNova[],
): void {
  tx.afterCommit(() => {
    for (const nova of novas) contar(deps, contaId, nova)
    const saidas = novas
      .filter(({ mensagem }) => mensagem.estado === 'pendente')
      .map((nova) => saidaDe(deps, contaId, nova))
    if (saidas.length > 0) deps.bots.saidaNova(contaId, saidas)
  })
}

function saidaDe(deps: Pick<Deps, 'realtime'>, contaId: string, nova: MensagemNova): SaidaNova {
  const { mensagem, travada, modelo = null, citada } = nova
  const { id, texto, midia } = mensagem
  return {
    ...{ mensagemId: id, idExterno: id, texto, contatoId: travada.contato_id, endereco: travada.endereco },
    ...(midia === undefined ? {} : { midia }),
    ...(modelo === null ? {} : { modelo }),
    ...(citada === undefined ? {} : { citada }),
    saiu: () => contar(deps, contaId, { ...nova, mensagem: { ...mensagem, estado: 'enviada' } }),
  }
}

function contar({ realtime }: Pick<Deps, 'realtime'>, contaId: string, nova: MensagemNova): void {
  const { conversaId, mensagem, travada, idTemporario } = nova
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
