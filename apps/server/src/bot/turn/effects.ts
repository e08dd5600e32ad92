import type { Conversa, Situacao } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { LineKey } from '#ports/bots.ts'
import type { Tx } from '#db/transaction.ts'
import { type ChangedRow, hasClaimedName, readListedConversas, toCard } from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { audienceOf, audienceOfEnded, audienceOfView } from '#modules/leitores/index.ts'
import { sendExpiry, sentMarksOf, toMensagem } from '#modules/mensagens/index.ts'
import type { ConversaAudience } from '#ports/realtime.ts'
import type { AiBriefs } from '#bot/ai/briefs.ts'
import type { AiQuestions } from '#bot/ai/questions.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { OutboxItem } from '#bot/outbox/send-queue.ts'
import type { Nodes } from '#bot/session/ask-owner.ts'
import type { SessionRegistry } from '#bot/session/registry.ts'
import type { BotStatuses } from '#bot/session/status.ts'
import { newUserName } from './records.ts'
import { mensagensToSend, type Decision, type NewMensagem } from './types.ts'

export interface EffectDeps extends Pick<BotDeps, 'realtime' | 'log'> {
  readonly sessions: Pick<SessionRegistry, 'get'>
  readonly questions: Pick<AiQuestions, 'schedule'>
  readonly briefs: Pick<AiBriefs, 'schedule'>
  readonly statuses: Pick<BotStatuses, 'listsChanged'>
  readonly nodes: Pick<Nodes, 'notifyNodes'>
}

/** By id, the conversas with people after the batch changed them. */
type Situations = ReadonlyMap<string, Situacao>

/** The rows that the events need, as the batch left them. */
export interface Changed {
  readonly situacoes: Situations
  readonly shown: ShownConversas
}

/** Runs after the commit. Everything here is already stored or may be lost. */
export function runEffects(bot: EffectDeps, decisions: readonly Decision[], { situacoes, shown }: Changed): void {
  sendAnswers(bot, decisions, situacoes)
  for (const decision of decisions) {
    publishEndedAgent(bot, decision, situacoes)
    publishTurn(bot, decision, situacoes)
    publishAvaliacao(bot, decision)
    publishConversa(bot, decision, shown)
    askAi(bot, decision)
    askBrief(bot, decision)
  }
  for (const contaId of new Set(decisions.map((decision) => decision.contaId))) bot.statuses.listsChanged(contaId)
}

/** Adds the answers to the send queue of the open session, or wakes the node that has it. */
function sendAnswers(bot: EffectDeps, decisions: readonly Decision[], situacoes: Situations): void {
  const { sessions, nodes } = bot
  const added: (LineKey & { readonly mensagemId: string })[] = []
  for (const decision of decisions) {
    const { contaId, linhaId } = decision
    const session = sessions.get(linhaId)
    session?.setAttended(decision.contato.id, decision.attended)
    const items = toOutboxItems(bot, decision, situacoes)
    if (items.length === 0) continue
    if (session !== undefined) session.send(items)
    else added.push(...items.map(({ mensagemId }) => ({ contaId, linhaId, mensagemId })))
  }
  for (const [linhaId, items] of Map.groupBy(added, (item) => item.linhaId)) {
    const mensagemIds = items.map(({ mensagemId }) => mensagemId)
    nodes.notifyNodes({ tipo: 'outboxAdded', contaId: items[0]?.contaId ?? '', linhaId, mensagemIds })
  }
}

