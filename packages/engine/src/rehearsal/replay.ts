import { IA_TIMEOUT_MS } from '@balcao/contract/constants'
import type { BotContext } from '#context.ts'
import { type BotEffect, reachesCustomer } from '#effect.ts'
import type { BotEvent, EventContato, IaResult, MensagemCliente, MidiaKind, OrderOutcome } from '#event.ts'
import { maskPersonalData } from '#ia/masking.ts'
import { effectsOnLine } from '#join-messages.ts'
import { subtotalOf } from '#pedidos/totals.ts'
import { foldText } from '#rules/text.ts'
import { type BotState, type Consent, initialState } from '#state.ts'
import { step } from '#step.ts'

/** Plays stored conversas of one dialogue again, with any settings. Nothing is sent. */

/** An event of a stored conversa. `em` is its instant in ms. */
export type ReplayItem = { readonly em: number } & (
  | { readonly tipo: 'cliente'; readonly id: string; readonly texto: string; readonly midia?: MidiaKind }
  | { readonly tipo: 'ligacao' | 'telefone' | 'operador' }
  /** An answer of the AI that was kept, in the place where it was sent. */
  | { readonly tipo: 'ia'; readonly resultado: IaResult }
  /** A person of the shop, or the customer's silence, ended the conversa. */
  | { readonly tipo: 'fim'; readonly como: 'comDespedida' | 'semDespedida' | 'silencio' | 'devolvida' }
)

export interface PlayedConversa {
  readonly textos: readonly string[]
  /** Setores to which the bot handed the customer, in order. */
  readonly setores: readonly string[]
}

export interface ReplayOptions {
  readonly context: BotContext
  /** The name and phone that texts may name. */
  readonly contato: EventContato
  /** Of the customer before the first conversa. */
  readonly consent: Consent
  readonly connector: Parameters<typeof effectsOnLine>[2]
  /** The menu on the web, as texts name it. Absent: the shop has none. */
  readonly link?: string
  /** A kept answer to the same question of any customer. The question is folded by `foldQuestion`. */
  readonly keptAnswer: (question: string) => IaResult | null
}

/** Stands for an answer of the AI to a question that no customer asked before. */
export const UNKNOWN_ANSWER = '(Aqui a IA responderia. Não há resposta guardada para esta pergunta.)'

/** Form in which questions to the AI are compared. Personal data is masked. */
export function foldQuestion(text: string): string {
  return foldText(maskPersonalData(text))
}

const STANDS_FOR_PROTOCOL = '00000000-0000'

