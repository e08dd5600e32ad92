import { describe, expect, it } from 'vitest'
import type { Grupo } from '@balcao/contract/entities/produto'
import { slowTexts } from '@balcao/contract/testing/hostile-texts'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
import { escapeFormulas, unescapeFormulas } from '@balcao/contract/text/spreadsheet'
import { summaryText } from '#atendimento/daily-summary.ts'
import { fillQueuePlace, namesQueuePlace } from '#atendimento/waiting-estimate.ts'
import { buildIaConversa } from '#ia/conversa.ts'
import { foldAnswer } from '#ia/exam.ts'
import { cutPieces } from '#ia/knowledge/cut.ts'
import { questionRoots } from '#ia/knowledge/rank.ts'
import { parseRobots, robotsAllow } from '#ia/knowledge/robots.ts'
import { rootsOf } from '#ia/knowledge/roots.ts'
import { checkAnswer } from '#ia/guard/check-answer.ts'
import { readGuardText, topicOf } from '#ia/guard/claims/text.ts'
import { findClaims } from '#ia/guard/claims/find-claims.ts'
import { longNumberKey } from '#ia/guard/claims/addresses.ts'
import { parseDigits } from '#ia/guard/claims/numbers.ts'
import { namesBairro } from '#ia/guard/support/delivery.ts'
import { readScope } from '#ia/guard/support/scope.ts'
import { visibleText } from '#ia/visible-text.ts'
import { containsOrder } from '#ia/guard/support/orders.ts'
import { shopEvidence } from '#ia/guard/testing/shops.ts'
import { maskQuestion, withoutLabels, WordFolder } from '#ia/gaps/private-words.ts'
import { significantStems } from '#ia/gaps/stems.ts'
import { gapLabel } from '#ia/gaps/typical-texts.ts'
import { maskPersonalData } from '#ia/masking.ts'
import { searchProdutos } from '#ia/produtos.ts'
import { cleanResposta } from '#ia/resposta.ts'
import { readSuggestion, sourcesOf } from '#ia/suggestion/draft.ts'
import { cleanSummary, needsSummary, summaryQuestion } from '#ia/summary.ts'
import { containsGatilho, isGatilho } from '#rules/gatilhos.ts'
import { parseNota } from '#rules/nota.ts'
import { observeText } from '#rules/loop-guard.ts'
import { findMenuAvisos, removeMenuLine, removeTypedOpcoes, retitleMenuLine } from '#menu/menu-avisos.ts'
import { emptyCart } from '#pedidos/cart.ts'
import { answerQuestion } from '#pedidos/checkout.ts'
import { answerOrder } from '#pedidos/order-chat.ts'
import { crc16, isPixCode } from '#pedidos/pix.ts'
import { readChoice } from '#pedidos/questions.ts'
import { findOpcao, findOpcaoByTitle, isNumberText, parseNumberText, readOpcaoLine, renderMenu } from '#rules/opcoes.ts'
import { parseOpcoes } from '#order-text/parse-opcoes.ts'
import { parseOrderText, parsePlainOrder } from '#order-text/parse-order.ts'
import { tokenize } from '#order-text/tokens.ts'
import { replacePlaceholders } from '#rules/placeholders.ts'
import { fillReplyVariables } from '#rules/reply-variables.ts'
import { isResumeWord, parseStopWord } from '#rules/stop-words.ts'
import { initialState, memoryFields } from '#state.ts'
import { foldQuestion } from '#rehearsal/replay.ts'
import { foldedPhrase, foldText, isCourtesy, isGoodbye, isGreeting, parseCommand, wordsOf } from '#rules/text.ts'
import { excerptOf, foundRanges, markTerms, parseSearch, termsOf } from '#search/words.ts'
import { isCartCode } from '#stages/page-cart.ts'
import { createTranscript, MONDAY_10H, sampleProdutos, testBotContext } from '#testing/transcript.ts'

/** Texts of customers, of the shop and of the assistant pass these functions. None of them may stop the server. */

const TERMS = parseSearch('bolo de fubá')
const VARIABLES = { nome: '', operador: 'Ana', empresa: 'Padaria', linha: 'Delivery', protocolo: '1' }
const PRODUTOS = sampleProdutos(3)
const GRUPO: Grupo = {
  ...{ id: 'g', nome: 'Sabores', minimo: 0, maximo: 2, preco: 'soma' },
  opcoes: ['a', 'Não', '11'].map((nome) => ({ id: nome, nome, acrescimoCentavos: 0, ativa: true })),
}
const ORDER_PRODUTOS = ['a', 'Parar 11', 'Nome a'].map((nome, at) => ({
  ...{ id: nome, nome, sinonimos: ['aA1'], numero: at + 1, grupos: [GRUPO] },
}))
const SHOP = testBotContext(({ loja }) => {
  loja.pedidos = true
  loja.entrega.ativa = true
  loja.entrega.taxas = ['a', '11', 'Nome a'].map((bairro) => ({ bairro, centavos: 700 }))
})
const CART = emptyCart(MONDAY_10H)
const TURN = {
  ...{ context: SHOP, memory: memoryFields(initialState()), now: MONDAY_10H, protocolo: '1' },
  contato: { nome: 'Ana', telefone: '5511999990000' },
}
const { opcoes } = testBotContext().config.menu
const TRECHO = { fonteId: 'f', titulo: 'Entrega', pontuacao: 1 }

