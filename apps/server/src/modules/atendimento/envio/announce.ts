import type { OutboundMessage, SentModelo } from '@balcao/connector/port'
import type { Situacao } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { LockedConversa } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import type { NewOutboxItem } from '#ports/bots.ts'

export interface AnnouncedMensagem extends Pick<OutboundMessage, 'citada' | 'encaminhada'> {
  readonly conversaId: string
  readonly mensagem: Mensagem
  readonly locked: LockedConversa
  readonly situacao?: Situacao | undefined
  readonly idTemporario?: string
  readonly modelo?: SentModelo | null
}

export function announceMensagens(
  tx: Tx,
  deps: Pick<Deps, 'realtime' | 'bots'>,
  contaId: string,
  created: readonly AnnouncedMensagem[],
): void {
  tx.afterCommit(() => {
    for (const fresh of created) publishMensagem(deps, contaId, fresh)
    const waiting = created.filter(({ mensagem }) => mensagem.estado === 'pendente')
    for (const [linhaId, ofLine] of Map.groupBy(waiting, ({ locked }) => locked.linhaId)) {
      const output = ofLine.map((fresh) => outboxItemOf(deps, contaId, fresh))
      deps.bots.outboxAdded({ contaId, linhaId }, output)
    }
  })
}

function outboxItemOf(deps: Pick<Deps, 'realtime'>, contaId: string, fresh: AnnouncedMensagem): NewOutboxItem {
  const { mensagem, locked, modelo = null, citada, encaminhada } = fresh
  const { id, texto, midia } = mensagem
  return {
    ...{ mensagemId: id, idExterno: id, texto, contatoId: locked.contatoId, endereco: locked.endereco },
    anterior: locked.ultimaSaida,
    ...(midia === undefined ? {} : { midia }),
    ...(modelo === null ? {} : { modelo }),
    ...(citada === undefined ? {} : { citada }),
    ...(encaminhada === undefined ? {} : { encaminhada }),
    onSent: () => publishMensagem(deps, contaId, { ...fresh, mensagem: { ...mensagem, estado: 'enviada' } }),
  }
}

function publishMensagem({ realtime }: Pick<Deps, 'realtime'>, contaId: string, fresh: AnnouncedMensagem): void {
  const { conversaId, mensagem, locked, idTemporario, situacao } = fresh
  const { id, texto, midia, estado, timestamp, origem = 'operador' } = mensagem
  const { nome, telefone } = locked
  const echo = idTemporario === undefined ? {} : { idTemporario }
  const event = { userId: contaId, conversaId, mensagem, situacao, ...echo }
  realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audienceOf(locked))
  realtime.publish(contaId, 'botMensagem', {
    userId: contaId,
    ...{ id, timestamp, conteudo: texto, contato: nome, telefone, direcao: 'saida', origem },
    ...(estado === undefined ? {} : { estado }),
    ...(midia === undefined ? {} : { midia }),
  })
}
