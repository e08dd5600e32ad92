import { connectorOf } from '@balcao/contract/connectors'
import { parseState } from '@balcao/engine/stored-state/parse'
import type { BotState } from '@balcao/engine/state'
import { type BotEffect, reachesCustomer } from '@balcao/engine/effect'
import { effectsOnLine } from '@balcao/engine/join-messages'
import { reminderAt } from '@balcao/engine/pedidos/remind-cart'
import { isLeftAddress } from '#modules/enderecos/index.ts'
import { channelOfLine, isLineDeleted } from '#modules/ia/index.ts'
import { pendingTranscript } from '#modules/transcricoes/index.ts'
import { authorOf, completeRecordStep, endOfAgentService, hasAgentExpired, stepForAgent } from './agent.ts'
import { type Answer, type DecideInput, runEngine, runHandover, runOrder, type Step } from './engine.ts'
import type { ConversaChange, CurrentConversa, Decision, LockedContato, NewMensagem, Turn } from './types.ts'

export interface Plan {
  readonly input: DecideInput
  readonly inboundId: string
  readonly name: string
  /** Null when the message is only stored. */
  readonly step: Step | null
}

/** Runs the engine for one turn. The plan may need an answer of the database before it can be decided. */
export function planTurn(input: DecideInput): Plan {
  const inboundId = input.uuid()
  const name = customerName(input.turn, input.contato)
  return { input, inboundId, name, step: input.silent ? null : stepTurn(input, inboundId, name) }
}

export function decide(plan: Plan, answer: Answer | null): Decision {
  const { input, inboundId, name } = plan
  const { turn, contato, context, now, uuid } = input
  const stepped = completeStep(plan, answer)
  const conversa = chooseConversa(input, stepped)
  // A new conversa after a test conversa is a real one.
  const teste = !conversa.isNew && contato.conversa?.teste === true
  const origin = originOf(input)
  const leaving = effectsOnLine(stepped?.effects ?? [], context.config.menu, connectorOf(origin.channel))
  const mensagens = [
    ...inboundMensagem(input, inboundId),
    ...outboundMensagens(leaving, uuid, teste ? Infinity : input.remaining),
  ]
  const result = withoutUnsentNotice(stepped, teste || mensagens.some(({ estado }) => estado === 'limite'))
  return {
    ...origin,
    ...outcomeOf(result),
    ...conversa,
    changes: [...conversa.changes, ...currentConversaChange(input, result, conversa.conversaId)],
    contato,
    name,
    now,
    day: input.day,
    attended: (!conversa.isNew && isAttended(contato)) || isAttendedNow(result),
    endedAgent: endedAgentConversa(contato, input.turn.linhaId, conversa.changes),
    shown: shownConversa(turn, result),
    teste,
    mensagens,
    typing: context.config.menu.digitando,
    avisoVersao: context.aviso?.versao ?? 0,
    endsBySilence: context.config.atendimento.inatividade.ativa,
    remindAt: teste ? null : reminderOf(input, result),
  }
}

function stepTurn(input: DecideInput, inboundId: string, name: string): Step | null {
  const { turn, contato, context } = input
  // Of the answer of the AI for a deleted line only the question ends.
  if (turn.tipo === 'evento' && turn.answered !== undefined && isLineDeleted(context, turn.linhaId)) {
    const state = parseState(contato.estado)
    return { before: state, state, effects: [], protocolo: null }
  }
  const ofAgent = stepForAgent(input, inboundId, name)
  if (ofAgent !== null) return ofAgent
  const stepped = runEngine(input, inboundId, name)
  return stepped === null ? null : withEndOfAgentService(input, stepped)
}

function withEndOfAgentService(input: DecideInput, stepped: Step): Step {
  const service = endOfAgentService(input)
  return service === null ? stepped : { ...stepped, service }
}

function completeStep({ input, inboundId, name, step }: Plan, answer: Answer | null): Step | null {
  if (step?.need === undefined || answer === null) return step
  if (answer.tipo === 'handover' && step.need.tipo === 'handover' && step.need.to === 'people') {
    return withEndOfAgentService(input, runHandover(input, inboundId, name, { ...answer, before: step.before }))
  }
  if (answer.tipo === 'order') {
    return withEndOfAgentService(input, runOrder(input, inboundId, name, { ...answer, before: step.before }))
  }
  return completeRecordStep(step, answer)
}

/** Only of a cart that this turn changed. */
function reminderOf({ context, now }: DecideInput, result: Step | null): Date | null {
  const cart = result?.state.carrinho ?? null
  const at = cart?.mudouEm === now.getTime() ? reminderAt(context.config.loja, cart) : null
  return at === null ? null : new Date(at)
}

