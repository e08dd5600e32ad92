import type { BotContext } from '@balcao/engine/context'
import type { BotEvent } from '@balcao/engine/event'
import { preencher } from '@balcao/engine/rules/modelo'
import { renderMenu } from '@balcao/engine/rules/opcoes'
import { initialState, type BotState } from '@balcao/engine/state'
import { step } from '@balcao/engine/step'
import type { Bolha, BolhaNova } from './transcript.ts'
import { paraBolha } from './transcript.ts'

export interface PreviewState {
  readonly bot: BotState
  readonly bolhas: readonly Bolha[]
  /** Number of bubbles shown so far; the bot is typing the rest. */
  readonly visiveis: number
  /** Instant of the last event, ms. */
  readonly agora: number
}

export type PreviewAction =
  | { readonly tipo: 'enviar'; readonly texto: string; readonly agora: number; readonly contexto: BotContext }
  | { readonly tipo: 'finalizarAtendimento'; readonly agora: number; readonly contexto: BotContext }
  /** Moves the clock. The conversation continues as if no time had passed. */
  | { readonly tipo: 'mudarHora'; readonly agora: number; readonly aviso: string }
  | { readonly tipo: 'revelar' }
  | { readonly tipo: 'revelarTudo' }
  | { readonly tipo: 'recomecar'; readonly agora: number }

/** Minimum gap between the customer's messages, so that the engine does not take fast clicks for another bot. */
const ENTRE_MENSAGENS_MS = 5_000
const CLIENTE = { nome: 'Cliente', telefone: '5511987654321' } as const

export function previewInicial(agora: number): PreviewState {
  return { bot: initialState(), bolhas: [], visiveis: 0, agora }
}

function acrescentar(bolhas: readonly Bolha[], novas: readonly BolhaNova[]): readonly Bolha[] {
  return [...bolhas, ...novas.map((nova, indice) => ({ ...nova, id: bolhas.length + indice }))]
}

function mostrarAteOBot(bolhas: readonly Bolha[], visiveis: number): number {
  let ate = visiveis
  while (ate < bolhas.length && bolhas[ate]?.tipo !== 'bot') ate += 1
  return ate
}

function protocoloDe(agora: number, fuso: string): string {
  const data = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short' }).format(agora)
  return `${data.replaceAll('-', '')}-0001`
}

function acontecer(
  antes: PreviewState,
  evento: BotEvent,
  contexto: BotContext,
  fala: readonly BolhaNova[],
): PreviewState {
  const { state: bot, effects } = step(contexto, antes.bot, evento)
  const { agora, contato, protocolo = '' } = evento
  const menu = preencher(renderMenu(contexto.config), { contexto, contato, agora, protocolo })
  const respostas = effects.map((efeito) => paraBolha(efeito, contexto, menu)).filter((bolha) => bolha !== null)
  const bolhas = acrescentar(antes.bolhas, [...fala, ...respostas])
  return { bot, bolhas, visiveis: mostrarAteOBot(bolhas, antes.bolhas.length), agora }
}

function comumDe(antes: PreviewState, agora: number, contexto: BotContext) {
  const instante = Math.max(agora, antes.agora + ENTRE_MENSAGENS_MS)
  const { fuso } = contexto.config.atendimento.horario
  return { agora: instante, contato: CLIENTE, protocolo: protocoloDe(instante, fuso) }
}

export function previewReducer(antes: PreviewState, acao: PreviewAction): PreviewState {
  switch (acao.tipo) {
    case 'enviar': {
      const { texto, contexto } = acao
      const comum = comumDe(antes, acao.agora, contexto)
      const evento = {
        ...comum,
        tipo: 'mensagemCliente',
        id: `previa-${antes.bolhas.length}`,
        texto,
        enviadaEm: comum.agora,
      } as const
      return acontecer(antes, evento, contexto, [{ tipo: 'cliente', texto }])
    }
    case 'finalizarAtendimento':
      return acontecer(
        antes,
        { ...comumDe(antes, acao.agora, acao.contexto), tipo: 'atendenteFinalizou' },
        acao.contexto,
        [],
      )
    case 'mudarHora': {
      const bolhas = acrescentar(antes.bolhas, [{ tipo: 'nota', texto: acao.aviso }])
      const ultimaEm = antes.bot.ultimaEm === null ? null : acao.agora
      const bot = { ...antes.bot, ultimaEm, respostasEm: [], repetido: null, foraPeriodoDito: null }
      return { bot, bolhas, visiveis: bolhas.length, agora: acao.agora }
    }
    case 'revelar':
      return { ...antes, visiveis: mostrarAteOBot(antes.bolhas, antes.visiveis + 1) }
    case 'revelarTudo':
      return { ...antes, visiveis: antes.bolhas.length }
    case 'recomecar':
      return previewInicial(acao.agora)
  }
}
