import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { Tx } from '#db/transaction.ts'
import type { Realtime } from '#ports/realtime.ts'
import { MENSAGENS, mensagemRowSchema, nomeOuTelefone, toMensagem } from './conversa-humana.ts'
import type { Decisao, MensagemNova } from './decisao.ts'

/** What the browsers hear of a batch, after its commit. */

export function publicarDecisao(realtime: Realtime, decisao: Decisao): void {
  const { contaId, contato, nome, etapa, agora } = decisao
  const timestamp = agora.toISOString()
  const abriu = decisao.efeitos.some(({ tipo }) => tipo === 'abrirConversaHumana')
  for (const mensagem of decisao.mensagens) {
    const bot = toMensagemBot(decisao, mensagem, timestamp)
    realtime.publish(contaId, 'botMensagem', { userId: contaId, ...bot })
    // A conversation just opened is told whole, with these messages inside.
    if (!decisao.humana || abriu || decisao.conversaId === null) continue
    const humana = toMensagem({ ...mensagem, criadaEm: timestamp, operador: null, simulada: false, erro: null }, nome)
    realtime.publish(contaId, 'mensagemConversaHumana', {
      userId: contaId,
      conversaId: decisao.conversaId,
      mensagem: humana,
    })
  }
  realtime.publish(contaId, 'botConversaAtiva', {
    userId: contaId,
    id: contato.id,
    telefone: contato.telefone,
    nome,
    ultimaAtividade: timestamp,
    ativa: etapa !== 'encerrada',
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

/** Tells the panel that a message which was shown as sent did not leave after all. */
export async function publicarFalha(tx: Tx, realtime: Realtime, contaId: string, mensagemId: string): Promise<void> {
  const [row] = await tx.rows(mensagemRowSchema, `${MENSAGENS} where m.conta_id = $1 and m.id = $2`, [
    contaId,
    mensagemId,
  ])
  if (row === undefined) return
  const { criada_em, midia, ...lida } = row
  const timestamp = criada_em.toISOString()
  tx.afterCommit(() => {
    realtime.publish(contaId, 'botMensagem', {
      userId: contaId,
      id: lida.id,
      timestamp,
      conteudo: lida.texto,
      contato: lida.nome,
      telefone: lida.telefone,
      direcao: lida.direcao,
      origem: lida.origem === 'telefone' ? 'celular' : lida.origem,
      estado: lida.estado,
      ...(midia === null ? {} : { midia }),
    })
    if (lida.conversa_status === 'bot') return
    const mensagem = toMensagem({ ...lida, midia, criadaEm: timestamp }, nomeOuTelefone(lida))
    realtime.publish(contaId, 'mensagemConversaHumana', { userId: contaId, conversaId: lida.conversa_id, mensagem })
  })
}