const SUMMARY = {
  ...{ dia: '2026-11-27', escreveram: 1, conversas: 1, semResposta: 0, medianaMs: 1, avaliacoes: 0, notaMedia: null },
}

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  foldAccents,
  summarizeMensagem: (texto) => summarizeMensagem({ texto }),
  escapeFormulas,
  unescapeFormulas,
  fillQueuePlace: (text) => fillQueuePlace(text, { posicao: 1, espera: null }),
  namesQueuePlace,
  summaryText: (nome) => summaryText({ ...SUMMARY, maisEsperou: { nome, ms: 1 } }),
  maskPersonalData,
  foldAnswer,
  foldQuestion,
  rootsOf,
  questionRoots,
  cutPieces: (texto) => cutPieces([{ secao: '', texto }]),
  parseRobots: (text) => robotsAllow(parseRobots(`user-agent: *\ndisallow: /${text}`, 'balcao'), `/${text}`),
  maskQuestion: (text) => maskQuestion(text, new Set(['a']), new WordFolder()),
  withoutLabels: (text) => withoutLabels(`${text} oculto`),
  significantStems,
  gapLabel,
  searchProdutos: (text) => searchProdutos(PRODUTOS, text),
  cleanResposta,
  checkAnswer: (text) => checkAnswer(text, { ...shopEvidence('padaria'), pergunta: text }),
  // Answers, questions and pieces of sources are shorter.
  findClaims: (text) => findClaims(readGuardText(text.slice(0, 16_384))),
  readGuardText,
  longNumberKey,
  parseDigits,
  namesBairro: (text) => namesBairro(readScope('', { ...shopEvidence('padaria'), pergunta: '' }), text),
  visibleText,
  topicOf,
  containsOrder,
  readSuggestion,
  sourcesOf: (text) => sourcesOf(text, { contexto: SHOP, trechos: [{ ...TRECHO, trecho: text }] }),
  cleanSummary,
  summaryQuestion: (texto) => summaryQuestion([{ id: 'a', de: 'cliente', texto }]),
  needsSummary: (texto) => needsSummary([{ id: 'a', de: 'cliente', texto }]),
  crc16,
  isPixCode,
  isCartCode,
  readChoice: (text) => readChoice(['a'], text),
  containsGatilho: (text) => containsGatilho(['quanto custa', text.slice(0, 100)], text),
  isGatilho: (text) => isGatilho(['quanto custa'], text),
  parseNota,
  parseOrderText: (text) => parseOrderText(text, ORDER_PRODUTOS, 'a'),
  parsePlainOrder: (text) => parsePlainOrder(text, ORDER_PRODUTOS),
  tokenize,
  answerQuestion: (text) => answerQuestion(SHOP, CART, 'bairro', text),
  answerOrder: (text) => answerOrder(TURN, CART, { tipo: 'endereco' }, { text, acts: [] }),
  parseOpcoes: (text) => parseOpcoes(text, GRUPO),
  findOpcaoByTitle: (text) => findOpcaoByTitle(opcoes, text),
  observeText: (text) => observeText(memoryFields(initialState()), text, 0),
  findOpcao: (text) => findOpcao(opcoes, text),
  isNumberText,
  parseNumberText,
  renderMenu: (text) => renderMenu(testBotContext((config) => (config.menu.menuPrincipal = text)).config),
  readOpcaoLine,
  findMenuAvisos: (menuPrincipal) => findMenuAvisos({ menuPrincipal, opcoes }, []),
  removeMenuLine: (text) => removeMenuLine(text, 0),
  removeTypedOpcoes: (menuPrincipal) => removeTypedOpcoes({ menuPrincipal, opcoes }),
  retitleMenuLine: (text) => retitleMenuLine(text, 0, text),
  replacePlaceholders: (text) => replacePlaceholders(text, /(,? ?)\{(nome)\}/g, () => ''),
  fillReplyVariables: (text) => fillReplyVariables(text, VARIABLES),
  parseStopWord,
  isResumeWord,
  foldText,
  foldedPhrase,
  wordsOf,
  isCourtesy,
  isGoodbye,
  isGreeting,
  parseCommand,
  parseSearch,
  termsOf: (text) => termsOf(text.split(' ')),
  markTerms: (text) => markTerms(text, TERMS),
  foundRanges: (text) => foundRanges(text, TERMS),
  excerptOf: (text) => excerptOf(text, TERMS),
  buildIaConversa: (texto) => buildIaConversa([{ id: '1', de: 'cliente', texto }], '0', true),
}

describe('functions of texts', () => {
  it.each(Object.entries(FUNCTIONS))('%s reads hostile texts in linear time', (_name, read) => {
    expect(slowTexts(read)).toEqual([])
  })

  it('answers a message with a hostile text in linear time', () => {
    expect(slowTexts((text) => createTranscript().customer(text))).toEqual([])
  })
})