function toOutboxItems(bot: EffectDeps, decision: Decision, situacoes: Situations): OutboxItem[] {
  const { contaId, contato, address, typing, attended, turn } = decision
  const expiresAt = sendExpiry(decision.now, 'automatic')
  return mensagensToSend(decision).map((mensagem, index, sent) => ({
    contaId,
    mensagemId: mensagem.id,
    contatoId: contato.id,
    anterior: sent[index - 1]?.id ?? contato.lastSent,
    endereco: address,
    idExterno: mensagem.id,
    texto: mensagem.texto,
    typing,
    attempts: 0,
    attended,
    expiresAt,
    ...(mensagem.midia === null ? {} : { midia: mensagem.midia }),
    ...sentMarksOf(mensagem.extras),
    ...(index === 0 && turn.tipo === 'mensagem' ? { arrivedAt: turn.arrivedAt } : {}),
    ...(attended ? { onSent: () => publishMensagem(bot, decision, mensagem, situacoes) } : {}),
  }))
}

function publishEndedAgent({ realtime }: EffectDeps, { contaId, endedAgent }: Decision, situacoes: Situations): void {
  if (endedAgent === null) return
  const revisao = situacoes.get(endedAgent.id)?.revisao
  const event = { userId: contaId, conversaId: endedAgent.id, revisao }
  realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(endedAgent))
}

