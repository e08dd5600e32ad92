import type { Conversa } from '@balcao/contract/entities/conversa'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { readAttendedConversas } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { audienceOf, audienceOfEnded } from '#modules/leitores/index.ts'
import { sendExpiry, toMensagem } from '#modules/mensagens/index.ts'
import type { ConversaAudience } from '#ports/realtime.ts'
import type { AiQuestions } from '#bot/ai/questions.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { OutboxItem } from '#bot/outbox/send-queue.ts'
import type { Nodes } from '#bot/session/ask-owner.ts'
import type { SessionRegistry } from '#bot/session/registry.ts'
import type { BotStatuses } from '#bot/session/status.ts'
import type { Situations } from './write.ts'
import { mensagensToSend, type Decision, type NewMensagem } from './types.ts'

export interface EffectDeps extends Pick<BotDeps, 'db' | 'log' | 'realtime'> {
  readonly sessions: Pick<SessionRegistry, 'get'>
  readonly questions: Pick<AiQuestions, 'schedule'>
  readonly statuses: Pick<BotStatuses, 'listsChanged'>
  readonly nodes: Pick<Nodes, 'notifyNodes'>
}

/** Runs after the commit. Everything here is already stored or may be lost. */
export function runEffects(bot: EffectDeps, decisions: readonly Decision[], situacoes: Situations): void {
  sendAnswers(bot, decisions)
  for (const decision of decisions) {
    publishEndedAgent(bot, decision, situacoes)
    publishDecision(bot, decision, situacoes)
    askAi(bot, decision)
  }
  publishConversas(bot, decisions)
  for (const contaId of new Set(decisions.map((decision) => decision.contaId))) bot.statuses.listsChanged(contaId)
}

/** Adds the answers to the send queue of the open session, or wakes the node that has it. */
function sendAnswers({ sessions, nodes }: EffectDeps, decisions: readonly Decision[]): void {
  const elsewhere = new Map<string, string[]>()
  for (const decision of decisions) {
    const session = sessions.get(decision.contaId)
    session?.setAttended(decision.contato.id, decision.attended)
    const items = toOutboxItems(decision)
    if (items.length === 0) continue
    if (session !== undefined) {
      session.send(items)
      continue
    }
    const ids = items.map(({ mensagemId }) => mensagemId)
    elsewhere.set(decision.contaId, [...(elsewhere.get(decision.contaId) ?? []), ...ids])
  }
  for (const [contaId, mensagemIds] of elsewhere) nodes.notifyNodes({ tipo: 'outboxAdded', contaId, mensagemIds })
}

function toOutboxItems(decision: Decision): OutboxItem[] {
  const { contaId, contato, address, typing, attended, turn } = decision
  const expiresAt = sendExpiry(decision.now, 'automatic')
  return mensagensToSend(decision).map(({ id, texto, midia }, index, sent) => ({
    contaId,
    mensagemId: id,
    contatoId: contato.id,
    anterior: sent[index - 1]?.id ?? contato.lastSent,
    endereco: address,
    idExterno: id,
    texto,
    typing,
    attempts: 0,
    attended,
    expiresAt,
    ...(midia === null ? {} : { midia }),
    ...(index === 0 && turn.tipo === 'mensagem' ? { arrivedAt: turn.arrivedAt } : {}),
  }))
}

function publishEndedAgent({ realtime }: EffectDeps, { contaId, endedAgent }: Decision, situacoes: Situations): void {
  if (endedAgent === null) return
  const revisao = situacoes.get(endedAgent.id)?.revisao
  const event = { userId: contaId, conversaId: endedAgent.id, revisao }
  realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(endedAgent))
}

function publishDecision({ realtime }: EffectDeps, decision: Decision, situacoes: Situations): void {
  const { contaId, conversaId, contato, name, etapa, now, teste } = decision
  const timestamp = now.toISOString()
  const queued = decision.attended ? mensagensToSend(decision) : []
  for (const mensagem of decision.mensagens) {
    const bot = toMensagemBot(decision, mensagem, timestamp)
    realtime.publish(contaId, 'botMensagem', { userId: contaId, ...bot })
    // The event of a new conversa already contains these messages.
    if (!decision.attended || decision.shown === 'nova' || conversaId === null) continue
    // Published as queued; a second event follows when the message is sent.
    const estado = queued.includes(mensagem) ? 'pendente' : mensagem.estado
    const shown = toMensagem(
      { ...mensagem, estado, criadaEm: timestamp, operador: null, simulada: teste, erro: null },
      nameOrPhone({ nome: name, telefone: contato.telefone, nomeUsuario: contato.nomeUsuario }),
    )
    const event = { userId: contaId, conversaId, mensagem: shown, situacao: situacoes.get(conversaId) }
    realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audienceOfDecision(decision))
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

/** The conversa as it was locked: only an opening sets its setor here, and that event contains the messages. */
function audienceOfDecision({ contato: { conversa } }: Decision): ConversaAudience {
  if (conversa === null) return { setores: [null], operadorId: null }
  return audienceOf(conversa)
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

/**
 * Publishes the conversas that begin or that another party now serves. Reads them together, for contas with a connected
 * browser.
 */
function publishConversas(bot: EffectDeps, decisions: readonly Decision[]): void {
  const shown = decisions.flatMap(({ contaId, conversaId: id, shown: as }) =>
    id === null || as === null || !bot.realtime.watched(contaId)
      ? []
      : [{ contaId, id, atualizada: as === 'atualizada' }],
  )
  if (shown.length === 0) return
  const reading = readShown(bot, shown)
  for (const { contaId, id, atualizada } of shown) {
    bot.realtime.openConversa(id, async () => {
      const conversa = (await reading).get(id)
      if (conversa === undefined) return
      const event = { userId: contaId, conversa, ...(atualizada ? { atualizada } : {}) }
      bot.realtime.publishConversa(contaId, 'novaConversaHumana', event, audienceOf(conversa))
    })
  }
}

async function readShown(
  { db, log }: EffectDeps,
  shown: readonly { readonly contaId: string; readonly id: string }[],
): Promise<Map<string, Conversa>> {
  const contas = [...new Set(shown.map(({ contaId }) => contaId))]
  try {
    const conversas = await db.read(contas, (tx) => readAttendedConversas(tx, shown), { planner: 'indexes' })
    return new Map(conversas.map((conversa) => [conversa.id, conversa]))
  } catch (error) {
    log.warn({ err: error, conversas: shown.length }, 'new conversas not published, the panel refetches them')
    return new Map()
  }
}

/**
 * Each question waits for the customer's pause. The node with the session asks it. This node asks it if no node has
 * the session when the pause ends.
 */
function askAi({ sessions, questions, nodes }: EffectDeps, { contaId, contato, now, effects }: Decision): void {
  for (const effect of effects) {
    if (effect.tipo !== 'perguntarIa') continue
    const askAt = new Date(now.getTime() + effect.esperaMs)
    const question = { contaId, contatoId: contato.id, id: effect.perguntaId }
    questions.schedule({ ...question, askAt })
    if (sessions.get(contaId) !== undefined) continue
    nodes.notifyNodes({ tipo: 'questionAdded', ...question, askAt: askAt.toISOString() })
  }
}
