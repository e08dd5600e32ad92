import { step } from '@balcao/engine/step'
import { type BotState, parseState } from '@balcao/engine/state'
import { type BotEffect, reachesCustomer } from '@balcao/engine/effect'
import type { BotEvent } from '@balcao/engine/event'
import { parseStopWord } from '@balcao/engine/rules/stop-words'
import { toBotContext, type AccountContext } from '#modules/ia/index.ts'
import type { EventBase } from '#ports/bots.ts'
import type { LockedContato } from './read.ts'
import type { Turn } from './types.ts'

export interface DecideInput {
  readonly turn: Turn
  readonly contato: LockedContato
  readonly context: AccountContext
  readonly now: Date
  readonly day: string
  readonly uuid: () => string
  /** Messages left in the daily limit. Messages beyond it are stored with estado `limite` and not sent. */
  readonly remaining: number
  readonly silent: boolean
  readonly handOver: (setor: string) => Promise<Handover>
  /** True if an operador or the owner on the phone wrote in the conversa after this instant. */
  readonly personWroteAfter: (conversaId: string, at: Date) => Promise<boolean>
}

export interface Handover {
  /** A setor that exists when the decision is stored. */
  readonly setor: string
  readonly protocolo: string
}

/** The service of the current conversa from now on. */
export interface ServiceChange {
  /** Null keeps the status. */
  readonly status: 'aguardando' | 'em_atendimento' | null
  /** Null keeps the setor. */
  readonly setor: string | null
  readonly agenteMeta: boolean
}

export interface Step {
  readonly before: BotState
  readonly state: BotState
  readonly effects: readonly BotEffect[]
  readonly protocolo: string | null
  /** Absent: the effects alone decide. */
  readonly service?: ServiceChange
}

const PANEL_ACTIONS: readonly BotEvent['tipo'][] = [
  'atendenteAssumiu',
  'atendenteTransferiu',
  'atendenteFinalizou',
  'devolvidaAoBot',
]

/**
 * Returns null in maintenance: messages are stored and not answered. Panel actions and a request to stop still
 * change the state, without any reply.
 */
export async function runEngine(input: DecideInput, inboundId: string, nome: string): Promise<Step | null> {
  const { turn, contato, context: account, now } = input
  const before = parseState(contato.estado)
  const base = { agora: now.getTime(), contato: { nome, telefone: contato.telefone } }
  const context = toBotContext(account)
  const event = toEngineEvent(turn, inboundId, base)
  const asksToStop = event.tipo === 'mensagemCliente' && parseStopWord(event.texto) !== null
  if (account.manutencao && !asksToStop && !PANEL_ACTIONS.includes(event.tipo)) return null
  const first = stepOrFail(context, before, event)
  if (account.manutencao) {
    if (asksToStop && (first.state.paradoEm === null || before.paradoEm !== null)) return null
    const effects = first.effects.filter((effect) => !reachesCustomer(effect))
    return { before, state: first.state, effects, protocolo: null }
  }
  const opening = first.effects.find(({ tipo }) => tipo === 'abrirConversaHumana')
  if (opening?.tipo !== 'abrirConversaHumana') return { before, ...first, protocolo: null }
  const { setor, protocolo } = await input.handOver(opening.setor)
  const second = stepOrFail(context, before, toEngineEvent(turn, inboundId, { ...base, protocolo }))
  return { before, ...withSetor(second, setor), protocolo }
}

function withSetor({ state, effects }: ReturnType<typeof step>, setor: string): ReturnType<typeof step> {
  return {
    state: state.etapa === 'humano' ? { ...state, setor } : state,
    effects: effects.map((effect) => (effect.tipo === 'abrirConversaHumana' ? { ...effect, setor } : effect)),
  }
}

export class EngineFailed extends Error {}

export function stepOrFail(...args: Parameters<typeof step>): ReturnType<typeof step> {
  try {
    return step(...args)
  } catch (error) {
    throw new EngineFailed('engine failed', { cause: error })
  }
}

export function toEngineEvent(turn: Turn, id: string, base: EventBase): BotEvent {
  if (turn.tipo === 'evento') return turn.event(base)
  const { deMim, texto, midia, ligacao, enviadaEm } = turn.message
  if (deMim === true) return { tipo: 'mensagemDoTelefone', escritaEm: enviadaEm.getTime(), ...base }
  if (ligacao !== undefined) return { tipo: 'ligacaoPerdida', ligouEm: enviadaEm.getTime(), ...base }
  const received = { tipo: 'mensagemCliente', id, texto, enviadaEm: enviadaEm.getTime(), ...base } as const
  return midia === undefined ? received : { ...received, midia: midia.tipo }
}
