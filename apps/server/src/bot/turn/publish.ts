import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { Realtime } from '#ports/realtime.ts'
import { mensagensToSend, type Decision, type NewMensagem } from './decision.ts'
import { nameOrPhone, toMensagem } from '#modules/conversas/index.ts'

export function publishDecision(realtime: Realtime, decision: Decision): void {
  const { contaId, conversaId, contato, name, etapa, now, teste } = decision
  const timestamp = now.toISOString()
  const abriu = decision.effects.some(({ tipo }) => tipo === 'abrirConversaHumana')
  const queued = decision.attended ? mensagensToSend(decision) : []
  for (const mensagem of decision.mensagens) {
    const bot = toMensagemBot(decision, mensagem, timestamp)
    realtime.publish(contaId, 'botMensagem', { userId: contaId, ...bot })
    // The event of a new conversa already contains these messages.
    if (!decision.attended || abriu || conversaId === null) continue
    // Published as queued; a second event follows when the message is sent.
    const estado = queued.includes(mensagem) ? 'pendente' : mensagem.estado
    const humana = toMensagem(
      { ...mensagem, estado, criadaEm: timestamp, operador: null, simulada: teste, erro: null },
      nameOrPhone({ nome: name, telefone: contato.telefone }),
    )
    realtime.publish(contaId, 'mensagemConversaHumana', { userId: contaId, conversaId, mensagem: humana })
  }
  realtime.publish(contaId, 'botConversaAtiva', {
    userId: contaId,
    id: contato.id,
    telefone: contato.telefone,
    nome: name,
    ultimaAtividade: timestamp,
    // The rating is requested after the conversa has ended.
    ativa: etapa !== 'encerrada' && etapa !== 'avaliando',
    ...(etapa === null ? {} : { etapa }),
  })
}

function toMensagemBot({ contato, name }: Decision, mensagem: NewMensagem, timestamp: string): MensagemBot {
  const { id, texto, direcao, origem, estado, midia } = mensagem
  return {
    id,
    timestamp,
    conteudo: texto,
    contato: name,
    telefone: contato.telefone,
    direcao,
    origem: origem === 'telefone' ? 'celular' : origem,
    estado,
    ...(midia === null ? {} : { midia }),
  }
}
