import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext, ProdutoLoja } from '#context.ts'
import { type BotEffect, choicesEffect, textEffect } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { PHRASES, unavailableProdutoText } from '#phrases.ts'
import { CAPTION_MAX, catalogueChoices, catalogueText, produtoText } from '#rules/loja.ts'
import { parseNumberText } from '#rules/opcoes.ts'
import { wordsOf } from '#rules/text.ts'
import type { BotState } from '#state.ts'
import { sayText, showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'

type LojaState = Extract<BotState, { etapa: 'loja' }>

/** Option of kind `loja`: the reply, then the first page. Without produtos the bot says so and shows the menu. */
export function enterLoja(turn: EngineTurn, reply: string): StepResult {
  const itens = turn.context.produtos.map(({ id, nome }) => ({ id, nome }))
  if (itens.length === 0) return showMenu(turn, sayText(turn, PHRASES.semProdutos))
  const state: LojaState = { ...turn.memory, etapa: 'loja', erros: 0, pergunta: null, pagina: 0, itens }
  return { state, effects: [...sayText(turn, reply), catalogueEffect(turn.context, state)] }
}

/** Handles a message in the shop: a number shows that produto, `mais` the next page, `0` or `sair` the menu. */
export function answerInLoja(turn: EngineTurn, previous: LojaState, event: MensagemCliente): StepResult {
  const state: LojaState = { ...turn.memory, etapa: 'loja', pagina: previous.pagina, itens: previous.itens }
  const word = wordsOf(event.texto).join(' ')
  if (word === 'mais') return showNextPage(turn, state)
  const numero = parseNumberText(event.texto)
  if (numero === 0 || word === 'sair') return showMenu(turn)
  const item = numero === null ? undefined : state.itens[numero - 1]
  if (item === undefined)
    return { state, effects: [textEffect(PHRASES.produtoNaoEncontrado), catalogueEffect(turn.context, state)] }
  const produto = turn.context.produtos.find(({ id }) => id === item.id)
  if (produto === undefined)
    return { state, effects: [textEffect(unavailableProdutoText(item.nome)), catalogueEffect(turn.context, state)] }
  return { state, effects: produtoEffects(produto) }
}

function showNextPage(turno: EngineTurn, state: LojaState): StepResult {
  const pages = Math.max(1, Math.ceil(state.itens.length / LOJA_POR_PAGINA))
  // After the last page `mais` shows the first one.
  const next: LojaState = { ...state, pagina: (state.pagina + 1) % pages }
  return { state: next, effects: [catalogueEffect(turno.context, next)] }
}

function catalogueEffect({ produtos }: BotContext, { itens, pagina }: LojaState): BotEffect {
  return choicesEffect(catalogueText(itens, produtos, pagina), catalogueChoices(itens, produtos, pagina))
}

/** One message, or picture and text separately when the text is too long for a caption. */
function produtoEffects(produto: ProdutoLoja): BotEffect[] {
  const { imagemUrl = '', nome } = produto
  const palavrasDele = produtoText(produto)
  if (imagemUrl === '') return [textEffect(palavrasDele)]
  if (palavrasDele.length <= CAPTION_MAX) return [{ tipo: 'enviarImagem', imagemUrl, legenda: palavrasDele }]
  return [{ tipo: 'enviarImagem', imagemUrl, legenda: `*${nome}*` }, textEffect(palavrasDele)]
}
