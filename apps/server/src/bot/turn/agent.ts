import { parseState } from '@balcao/engine/stored-state/parse'
import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { toBotContext } from '#modules/ia/index.ts'
import { type Answer, type DecideInput, eventBase, type Step, stepOrFail, toEngineEvent } from './engine.ts'
import type { CurrentConversa, MessageTurn, Turn } from './types.ts'

/**
 * Meta's own agent may serve customers of the same number. Meta then sends copies, which are stored and shown and
 * never answered. A person who writes takes the conversa over. A message that Meta sends to us again is the agent's
 * hand-over to people.
 */

/** Webhooks arrive in any order. Meta counts whole seconds. */
const LATE_MS = 10_000

export function isAgentMessage(turn: Turn): boolean {
  return turn.tipo === 'mensagem' && turn.message.agente === true
}

function isWithAgent({ agenteMeta, status, operadorId }: CurrentConversa): boolean {
  return agenteMeta && status === 'em_atendimento' && operadorId === null
}

/** The agent has been silent for as long as a conversa of the bot lasts. The next message starts another conversa. */
export function hasAgentExpired(
  { turn, context, now }: Pick<DecideInput, 'turn' | 'context' | 'now'>,
  conversa: CurrentConversa,
): boolean {
  if (turn.tipo === 'evento' || !isWithAgent(conversa)) return false
  return now.getTime() - conversa.ultimaEm.getTime() > context.config.menu.expiraEmMinutos * 60_000
}

/** Handles a message of the agent's service without an answer. Null for any other turn, which the engine handles. */
export function stepForAgent(input: DecideInput, inboundId: string, nome: string): Step | null {
  const { turn } = input
  if (turn.tipo === 'evento') return null
  if (turn.message.agente === true) return recordStep(input, turn, inboundId, nome)
  const conversa = servedByAgent(input)
  if (conversa === null || turn.message.deMim === true) return null
  if (turn.message.enviadaEm.getTime() < conversa.iniciadaEm.getTime() - LATE_MS) {
    return { ...consentStep(input, inboundId, nome), protocolo: null }
  }
  return handOverStep(input, conversa, inboundId, nome)
}

/** A message outside the agent's service ends it. Null when the agent has no part in the conversa. */
export function endOfAgentService(input: DecideInput): NonNullable<Step['service']> | null {
  const { turn } = input
  const { conversa } = input.contato
  if (turn.tipo === 'evento' || conversa?.agenteMeta !== true || conversa.status === 'finalizada') return null
  if (hasAgentExpired(input, conversa)) return null
  return { status: isWithAgent(conversa) ? 'aguardando' : null, setor: null, agenteMeta: false }
}

function servedByAgent(input: DecideInput): CurrentConversa | null {
  const { conversa } = input.contato
  return conversa !== null && isWithAgent(conversa) && !hasAgentExpired(input, conversa) ? conversa : null
}

function recordStep(input: DecideInput, { message }: MessageTurn, inboundId: string, nome: string): Step {
  const stepped = { ...consentStep(input, inboundId, nome), protocolo: null }
  const { conversa } = input.contato
  const attended = conversa?.status === 'aguardando' || conversa?.status === 'em_atendimento'
  if (conversa === null || !attended || hasAgentExpired(input, conversa)) {
    return { ...stepped, need: { tipo: 'handover', to: 'agent', setor: SETOR_GERAL } }
  }
  if (conversa.agenteMeta) return stepped
  return { ...stepped, need: { tipo: 'personWrote', conversaId: conversa.id, after: message.enviadaEm } }
}

/** Lets the agent serve the conversa, unless a person wrote after a late copy of the agent's message. */
export function completeRecordStep(stepped: Step, answer: Exclude<Answer, { tipo: 'order' }>): Step {
  if (answer.tipo === 'personWrote') {
    return answer.wrote ? stepped : { ...stepped, service: { status: null, setor: null, agenteMeta: true } }
  }
  const { setor, protocolo } = answer
  return { ...stepped, protocolo, service: { status: 'em_atendimento', setor, agenteMeta: true } }
}

function handOverStep(input: DecideInput, conversa: CurrentConversa, inboundId: string, nome: string): Step {
  const { before, state, effects } = consentStep(input, inboundId, nome)
  const setor = conversa.setor ?? SETOR_GERAL
  const event = { tipo: 'atendenteTransferiu', setor, ...eventBase(input, nome) } as const
  const queued = stepOrFail(toBotContext(input.context), state, event)
  const service = { status: 'aguardando', setor: null, agenteMeta: false } as const
  return { before, state: queued.state, effects, protocolo: null, service }
}

/**
 * Runs the engine only for the words that stop and resume automatic messages. Drops the question that waits for the
 * AI, because its answer would take the conversa from the agent.
 */
function consentStep(input: DecideInput, inboundId: string, nome: string): Pick<Step, 'before' | 'state' | 'effects'> {
  const { turn, contato, context } = input
  const before = parseState(contato.estado)
  const unanswered = { ...before, pergunta: null }
  if (turn.tipo === 'evento' || turn.message.deMim === true) return { before, state: unanswered, effects: [] }
  const event = toEngineEvent(input, inboundId, eventBase(input, nome))
  const { state, effects } = stepOrFail(toBotContext(context), before, event)
  return {
    before,
    state: { ...unanswered, paradoEm: state.paradoEm },
    effects: effects.filter((effect) => effect.tipo === 'registrarConsentimento' && effect.ato !== 'aviso'),
  }
}

/** Null for events of the panel and of the AI. Messages of the agent's service wait for no operador. */
export function authorOf(turn: Turn): 'customer' | 'owner' | 'agent' | null {
  if (turn.tipo === 'evento') return null
  if (isAgentMessage(turn)) return 'agent'
  return turn.message.deMim === true ? 'owner' : 'customer'
}
