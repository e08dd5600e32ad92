import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorsBetween } from '#search/similar.ts'
import { wordsOf } from '#rules/text.ts'
import type { OrderAct, OrderProduto } from './acts.ts'
import balcao from './frases/balcao.tsv?raw'
import rua from './frases/rua.tsv?raw'
import { CATALOGOS, readSentences } from './frases/labels.ts'
import loja from './frases/loja.tsv?raw'
import mesa from './frases/mesa.tsv?raw'
import { parseOrderText } from './parse-order.ts'
import { stemOf } from './stem.ts'
import { tokenize } from './tokens.ts'

const SENTENCES = [balcao, mesa, loja, rua].flatMap(readSentences)
const WORDS = [...new Set(SENTENCES.flatMap(({ texto }) => texto.split(/\s+/)))]
const PRODUTOS = [...CATALOGOS.values()]

/** Words of customers in any order, with punctuation and noise. */
const sentences = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000 }).map(String) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constantFrom(',', '.', '?', '\n', 'e', 'não', 'ou', '2x', 'x3', '½') },
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(' '))
const texts = fc.oneof(
  sentences,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...SENTENCES.map(({ texto }) => texto)),
)
const catalogues = fc.constantFrom(...PRODUTOS)

/** Parts of words that customers join: 'xbacon', 'p 13'. Also their stems: 'açaís' has that of an 'al'. */
function partsOf(text: string): string[] {
  const parts = wordsOf(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).flatMap((word) => [
    word,
    ...(word.match(/\d+|\D+/g) ?? []),
  ])
  return parts
    .flatMap((word, at) => [word, word.replace(/^x/, ''), word + (parts[at + 1] ?? '')])
    .flatMap((word) => [word, stemOf(word)])
}

function sharesWord(text: string, { nome, sinonimos, grupos }: OrderProduto): boolean {
  const said = partsOf(text)
  const options = grupos.flatMap(({ opcoes }) => opcoes.map((opcao) => opcao.nome))
  const names = [nome, ...sinonimos, ...options].flatMap(partsOf)
  return said.some((one) =>
    names.some((other) => one === other || errorsBetween(one, other) <= Math.max(one.length, other.length) / 5),
  )
}

/** 'o 3' and '2x3' name a produto by its number. */
const saysNumber = (text: string, { numero }: OrderProduto): boolean =>
  tokenize(text).some(({ value }) => value === numero)

const addedOf = (acts: readonly OrderAct[]) => acts.flatMap((act) => (act.tipo === 'adicionar' ? act : []))