/** Publishes the messages of one turn and that its contato is active. */
function publishTurn(bot: EffectDeps, decision: Decision, situacoes: Situations): void {
  const { contaId, contato, name, etapa, now } = decision
  const timestamp = now.toISOString()
  for (const mensagem of decision.mensagens) {
    bot.realtime.publish(contaId, 'botMensagem', { userId: contaId, ...toMensagemBot(decision, mensagem, timestamp) })
    // The event of a new conversa already contains the message.
    if (!decision.attended || decision.shown === 'nova') continue
    // Published as queued; `onSent` publishes it again.
    publishMensagem(bot, decision, stored(decision, mensagem), situacoes)
  }
  bot.realtime.publish(contaId, 'botConversaAtiva', {
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

type PublishedMensagem = Omit<NewMensagem, 'estado'> & { readonly estado: NewMensagem['estado'] | 'pendente' }

/** Publishes a message of a conversa with people. */
function publishMensagem(
  { realtime }: EffectDeps,
  decision: Decision,
  fresh: PublishedMensagem,
  situacoes: Situations,
): void {
  const { contaId, conversaId } = decision
  if (conversaId === null) return
  const mensagem = viewOf(decision, fresh)
  const event = { userId: contaId, conversaId, mensagem, situacao: situacoes.get(conversaId) }
  realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audienceOfDecision(decision))
}

function publishAvaliacao({ realtime }: EffectDeps, decision: Decision): void {
  const { contaId, conversaId, effects } = decision
  if (conversaId === null) return
  for (const effect of effects) {
    if (effect.tipo !== 'registrarAvaliacao') continue
    const event = { userId: contaId, conversaId, nota: effect.nota }
    realtime.publishConversa(contaId, 'avaliacaoRecebida', event, audienceOfDecision(decision))
  }
}

const viewOf = ({ contato, name, now, teste }: Decision, fresh: PublishedMensagem): Mensagem =>
  toMensagem(
    { ...fresh, criadaEm: now.toISOString(), operador: null, simulada: teste, erro: null },
    nameOrPhone({ nome: name, telefone: contato.telefone, nomeUsuario: contato.nomeUsuario }),
  )

/** As it is stored: a message for the customer waits in the queue. */
const stored = (decision: Decision, mensagem: NewMensagem): PublishedMensagem =>
  mensagensToSend(decision).includes(mensagem) ? { ...mensagem, estado: 'pendente' } : mensagem

/** The conversa as it was locked: only an opening sets its setor here, and that event contains the messages. */
function audienceOfDecision({ contato: { conversa }, linhaId }: Decision): ConversaAudience {
  if (conversa === null) return { setores: [null], linhaId, operadorId: null }
  return audienceOf({ ...conversa, linhaId })
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

/** By id, the conversas that browsers must get whole. */
export type ShownConversas = ReadonlyMap<string, Conversa>

const isShown = ({ realtime }: Pick<EffectDeps, 'realtime'>, { contaId, shown }: Decision): boolean =>
  shown !== null && realtime.watched(contaId)

/** True: the decision has all that a card shows and that its changed row does not return. */
function hasCard(decision: Decision): boolean {
  const change = decision.changes.find(({ id }) => id === decision.conversaId)
  const isOpen = change !== undefined && change.status !== 'finalizada'
  return isOpen && decision.mensagens.length > 0 && newUserName(decision).length === 0
}

/** The card of a conversa that begins or that another party now serves, for contas with a connected browser. */
export const returnsCard = (bot: Pick<EffectDeps, 'realtime'>, decision: Decision): boolean =>
  isShown(bot, decision) && hasCard(decision)

export function buildShown(decisions: readonly Decision[], changed: readonly ChangedRow[]): Conversa[] {
  const rows = new Map(changed.map((row) => [row.id, row]))
  return decisions.flatMap((decision) => {
    const { contato, name, stopped, conversaId } = decision
    const [row, mensagem] = [rows.get(conversaId ?? ''), decision.mensagens.at(-1)]
    if (decision.shown === null || row === undefined || mensagem === undefined) return []
    const { telefone, nomeUsuario } = contato
    const nomeInformado = hasClaimedName({ ...contato, nome: name })
    const customer = { nome: name, telefone, nomeUsuario, pediuParada: stopped, nomeInformado }
    return toCard(row, customer, viewOf(decision, stored(decision, mensagem))) ?? []
  })
}

/** Reads those whose cards the batch does not know, in the same transaction. */
export async function readShown(
  tx: Tx,
  { realtime, log }: Pick<EffectDeps, 'realtime' | 'log'>,
  decisions: readonly Decision[],
): Promise<Conversa[]> {
  const refs = decisions.flatMap((decision) => {
    const { contaId, conversaId: id } = decision
    return id === null || !isShown({ realtime }, decision) || hasCard(decision) ? [] : [{ contaId, id }]
  })
  // A row that this version cannot read, as one of a newer version, costs the event and not the messages.
  const leaveOut = (error: unknown): Conversa[] => {
    if (isDatabaseError(error)) throw error
    log.warn({ err: error, conversas: refs.length }, 'new conversas not published, the panel refetches them')
    return []
  }
  return refs.length === 0 ? [] : readListedConversas(tx, refs).catch(leaveOut)
}

const isDatabaseError = (error: unknown): boolean => error instanceof Error && 'code' in error

function publishConversa({ realtime }: EffectDeps, decision: Decision, shown: ShownConversas): void {
  const { contaId, conversaId } = decision
  const conversa = shown.get(conversaId ?? '')
  if (conversa === undefined) return
  const event = { userId: contaId, conversa, ...(decision.shown === 'atualizada' ? { atualizada: true } : {}) }
  realtime.publishConversa(contaId, 'novaConversaHumana', event, audienceOfView(conversa))
}

function askBrief({ briefs }: EffectDeps, { contaId, linhaId, contato, conversaId, teste, effects }: Decision): void {
  if (teste || conversaId === null || effects.every(({ tipo }) => tipo !== 'abrirConversaHumana')) return
  briefs.schedule({ contaId, linhaId, contatoId: contato.id, conversaId })
}

/**
 * Each question waits for the customer's pause. The node with the session asks it. This node asks it if no node has
 * the session when the pause ends.
 */
function askAi({ sessions, questions, nodes }: EffectDeps, decision: Decision): void {
  const { contaId, linhaId, contato, now, effects } = decision
  for (const effect of effects) {
    if (effect.tipo !== 'perguntarIa') continue
    const askAt = new Date(now.getTime() + effect.esperaMs)
    const question = { contaId, linhaId, contatoId: contato.id, id: effect.perguntaId }
    questions.schedule({ ...question, askAt })
    if (sessions.get(linhaId) !== undefined) continue
    nodes.notifyNodes({ tipo: 'questionAdded', ...question, askAt: askAt.toISOString() })
  }
}
