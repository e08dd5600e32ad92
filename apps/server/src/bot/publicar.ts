import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { type Mensagem, type Midia, midiaSchema, estadoMensagemSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { Tx } from '#db/transaction.ts'
import type { Realtime } from '#ports/realtime.ts'
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

interface MensagemLida {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly estado: z.output<typeof estadoMensagemSchema>
  readonly erro: string | null
  readonly operador: string | null
  readonly simulada: boolean
  readonly criadaEm: string
}

function toMensagem(lida: MensagemLida, nomeCliente: string): Mensagem {
  return {
    id: lida.id,
    texto: lida.texto,
    remetente: remetenteDe(lida, nomeCliente),
    timestamp: lida.criadaEm,
    tipo: lida.direcao === 'entrada' ? 'recebida' : 'enviada',
    origem: lida.origem === 'telefone' ? 'celular' : lida.origem,
    estado: lida.estado,
    ...(lida.midia === null ? {} : { midia: lida.midia }),
    ...(lida.erro === null ? {} : { erro: lida.erro }),
    ...(lida.simulada ? { simulada: true } : {}),
  }
}

function remetenteDe({ origem, operador }: MensagemLida, nomeCliente: string): string {
  switch (origem) {
    case 'cliente':
      return nomeCliente
    case 'operador':
      return operador ?? 'Operador'
    case 'telefone':
      return 'Celular'
    case 'bot':
    case 'ia':
      return 'Bot'
    default:
      return origem satisfies never
  }
}

const mensagemRowSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  conversa_status: z.string(),
  nome: z.string(),
  telefone: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: z.enum(['cliente', 'bot', 'ia', 'operador', 'telefone']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  estado: estadoMensagemSchema,
  erro: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  simulada: z.boolean(),
  criada_em: z.date(),
})

const MENSAGENS = `
select m.id, m.conversa_id, v.status as conversa_status, c.nome, c.telefone, m.direcao, m.origem, m.texto, m.midia, m.estado,
  m.erro, m.operador, m.simulada, m.criada_em
from mensagens m
join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id`

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

const conversaRowSchema = z.object({
  id: z.string(),
  protocolo: z.nullable(z.string()),
  setor: z.nullable(z.string()),
  status: z.enum(['aguardando', 'em_atendimento', 'finalizada']),
  nome: z.string(),
  telefone: z.string(),
  ultima_atividade: z.date(),
  iniciada_em: z.date(),
  aguardando_desde: z.nullable(z.date()),
  nao_lidas: z.number(),
  teste: z.boolean(),
})

/** A conversation just handed to people, as the panel's list shows it; null when it is the bot's again. */
export async function findConversaHumana(tx: Tx, contaId: string, conversaId: string): Promise<Conversa | null> {
  const [row] = await tx.rows(
    conversaRowSchema,
    `select v.id, v.protocolo, v.setor, v.status, c.nome, c.telefone, c.ultima_atividade, v.iniciada_em, v.aguardando_desde,
       v.nao_lidas, v.teste
     from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where v.conta_id = $1 and v.id = $2 and v.status <> 'bot'`,
    [contaId, conversaId],
  )
  if (row === undefined) return null
  const mensagens = await tx.rows(
    mensagemRowSchema,
    `${MENSAGENS} where m.conta_id = $1 and m.conversa_id = $2 order by m.id desc limit ${LOGS_MANTIDOS}`,
    [contaId, conversaId],
  )
  const emOrdem = mensagens
    .toReversed()
    .map(({ criada_em, ...lida }) => toMensagem({ ...lida, criadaEm: criada_em.toISOString() }, nomeOuTelefone(row)))
  const ultima = emOrdem.at(-1)
  return {
    id: row.id,
    protocolo: row.protocolo ?? '',
    setor: row.setor ?? 'geral',
    status: row.status,
    cliente: { nome: row.nome, telefone: row.telefone },
    mensagens: emOrdem,
    ...(ultima === undefined ? {} : { ultimaMensagem: { texto: ultima.texto, timestamp: ultima.timestamp } }),
    ultimaAtividade: row.ultima_atividade.toISOString(),
    iniciadoEm: row.iniciada_em.toISOString(),
    aguardandoDesde: (row.aguardando_desde ?? row.iniciada_em).toISOString(),
    naoLidas: row.nao_lidas,
    teste: row.teste,
  }
}

function nomeOuTelefone({ nome, telefone }: { nome: string; telefone: string }): string {
  return nome === '' ? telefone : nome
}