describe('parseOrderText', () => {
  it('reads the same text the same way', () => {
    fc.assert(
      fc.property(texts, catalogues, (text, produtos) => {
        expect(parseOrderText(text, produtos)).toEqual(parseOrderText(text, [...produtos]))
      }),
    )
  })

  it('adds between 1 and 999 of produtos of the catalogue, with their options', () => {
    fc.assert(
      fc.property(texts, catalogues, fc.boolean(), (text, produtos, isShown) => {
        for (const act of addedOf(parseOrderText(text, produtos, isShown ? (produtos[0]?.id ?? null) : null))) {
          expect(act.quantidade).toSatisfy((value: number) => Number.isInteger(value) && value >= 1 && value <= 999)
          const options = produtos.find(({ id }) => id === act.produtoId)?.grupos.flatMap(({ opcoes }) => opcoes)
          expect(options?.map(({ id }) => id)).toEqual(expect.arrayContaining([...act.opcoes]))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('names whole positions, and quantities from 1 to 999', () => {
    const isQuantity = (value: number) => Number.isInteger(value) && value >= 1 && value <= 999
    fc.assert(
      fc.property(texts, catalogues, (text, produtos) =>
        parseOrderText(text, produtos).every((act) => {
          if ('item' in act) return Number.isInteger(act.item)
          if (act.tipo === 'mostrar') return Number.isInteger(act.numero)
          return act.tipo !== 'trocar' || isQuantity(act.quantidade)
        }),
      ),
      { numRuns: 500 },
    )
  })

  it('changes the last item of the cart, or reports the quantity', () => {
    expect(parseOrderText('não, 3', [])).toEqual([{ tipo: 'trocar', produtoIds: [], quantidade: 3 }])
    expect(parseOrderText('não, 3000', [])).toEqual([{ tipo: 'naoAchei', trecho: '3000', motivo: 'quantidade' }])
  })

  it('adds no produto without a word of its name in the text', () => {
    fc.assert(
      fc.property(texts, catalogues, (text, produtos) => {
        for (const { produtoId } of addedOf(parseOrderText(text, produtos))) {
          const produto = produtos.find(({ id }) => id === produtoId)
          expect(produto !== undefined && (sharesWord(text, produto) || saysNumber(text, produto))).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('adds nothing without a word of the catalogue or a number', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'jwyzJ ,.?!'), maxLength: 200 })
    fc.assert(
      fc.property(letters, catalogues, (text, produtos) => addedOf(parseOrderText(text, produtos)).length === 0),
    )
  })

  it('takes the produto on show only if the text orders it', () => {
    const produtos = CATALOGOS.get('padaria') ?? []
    const read = (text: string) => parseOrderText(text, produtos, 'sonho')
    expect(read('quero 2')).toEqual([{ tipo: 'adicionar', produtoId: 'sonho', quantidade: 2, opcoes: [] }])
    expect(read('obrigada, bom dia')).toEqual([])
    expect(read('2')).toEqual([{ tipo: 'mostrar', numero: 2 }])
    expect(read('não quero')).toEqual([])
    expect(read('quero fazer um pedido')).toEqual([])
    expect(read('quero ver o cardápio')).toEqual([])
    expect(read('quero ver mais')).toEqual([])
    expect(read('quero ver esse')).toEqual([])
    expect(read('quero falar com atendente')).toEqual([])
    expect(read('quero pedir')).toEqual([])
    expect(read('quero ver meu carrinho')).toEqual([{ tipo: 'verCarrinho' }])
    expect(read('me mostra o 3')).toEqual([{ tipo: 'mostrar', numero: 3 }])
  })

  it('takes common words for a name only if the whole name is there', () => {
    const nomes = ['Prato do dia', 'Bom Bocado', 'Tira-gosto', 'Misto quente', 'Coxinha', 'Troca de óleo']
    const produtos = nomes.map((nome, at) => ({ id: nome, nome, sinonimos: [], numero: at + 1, grupos: [] }))
    const read = (text: string) => addedOf(parseOrderText(text, produtos)).map(({ produtoId }) => produtoId)
    expect(['bom dia', 'Bom dia, tudo bem?', 'boa noite, bom trabalho', 'já foi visto'].flatMap(read)).toEqual([])
    expect(read('bom dia, um prato do dia')).toEqual(['Prato do dia'])
    expect(read('quero 2 bom bocado')).toEqual(['Bom Bocado'])
    expect(read('1 tira gosto e 1 coxinha quente')).toEqual(['Tira-gosto', 'Coxinha'])
    expect(read('quero uma troca de oleo')).toEqual(['Troca de óleo'])
  })

  it('takes a number of pieces in a name for a doubt, and a measure for none', () => {
    const produto = (id: string, nome: string, numero: number) => ({ id, nome, numero, sinonimos: [], grupos: [] })
    const produtos = [produto('kit', 'Kit 3 cuecas', 1), produto('guarana', 'Guaraná 2 litros', 2)]
    const read = (text: string) => parseOrderText(text, produtos)
    expect(read('3 cuecas')).toMatchObject([{ tipo: 'duvida', candidatos: ['kit'], quantidade: 3 }])
    for (const text of ['2 guaranás', '2 guaraná 2 litros', 'dois guaranás 2l'])
      expect(read(text), text).toEqual([{ tipo: 'adicionar', produtoId: 'guarana', quantidade: 2, opcoes: [] }])
  })

  it('takes a can or a cup for a doubt if the name has a measure without it', () => {
    const only = (nome: string): OrderProduto[] => [{ id: 'x', nome, sinonimos: ['coca'], numero: 1, grupos: [] }]
    const kinds = (text: string, nome: string) => parseOrderText(text, only(nome)).map(({ tipo }) => tipo)
    for (const text of ['me ve 2 coca lata', '2 latas de coca', 'uma latinha de coca', 'quero coca em lata'])
      expect([text, kinds(text, 'Coca-Cola 2 litros')]).toEqual([text, ['duvida']])
    for (const text of ['2 cocas', '1 coca 2 litros', '2 garrafas de coca', 'quero coca'])
      expect([text, kinds(text, 'Coca-Cola 2 litros')]).toEqual([text, ['adicionar']])
    expect(kinds('2 coca lata', 'Coca-Cola lata 350 ml')).toEqual(['adicionar'])
  })

  it('reports an option that is not sold now', () => {
    const grupo = CATALOGOS.get('pizzaria')?.[0]?.grupos[2]
    const produtos: OrderProduto[] = [
      {
        ...{ id: 'p', nome: 'Pizza', sinonimos: [], numero: 1 },
        grupos:
          grupo === undefined ? [] : [{ ...grupo, opcoes: grupo.opcoes.map((opcao) => ({ ...opcao, ativa: false })) }],
      },
    ]
    expect(parseOrderText('1 pizza com borda de cheddar', produtos)).toEqual([
      { tipo: 'adicionar', produtoId: 'p', quantidade: 1, opcoes: [] },
      { tipo: 'naoAchei', trecho: 'Borda de cheddar', motivo: 'produto' },
    ])
  })
})
