import type { QueuePlace } from '@balcao/engine/atendimento/waiting-estimate'
import { step } from '@balcao/engine/step'
import { parseState } from '@balcao/engine/stored-state/parse'
import type { BotState } from '@balcao/engine/state'
import { type BotEffect, reachesCustomer } from '@balcao/engine/effect'
import type { BotEvent, OrderOutcome } from '@balcao/engine/event'
import type { Cart } from '@balcao/engine/pedidos/cart'
import { parseStopWord } from '@balcao/engine/rules/stop-words'
import { toBotContext, type AccountContext } from '#modules/ia/index.ts'
import type { EventBase } from '#ports/bots.ts'
import type { LockedContato, Turn } from './types.ts'

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
  /** The cart of the code in the message. Null: there is none. Absent: not looked for. */
  readonly carrinho?: Cart | null
}

export interface Step {
  readonly before: BotState
  readonly state: BotState
  readonly effects: readonly BotEffect[]
  readonly protocolo: string | null
  /** The service of the current conversa from now on. Null keeps a field. Absent: the effects alone decide. */
  readonly service?: {
    readonly status: 'aguardando' | 'em_atendimento' | null
    readonly setor: string | null
    readonly agenteMeta: boolean
  }
  /** A question to the database, answered for the whole batch in `needs.ts` before the turn is decided. */
  readonly need?:
    | {
        readonly tipo: 'handover'
        /** `people`: the bot hands the customer over to this setor. `agent`: Meta's agent begins to serve. */
        readonly to: 'people' | 'agent'
        readonly setor: string
      }
    /** The order of this cart, which the customer confirmed. */
    | { readonly tipo: 'order'; readonly cart: Cart }
    /** The cart of the menu on the web with one of these codes. Answered before all others, and the engine runs again. */
    | { readonly tipo: 'cart'; readonly codigos: readonly string[] }
    /** Whether an operador or the owner on the phone wrote in the conversa after this instant. */
    | { readonly tipo: 'personWrote'; readonly conversaId: string; readonly after: Date }
}

export type Answer =
  | {
      readonly tipo: 'handover'
      /** A setor that exists when the decision is stored. */
      readonly setor: string
      readonly protocolo: string
      /** Absent: the texts of the conta do not name it. */
      readonly fila?: QueuePlace
    }
  | { readonly tipo: 'order'; readonly outcome: OrderOutcome }
  | { readonly tipo: 'personWrote'; readonly wrote: boolean }

const PANEL_ACTIONS: readonly BotEvent['tipo'][] = [
  'atendenteAssumiu',
  'atendenteTransferiu',
  'atendenteFinalizou',
  'atendenteEncerrou',
  'silencioEncerrou',
  'devolvidaAoBot',
]

/**
 * Returns null in maintenance: messages are stored and not answered. Panel actions and a request to stop still
 * change the state, without any reply.
 */
export function runEngine(input: DecideInput, inboundId: string, nome: string): Step | null {
  const { contato, context: account } = input
  const before = parseState(contato.estado)
  const context = toBotContext(account)
  const event = toEngineEvent(input, inboundId, eventBase(input, nome))
  const asksToStop = event.tipo === 'mensagemCliente' && parseStopWord(event.texto) !== null
  if (account.manutencao && !asksToStop && !PANEL_ACTIONS.includes(event.tipo)) return null
  const first = stepOrFail(context, before, event)
  if (account.manutencao) {
    if (asksToStop && (first.state.paradoEm === null || before.paradoEm !== null)) return null
    const effects = first.effects.filter((effect) => !reachesCustomer(effect))
    return { before, state: first.state, effects, protocolo: null }
  }
  return { before, ...first, protocolo: null, ...needOf(first) }
}

/** A turn hands over to people or confirms an order, never both. */
function needOf({ state: { carrinho }, effects }: ReturnType<typeof step>): Pick<Step, 'need'> {
  for (const effect of effects) {
    if (effect.tipo === 'abrirConversaHumana') {
      return { need: { tipo: 'handover', to: 'people', setor: effect.setor } }
    }
    if (effect.tipo === 'buscarCarrinho') return { need: { tipo: 'cart', codigos: effect.codigos } }
    if (effect.tipo === 'criarPedido' && carrinho !== null) return { need: { tipo: 'order', cart: carrinho } }
  }
  return {}
}

/** Runs the engine again from `before`, with the protocol number, which its texts contain. */
export function runHandover(
  input: DecideInput,
  inboundId: string,
  nome: string,
  { before, setor, protocolo, fila }: Extract<Answer, { tipo: 'handover' }> & Pick<Step, 'before'>,
): Step {
  const base = { ...eventBase(input, nome), protocolo, ...(fila === undefined ? {} : { fila }) }
  const event = toEngineEvent(input, inboundId, base)
  return { before, ...withSetor(stepOrFail(toBotContext(input.context), before, event), setor), protocolo }
}

/** Runs the engine again from `before`, with what became of the order. */
export function runOrder(
  input: DecideInput,
  inboundId: string,
  nome: string,
  { before, outcome }: { readonly before: BotState; readonly outcome: OrderOutcome },
): Step {
  const event = toEngineEvent(input, inboundId, eventBase(input, nome))
  const told = event.tipo === 'mensagemCliente' ? { ...event, pedido: outcome } : event
  return { before, ...stepOrFail(toBotContext(input.context), before, told), protocolo: null }
}

export function eventBase(
  { turn, contato, context, now }: Pick<DecideInput, 'turn' | 'contato' | 'context' | 'now'>,
  nome: string,
): EventBase {
  const base = { agora: now.getTime(), contato: { nome, telefone: contato.telefone } }
  const { pageLink } = context
  return pageLink === null ? base : { ...base, link: pageLink({ linhaId: turn.linhaId, contatoId: contato.id, now }) }
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

export function toEngineEvent(
  { turn, carrinho }: Pick<DecideInput, 'turn' | 'carrinho'>,
  id: string,
  base: EventBase,
): BotEvent {
  if (turn.tipo === 'evento') return turn.event(base)
  const { deMim, texto, midia, ligacao, enviadaEm } = turn.message
  if (deMim === true) return { tipo: 'mensagemDoTelefone', escritaEm: enviadaEm.getTime(), ...base }
  if (ligacao !== undefined) return { tipo: 'ligacaoPerdida', ligouEm: enviadaEm.getTime(), ...base }
  const cart = carrinho === undefined ? {} : { carrinho }
  const received = { tipo: 'mensagemCliente', id, texto, enviadaEm: enviadaEm.getTime(), ...base, ...cart } as const
  return midia === undefined ? received : { ...received, midia: midia.tipo }
}
