import type { BotContext } from '@balcao/engine/context'
import type { BotEffect } from '@balcao/engine/effect'
import type { BotEvent } from '@balcao/engine/event'
import { cartSums } from '@balcao/engine/pedidos/checkout'
import { fillPlaceholders } from '@balcao/engine/rules/placeholders'
import { renderMenu } from '@balcao/engine/rules/opcoes'
import { initialState, type BotState } from '@balcao/engine/state'
import { step } from '@balcao/engine/step'
import type { Bubble, NewBubble } from './transcript.ts'
import { toBubble } from './transcript.ts'

export interface PreviewContext extends BotContext {
  /** The effects of a turn as they leave on the line. Absent: unchanged, which keeps this code off the landing page. */
  readonly onLine?: (effects: readonly BotEffect[]) => readonly BotEffect[]
}

export interface PreviewState {
  readonly bot: BotState
  readonly bubbles: readonly Bubble[]
  /** Number of bubbles shown so far; the bot is typing the rest. */
  readonly visible: number
  readonly now: number
}

export type PreviewAction =
  | { readonly tipo: 'enviar'; readonly texto: string; readonly agora: number; readonly contexto: PreviewContext }
  | { readonly tipo: 'finalizarAtendimento'; readonly agora: number; readonly contexto: PreviewContext }
  /** Moves the clock. The conversation continues as if no time had passed. */
  | { readonly tipo: 'mudarHora'; readonly agora: number; readonly aviso: string }
  | { readonly tipo: 'revelar' }
  | { readonly tipo: 'revelarTudo' }
  | { readonly tipo: 'recomecar'; readonly agora: number }

/** Minimum gap between the customer's messages, so that the engine does not take fast clicks for another bot. */
const BETWEEN_MESSAGES_MS = 5_000
const CUSTOMER = { nome: 'Cliente', telefone: '5511987654321' } as const

export function initialPreview(now: number): PreviewState {
  return { bot: initialState(), bubbles: [], visible: 0, now }
}

function appendBubbles(bubbles: readonly Bubble[], added: readonly NewBubble[]): readonly Bubble[] {
  return [...bubbles, ...added.map((fresh, index) => ({ ...fresh, id: bubbles.length + index }))]
}

function showUntilBot(bubbles: readonly Bubble[], visible: number): number {
  let until = visible
  while (until < bubbles.length && bubbles[until]?.tipo !== 'bot') until += 1
  return until
}

function previewProtocolo(now: number, zone: string): string {
  const data = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now)
  return `${data.replaceAll('-', '')}-0001`
}

function runEvent(
  before: PreviewState,
  event: BotEvent,
  context: PreviewContext,
  spoken: readonly NewBubble[],
): PreviewState {
  const { state: bot, effects } = stepWithOrder(context, before.bot, event)
  const { agora, contato, protocolo = '', link = '' } = event
  const menu = fillPlaceholders(renderMenu(context.config), { context, contato, now: agora, protocolo, link })
  const leaving = context.onLine?.(effects) ?? effects
  const replies = leaving.map((effect) => toBubble(effect, context, menu)).filter((bubble) => bubble !== null)
  const skipped = before.bot.etapa === 'avaliando' && bot.etapa !== 'avaliando' && !effects.some(isAvaliacao)
  const bubbles = appendBubbles(before.bubbles, [...spoken, ...(skipped ? [NO_AVALIACAO] : []), ...replies])
  return { bot, bubbles, visible: showUntilBot(bubbles, before.bubbles.length), now: agora }
}

/** An order of the preview is made immediately, as the first one of the day. No code has a cart. */
function stepWithOrder(context: PreviewContext, before: BotState, event: BotEvent): ReturnType<typeof step> {
  const asked = step(context, before, event)
  if (event.tipo === 'mensagemCliente' && asked.effects.some(({ tipo }) => tipo === 'buscarCarrinho')) {
    return step(context, before, { ...event, carrinho: null })
  }
  const { carrinho } = asked.state
  const confirms = asked.effects.some(({ tipo }) => tipo === 'criarPedido')
  if (!confirms || carrinho === null || event.tipo !== 'mensagemCliente') return asked
  const { totalCentavos } = cartSums(context, carrinho, event.agora)
  return step(context, before, {
    ...event,
    pedido: { tipo: 'feito', pedidoId: '', numero: 1, totalCentavos, pix: null },
  })
}

const NO_AVALIACAO = { tipo: 'nota', texto: 'Ficou sem avaliação' } as const
const isAvaliacao = ({ tipo }: BotEffect): boolean => tipo === 'registrarAvaliacao'

function commonFields(before: PreviewState, now: number, context: BotContext) {
  const instant = Math.max(now, before.now + BETWEEN_MESSAGES_MS)
  const { atendimento, loja } = context.config
  const { ativa, endereco } = loja.pagina
  const link = ativa ? `${location.origin}/m/${endereco}` : ''
  return { agora: instant, contato: CUSTOMER, protocolo: previewProtocolo(instant, atendimento.horario.fuso), link }
}

export function previewReducer(before: PreviewState, action: PreviewAction): PreviewState {
  switch (action.tipo) {
    case 'enviar': {
      const { texto, contexto } = action
      const common = commonFields(before, action.agora, contexto)
      const evento = {
        ...common,
        tipo: 'mensagemCliente',
        id: `previa-${before.bubbles.length}`,
        texto,
        enviadaEm: common.agora,
      } as const
      return runEvent(before, evento, contexto, [{ tipo: 'cliente', texto }])
    }
    case 'finalizarAtendimento':
      return runEvent(
        before,
        { ...commonFields(before, action.agora, action.contexto), tipo: 'atendenteFinalizou' },
        action.contexto,
        [],
      )
    case 'mudarHora': {
      const bolhas = appendBubbles(before.bubbles, [{ tipo: 'nota', texto: action.aviso }])
      const ultimaEm = before.bot.ultimaEm === null ? null : action.agora
      const bot = { ...before.bot, ultimaEm, respostasEm: [], repetido: null, foraPeriodoDito: null }
      return { bot, bubbles: bolhas, visible: bolhas.length, now: action.agora }
    }
    case 'revelar':
      return { ...before, visible: showUntilBot(before.bubbles, before.visible + 1) }
    case 'revelarTudo':
      return { ...before, visible: before.bubbles.length }
    case 'recomecar':
      return initialPreview(action.agora)
  }
}
