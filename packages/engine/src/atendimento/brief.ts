import type { ResumoDaConversa } from '@balcao/contract/entities/conversa'
import type { BotContext, ProdutoLoja } from '#context.ts'
import type { GapOrigin } from '#effect.ts'
import type { BotEvent, MidiaKind } from '#event.ts'
import { stemOf } from '#order-text/stem.ts'
import { findOpcao, findOpcaoByTitle } from '#rules/opcoes.ts'
import { parseCommand, wordsOf } from '#rules/text.ts'
import { type BotState, initialState } from '#state.ts'
import { step } from '#step.ts'

/** A stored message of a conversa. */
export interface BriefMensagem {
  readonly origem: 'cliente' | 'bot' | 'ia' | 'operador' | 'telefone'
  readonly texto: string
  readonly midia?: MidiaKind
  /** In ms. */
  readonly em: number
  /** Of a text that was sent in the place of an answer. */
  readonly lacuna: GapOrigin | null
}

export interface BriefInput {
  readonly context: BotContext
  /** Until the hand-off, oldest first. */
  readonly mensagens: readonly BriefMensagem[]
  readonly teste: boolean
}

const LAST_TEXTS = 3
const TEXT_MAX = 300
const PRODUTOS_MAX = 10

/** How a customer came to people. The engine runs again over the stored messages, so the answers of the AI are kept. */
export function buildBrief({ context, mensagens, teste }: BriefInput): Omit<ResumoDaConversa, 'ia'> {
  const first = mensagens.findIndex(({ origem }) => origem === 'operador')
  const before = first === -1 ? mensagens : mensagens.slice(0, first)
  const replay = new Replay(context)
  for (const mensagem of before) replay.add(mensagem)
  const written = before.filter(({ origem, texto }) => origem === 'cliente' && texto.trim() !== '')
  return {
    caminho: replay.caminho,
    produtos: [...replay.produtos].slice(0, PRODUTOS_MAX),
    ultimas: written.slice(-LAST_TEXTS).map(({ texto }) => texto.trim().slice(0, TEXT_MAX).toWellFormed()),
    motivo: teste ? 'conversa de teste' : written.length === 0 ? 'a loja escreveu primeiro' : replay.motivo,
  }
}

const CONTATO = { nome: '', telefone: '' }

class Replay {
  readonly caminho: string[] = []
  readonly produtos = new Set<string>()
  readonly #context: BotContext
  #state: BotState = initialState()
  #motivo: string | null = null
  #messages = 0
  /** Messages of the customer in a row that the bot did not understand, before and with the last one. */
  #misses = 0
  #isMiss = false
  #withheld = false

  constructor(context: BotContext) {
    this.#context = context
  }

  get motivo(): string {
    if (this.#withheld) return 'resposta sem apoio'
    if (this.#motivo !== null) return this.#motivo
    return this.#state.pergunta === null ? 'a loja assumiu a conversa' : 'a assistente passou a conversa'
  }

  add(mensagem: BriefMensagem): void {
    const { origem, texto, em, lacuna } = mensagem
    if (lacuna !== null) this.#isMiss = true
    this.#withheld = lacuna === 'retida' || (this.#withheld && origem === 'bot')
    if (origem === 'cliente') {
      this.#readCustomer(mensagem)
      return
    }
    if (origem === 'telefone') this.#run({ tipo: 'mensagemDoTelefone', agora: em, contato: CONTATO })
    const { pergunta } = this.#state
    if (origem === 'ia') this.#addNamed(texto)
    if (pergunta === null || (origem !== 'ia' && lacuna !== 'naoEntendi')) return
    const resultado = origem === 'ia' ? ({ tipo: 'texto', texto } as const) : ({ tipo: 'falha', motivo: '' } as const)
    this.#run({ tipo: 'respostaIa', perguntaId: pergunta, resultado, agora: em, contato: CONTATO })
  }

  #readCustomer({ texto, midia, em }: BriefMensagem): void {
    this.#misses = this.#isMiss ? this.#misses + 1 : 0
    this.#isMiss = false
    this.#withheld = false
    this.#addNamed(texto)
    const titulo = chosenTitle(this.#state, this.#context, texto)
    if (titulo !== null) this.caminho.push(titulo)
    this.#messages += 1
    const received = { tipo: 'mensagemCliente', id: `m${this.#messages}`, texto, agora: em, enviadaEm: em } as const
    const asked = { ...received, contato: CONTATO, ...(midia === undefined ? {} : { midia }) }
    const isHandedOver = this.#run(asked)
    if (isHandedOver) this.#motivo = titulo === null ? this.#commandMotivo() : `escolheu “${titulo}”`
    this.#addShown()
  }

  #commandMotivo(): string {
    const misses = this.#misses
    if (misses === 0) return 'pediu um atendente'
    return `o bot não entendeu ${misses} ${misses === 1 ? 'vez' : 'vezes'}`
  }

  /** True if the event hands the customer to people. */
  #run(event: BotEvent): boolean {
    const { state, effects } = step(this.#context, this.#state, event)
    this.#state = state
    return effects.some(({ tipo }) => tipo === 'abrirConversaHumana')
  }

  #addShown(): void {
    const { carrinho } = this.#state
    const shown = this.#state.etapa === 'loja' ? [this.#state.mostrado] : []
    const ids = new Set([...shown, ...(carrinho?.itens ?? []).map(({ produtoId }) => produtoId)])
    for (const { id, nome } of this.#context.produtos) if (ids.has(id)) this.produtos.add(nome)
  }

  #addNamed(texto: string): void {
    for (const nome of namedProdutos(this.#context.produtos, texto)) this.produtos.add(nome)
  }
}

function chosenTitle(state: BotState, { config }: BotContext, texto: string): string | null {
  if (parseCommand(texto) !== null) return null
  const { opcoes } = config.menu
  if (state.etapa === 'menu') return findOpcao(opcoes, texto)?.titulo ?? null
  const begins = state.etapa === 'nenhuma' || state.etapa === 'encerrada'
  return begins ? (findOpcaoByTitle(opcoes, texto)?.titulo ?? null) : null
}

const SHORT_WORD = 2

const stemsOf = (content: string): string[] =>
  wordsOf(content)
    .filter((word) => word.length > SHORT_WORD || /\d/.test(word))
    .map(stemOf)

/** Names of the produtos of which a text has all words. 'Bolo' is left out where the text names 'Bolo de fubá'. */
function namedProdutos(produtos: readonly ProdutoLoja[], texto: string): string[] {
  const said = new Set(stemsOf(texto))
  if (said.size === 0) return []
  const found = produtos.flatMap(({ nome, sinonimos = [] }) => {
    const names = [nome, ...sinonimos].map(stemsOf).filter((stems) => stems.length > 0)
    const named = names.find((stems) => stems.every((stem) => said.has(stem)))
    return named === undefined ? [] : [{ nome, named }]
  })
  const isPart = (stems: readonly string[]): boolean =>
    found.some(({ named }) => named.length > stems.length && stems.every((stem) => named.includes(stem)))
  return found.filter(({ named }) => !isPart(named)).map(({ nome }) => nome)
}