function isAttendedNow(result: Step | null): boolean {
  return result?.state.etapa === 'humano' || result?.service !== undefined
}

/** Browsers must get the whole conversa when it begins, or when another party serves it. */
function shownConversa(turn: Turn, result: Step | null): Decision['shown'] {
  const { effects = [], service } = result ?? {}
  if (effects.some(({ tipo }) => tipo === 'abrirConversaHumana') || service?.status === 'em_atendimento') return 'nova'
  if (service === undefined) return null
  return service.status === 'aguardando' && authorOf(turn) === 'customer' ? 'entregue' : 'atualizada'
}

function originOf(input: DecideInput): Pick<Decision, 'turn' | 'contaId' | 'linhaId' | 'channel' | 'address'> {
  const { turn, contato, context } = input
  const { contaId, linhaId } = turn
  if (turn.tipo === 'evento') {
    return { turn, contaId, linhaId, channel: channelOfLine(context, linhaId), address: contato.endereco }
  }
  // A late message under an address that the customer gave up is answered at the current one.
  const isLeft = isLeftAddress(contato.trocas, turn.canonical)
  return { turn, contaId, linhaId, channel: turn.channel, address: isLeft ? contato.endereco : turn.message.endereco }
}

function outcomeOf(result: Step | null): Pick<Decision, 'state' | 'consent' | 'etapa' | 'stopped' | 'effects'> {
  if (result === null) return { state: null, consent: null, etapa: null, stopped: false, effects: [] }
  const { state, effects } = result
  const { avisadoEm, paradoEm } = state
  return { state, consent: { avisadoEm, paradoEm }, etapa: state.etapa, stopped: paradoEm !== null, effects }
}

/** When the privacy notice was not sent, the consent is not recorded and the next greeting repeats the notice. */
function withoutUnsentNotice(result: Step | null, lost: boolean): Step | null {
  if (result === null || !lost) return result
  const effects = result.effects.filter((effect) => effect.tipo !== 'registrarConsentimento' || effect.ato !== 'aviso')
  if (effects.length === result.effects.length) return result
  return { ...result, effects, state: { ...result.state, avisadoEm: null } }
}

function customerName(turn: Turn, contato: LockedContato): string {
  if (contato.nomeDoPainel) return contato.nome
  if (turn.tipo === 'evento' || turn.message.deMim === true || turn.message.nome === '') return contato.nome
  return turn.message.nome
}

function inboundMensagem({ turn, context }: DecideInput, id: string): NewMensagem[] {
  if (turn.tipo === 'evento') return []
  const { message } = turn
  const { citada, ligacao, deMim, midia } = message
  const marks = {
    ...(citada === undefined ? {} : { citada }),
    ...(ligacao === undefined ? {} : { ligacao }),
    ...(message.agente === true && deMim === true ? { agenteMeta: true } : {}),
    ...(deMim === true ? {} : pendingTranscript(context.config, midia)),
  }
  const extras = Object.keys(marks).length === 0 ? {} : { extras: marks }
  const { texto, id: idExterno } = message
  const common = { id, texto, midia: midia ?? null, idExterno, lacuna: null, ...extras }
  return deMim === true
    ? [{ ...common, direcao: 'saida', origem: 'telefone', estado: 'enviada' }]
    : [{ ...common, direcao: 'entrada', origem: 'cliente', estado: 'entregue' }]
}

function outboundMensagens(effects: readonly BotEffect[], uuid: () => string, remaining: number): NewMensagem[] {
  const mensagens: NewMensagem[] = []
  for (const effect of effects) {
    const estado = mensagens.length < remaining ? 'enviada' : 'limite'
    const common = { direcao: 'saida', idExterno: null, estado } as const
    if (effect.tipo === 'enviarTexto') {
      const { texto, origem, lacuna = null } = effect
      mensagens.push({ ...common, id: uuid(), origem, texto, midia: null, lacuna, ...extrasOf(effect) })
    } else if (effect.tipo === 'enviarImagem') {
      const midia = { tipo: 'imagem', url: effect.imagemUrl } as const
      mensagens.push({ ...common, id: uuid(), origem: 'bot', texto: effect.legenda, midia, lacuna: null })
    }
  }
  return mensagens
}

function extrasOf({
  escolhas,
  pedidoId,
  cobranca,
}: Extract<BotEffect, { tipo: 'enviarTexto' }>): Pick<NewMensagem, 'extras'> {
  const extras = {
    ...(escolhas === undefined ? {} : { escolhas: [...escolhas] }),
    ...(pedidoId === undefined ? {} : { pedidoId }),
    ...(cobranca === undefined ? {} : { cobranca }),
  }
  return Object.keys(extras).length === 0 ? {} : { extras }
}

