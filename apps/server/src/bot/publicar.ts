import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { Realtime } from '#ports/realtime.ts'
import { aEnviar, type Decisao, type MensagemNova } from './decisao.ts'
import { nomeOuTelefone, toMensagem } from './mensagem-humana.ts'

export function publicarDecisao(realtime: Realtime, decisao: Decisao): void {
  const { contaId, conversaId, contato, nome, etapa, agora, teste } = decisao
  const timestamp = agora.toISOString()
  const abriu = decisao.efeitos.some(({ tipo }) => tipo === 'abrirConversaHumana')
  const naFila = decisao.humana ? aEnviar(decisao) : []
  for (const mensagem of decisao.mensagens) {
    const bot = toMensagemBot(decisao, mensagem, timestamp)
    realtime.publish(contaId, 'botMensagem', { userId: contaId, ...bot })
    // The event of a new conversa already contains these messages.
    if (!decisao.humana || abriu || conversaId === null) continue
    // Published as queued; a second event follows when the message is sent.
    const estado = naFila.includes(mensagem) ? 'pendente' : mensagem.estado
    const humana = toMensagem(
      { ...mensagem, estado, criadaEm: timestamp, operador: null, simulada: teste, erro: null },
      nomeOuTelefone({ nome, telefone: contato.telefone }),
    )
    realtime.publish(contaId, 'mensagemConversaHumana', { userId: contaId, conversaId, mensagem: humana })
  }
  realtime.publish(contaId, 'botConversaAtiva', {
    userId: contaId,
    id: contato.id,
    telefone: contato.telefone,
    nome,
    ultimaAtividade: timestamp,
    // The rating is requested after the conversa has ended.
    ativa: etapa !== 'encerrada' && etapa !== 'avaliando',
    ...(etapa === null ? {} : { etapa }),
  })
}

function toMensagemBot({ contato, nome }: Decisao, mensagem: MensagemNova, timestamp: string): MensagemBot {
  const { id, texto, direcao, origem, estado, midia } = mensagem
  return {
    id,
    timestamp,
    conteudo: texto,
    contato: nome,
    telefone: contato.telefone,
    direcao,
    origem: origem === 'telefone' ? 'celular' : origem,
    estado,
    ...(midia === null ? {} : { midia }),
  }
}
