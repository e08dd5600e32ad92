import type { BotContext } from '#context.ts'
import { reachesCustomer } from '#effect.ts'
import type { BotEvent } from '#event.ts'
import { effectsOnLine } from '#join-messages.ts'
import { centsOf } from '#oficial/costs.ts'
import { isOpenAt } from '#rules/horario.ts'
import { nextOpeningAt } from '#rules/opening.ts'
import { type BotState, initialState } from '#state.ts'
import { step } from '#step.ts'

export interface PathCost {
  /** Number of the option. */
  readonly numero: string
  /** Messages that the bot sends. People's messages and answers of the AI are not counted. */
  readonly mensagens: number
}

type Connector = Parameters<typeof effectsOnLine>[2]

interface Place {
  readonly state: BotState
  readonly mensagens: number
  readonly now: number
}

type Act = { readonly tipo: 'mensagemCliente'; readonly texto: string } | { readonly tipo: 'atendenteFinalizou' }

/** Long enough that the loop guard does not act. */
const BETWEEN_MS = 60_000
const CUSTOMER = { nome: 'Cliente', telefone: '5511987654321' }
const PROTOCOLO = '20260101-0001'

/**
 * Runs the bot along each option of the menu: greeting, option and, after an option that hands over to people, the end
 * with a rating. `now` (ms) is moved to the next opening, because a closed shop also says so.
 */
export function pathCosts(context: BotContext, connector: Connector, now: number): PathCost[] {
  const { horario } = context.config.atendimento
  const opening = isOpenAt(horario, now) ? now : (nextOpeningAt(horario, now) ?? now)
  const walk = (from: Place, act: Act): Place => follow(context, connector, from, act)
  const start = walk({ state: initialState(), mensagens: 0, now: opening }, { tipo: 'mensagemCliente', texto: 'oi' })
  return context.config.menu.opcoes.map(({ numero }) => {
    const chosen = walk(start, { tipo: 'mensagemCliente', texto: numero })
    if (chosen.state.etapa !== 'humano') return { numero, mensagens: chosen.mensagens }
    const finished = walk(chosen, { tipo: 'atendenteFinalizou' })
    const rated =
      finished.state.etapa === 'avaliando' ? walk(finished, { tipo: 'mensagemCliente', texto: '5' }) : finished
    return { numero, mensagens: rated.mensagens }
  })
}

function follow(context: BotContext, connector: Connector, { state, mensagens, now }: Place, act: Act): Place {
  const agora = now + BETWEEN_MS
  const base = { agora, contato: CUSTOMER, protocolo: PROTOCOLO }
  const event: BotEvent =
    act.tipo === 'atendenteFinalizou'
      ? { ...base, tipo: 'atendenteFinalizou' }
      : { ...base, tipo: 'mensagemCliente', texto: act.texto, id: `visita-${agora}`, enviadaEm: agora }
  const result = step(context, state, event)
  const sent = effectsOnLine(result.effects, context.config.menu, connector).filter(reachesCustomer)
  return { state: result.state, mensagens: mensagens + sent.length, now: agora }
}

/** Price of some messages in cents. `milionesimos`: of the currency, for one message. */
export function messagesCents(mensagens: number, milionesimos: number): number {
  return centsOf(mensagens * milionesimos)
}