/** Picks the open conversa; the last one for a rating or a closing courtesy; otherwise a new one. */
function chooseConversa(input: DecideInput, result: Step | null): Pick<Decision, 'conversaId' | 'isNew' | 'changes'> {
  const { turn, contato, uuid } = input
  const { conversa } = contato
  if (turn.tipo === 'evento' && result?.effects.length === 0) {
    return { conversaId: contato.conversaId, isNew: false, changes: [] }
  }
  const expired =
    conversa !== null &&
    result !== null &&
    (isExpired(input, conversa, result.before) || hasAgentExpired(input, conversa))
  if (conversa !== null && !expired && (conversa.status !== 'finalizada' || continuesLast(result))) {
    return { conversaId: conversa.id, isNew: false, changes: [] }
  }
  const changes = expired
    ? [{ ...NO_CHANGE, id: conversa.id, status: 'finalizada', motivoFim: 'expirada', agenteMeta: false } as const]
    : []
  return { conversaId: uuid(), isNew: true, changes }
}

function endedAgentConversa(
  { conversa }: LockedContato,
  linhaId: string,
  changes: Decision['changes'],
): Decision['endedAgent'] {
  if (conversa?.status !== 'em_atendimento' || changes.length === 0) return null
  return { id: conversa.id, linhaId, setor: conversa.setor, operadorId: conversa.operadorId }
}

const NO_CHANGE = {
  status: null,
  setor: null,
  protocolo: null,
  motivoFim: null,
  naoLidas: 0,
  lidas: false,
  agenteMeta: null,
} as const

/** Only conversas of the bot and of Meta's agent expire. */
function isExpired({ context, now }: DecideInput, conversa: CurrentConversa, before: BotState): boolean {
  const { ultimaEm, telefoneAte } = before
  if (conversa.status !== 'bot' || ultimaEm === null) return false
  // While the owner writes from the phone, the conversa does not expire.
  if ((telefoneAte ?? 0) > now.getTime()) return false
  // A missed call starts a conversa before the customer has written. The next call belongs to the same conversa, so
  // its start counts too.
  const since = Math.max(ultimaEm, conversa.iniciadaEm.getTime())
  return now.getTime() - since > context.config.menu.expiraEmMinutos * 60_000
}

function continuesLast(result: Step | null): boolean {
  if (result === null) return false
  const { state, effects, service } = result
  if (service !== undefined) return false
  const ended = state.etapa === 'encerrada' || state.etapa === 'avaliando'
  return ended && !effects.some(({ tipo }) => tipo === 'finalizarConversa' || tipo === 'abrirConversaHumana')
}

function currentConversaChange(
  { turn, contato }: DecideInput,
  result: Step | null,
  id: string | null,
): ConversaChange[] {
  if (id === null) return []
  const effects = result?.effects ?? []
  const author = authorOf(turn)
  // Conversas served only by the bot are not sorted by activity, so their row is not updated.
  const moved = id === contato.conversaId && isAttended(contato) && (author !== null || effects.some(reachesCustomer))
  const naoLidas = moved && author === 'customer' ? 1 : 0
  const base: ConversaChange = { ...NO_CHANGE, id, naoLidas, lidas: author === 'owner' }
  const acted = effects.reduce((sum, effect) => ({ ...sum, ...effectOnConversa(effect, author, result) }), base)
  const change = withService(acted, result)
  return change.status === null && !moved ? [] : [change]
}

function effectOnConversa(
  effect: BotEffect,
  author: ReturnType<typeof authorOf>,
  result: Step | null,
): Partial<ConversaChange> {
  if (effect.tipo === 'finalizarConversa') {
    return { status: 'finalizada', motivoFim: author === null ? 'atendente' : 'bot' }
  }
  if (effect.tipo !== 'abrirConversaHumana') return {}
  const protocolo = result?.protocolo ?? null
  return { status: 'aguardando', setor: effect.setor, protocolo, naoLidas: author === 'customer' ? 1 : 0 }
}

function withService(change: ConversaChange, result: Step | null): ConversaChange {
  if (result?.service === undefined) return change
  const { status, setor, agenteMeta } = result.service
  const opened = result.protocolo === null ? {} : { protocolo: result.protocolo }
  return {
    ...change,
    ...opened,
    agenteMeta,
    status: change.status ?? status,
    setor: change.setor ?? setor,
  }
}

function isAttended({ conversa }: LockedContato): boolean {
  return conversa?.status === 'aguardando' || conversa?.status === 'em_atendimento'
}