/** The dialogue keeps the state of the bot from one conversa to the next. */
export class ReplayedDialogue {
  readonly #options: ReplayOptions
  #state: BotState
  #question: { textos: string[]; until: number } | null = null
  #textos: string[] = []
  #setores: string[] = []

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#state = { ...initialState(), ...options.consent }
  }

  /** Plays the next conversa. `itens` in their order. */
  play(itens: readonly ReplayItem[], protocolo = STANDS_FOR_PROTOCOL): PlayedConversa {
    this.#textos = []
    this.#setores = []
    let now = 0
    for (const item of itens) {
      now = item.em
      if (item.tipo === 'ia') {
        this.#answer(item.resultado, item.em, protocolo)
        continue
      }
      if (this.#question !== null && this.#question.until <= item.em) this.#answerByKept(item.em, protocolo)
      this.#run(item, protocolo)
    }
    if (this.#question !== null) this.#answerByKept(Math.max(now, this.#question.until), protocolo)
    return { textos: this.#textos, setores: this.#setores }
  }

  #run(item: Exclude<ReplayItem, { tipo: 'ia' }>, protocolo: string): void {
    const event = this.#eventOf(item, protocolo)
    if (event === null) return
    const effects = this.#step(event)
    this.#state = effects.state
    this.#collect(effects.effects)
    this.#noteQuestion(item, effects.effects)
  }

  #noteQuestion(item: Exclude<ReplayItem, { tipo: 'ia' }>, effects: readonly BotEffect[]): void {
    if (this.#state.pergunta === null) {
      this.#question = null
      return
    }
    const asked = effects.find((effect) => effect.tipo === 'perguntarIa')
    if (asked === undefined || item.tipo !== 'cliente') return
    const textos = [...(this.#question?.textos ?? []), item.texto]
    // A provider that needs longer fails, so the answer exists by then.
    this.#question = { textos, until: item.em + asked.esperaMs + IA_TIMEOUT_MS }
  }

  #answerByKept(em: number, protocolo: string): void {
    const asked = foldQuestion(this.#question?.textos.join('\n') ?? '')
    this.#answer(this.#options.keptAnswer(asked) ?? { tipo: 'texto', texto: UNKNOWN_ANSWER }, em, protocolo)
  }

  /** With these settings the AI may not have been asked. Then the answer counts for nothing. */
  #answer(resultado: IaResult, em: number, protocolo: string): void {
    const { pergunta: perguntaId } = this.#state
    this.#question = null
    if (perguntaId === null) return
    const { state, effects } = step(this.#options.context, this.#state, {
      ...{ tipo: 'respostaIa', perguntaId, resultado },
      ...this.#base(em, protocolo),
    })
    // A late answer is dropped by the engine, and its question with it.
    this.#state = { ...state, pergunta: null }
    this.#collect(effects)
  }

  #base(agora: number, protocolo: string): Pick<MensagemCliente, 'agora' | 'contato' | 'protocolo' | 'link'> {
    const { contato, link } = this.#options
    return { agora, contato, protocolo, ...(link === undefined ? {} : { link }) }
  }

  #eventOf(item: Exclude<ReplayItem, { tipo: 'ia' }>, protocolo: string): BotEvent | null {
    const base = this.#base(item.em, protocolo)
    switch (item.tipo) {
      case 'cliente': {
        const { id, texto, em, midia } = item
        return { tipo: 'mensagemCliente', id, texto, enviadaEm: em, ...base, ...(midia === undefined ? {} : { midia }) }
      }
      case 'ligacao':
        return { tipo: 'ligacaoPerdida', ligouEm: item.em, ...base }
      case 'telefone':
        return { tipo: 'mensagemDoTelefone', escritaEm: item.em, ...base }
      case 'operador':
        return this.#state.etapa === 'humano' ? null : { tipo: 'atendenteAssumiu', ...base }
      case 'fim':
        return { tipo: END_EVENTS[item.como], ...base }
    }
  }

  /** Answers what the engine asks of the database: no cart of the page is found, and each order is made. */
  #step(event: BotEvent): ReturnType<typeof step> {
    const { context } = this.#options
    const first = step(context, this.#state, event)
    if (event.tipo !== 'mensagemCliente') return first
    if (first.effects.some(({ tipo }) => tipo === 'buscarCarrinho')) {
      return this.#step({ ...event, carrinho: null })
    }
    const { carrinho } = first.state
    if (carrinho === null || !first.effects.some(({ tipo }) => tipo === 'criarPedido')) return first
    const made: OrderOutcome = {
      ...{ tipo: 'feito', pedidoId: '', numero: 1, pix: null },
      totalCentavos: subtotalOf(carrinho.itens),
    }
    return step(context, this.#state, { ...event, pedido: made })
  }

  #collect(effects: readonly BotEffect[]): void {
    const { context, connector } = this.#options
    for (const effect of effectsOnLine(effects, context.config.menu, connector)) {
      if (effect.tipo === 'abrirConversaHumana') this.#setores.push(effect.setor)
      if (reachesCustomer(effect)) this.#textos.push(textOf(effect))
    }
  }
}

const END_EVENTS = {
  comDespedida: 'atendenteFinalizou',
  semDespedida: 'atendenteEncerrou',
  silencio: 'silencioEncerrou',
  devolvida: 'devolvidaAoBot',
} as const

function textOf(effect: BotEffect): string {
  if (effect.tipo === 'enviarTexto') return effect.texto
  return effect.tipo === 'enviarImagem' ? `[imagem] ${effect.legenda}`.trim() : ''
}

/** `Ana Souza` → `A*** S.`. */
export function maskedName(nome: string): string {
  const [first = '', ...others] = nome.trim().split(/\s+/)
  const initial = (word: string): string => [...word][0]?.toUpperCase() ?? ''
  const last = others.at(-1)
  const start = first === '' ? 'Cliente' : `${initial(first)}***`
  return last === undefined ? start : `${start} ${initial(last)}.`
}
