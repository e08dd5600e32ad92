import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FoundGap, findGaps, type GapsInput, type GapText } from './find-gaps.ts'
import { LABELLED_QUESTIONS } from './labelled-questions.ts'
import { gapStem } from './stems.ts'

function gapsOf(textos: readonly GapText[], rest: Partial<GapsInput> = {}): readonly FoundGap[] {
  const work = findGaps({ textos, nomes: [], ignoradas: new Set(), ...rest })
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Gives each text its own person and conversa. */
const asked = (texts: readonly string[], prefix = 't'): GapText[] =>
  texts.map((texto, index) => ({
    ...{ id: `${prefix}${index}`, pessoa: `${prefix}p${index}`, conversa: `${prefix}c${index}` },
    ...{ texto, comPessoas: index % 2 === 0 },
  }))

const LABELLED = asked(LABELLED_QUESTIONS.map(({ texto }) => texto))

/** Of all pairs of texts in one gap, those with the same label; and of all pairs with one label, those in one gap. */
function quality(gaps: readonly FoundGap[]): { readonly precision: number; readonly recall: number } {
  const gapOf = new Map(gaps.flatMap(({ id, textoIds }) => textoIds.map((texto) => [texto, id])))
  let [both, together, same] = [0, 0, 0]
  for (const [one, { label }] of LABELLED_QUESTIONS.entries()) {
    for (let other = one + 1; other < LABELLED_QUESTIONS.length; other += 1) {
      const gap = gapOf.get(`t${one}`)
      const isTogether = gap !== undefined && gap === gapOf.get(`t${other}`)
      const isSame = label !== null && label === LABELLED_QUESTIONS[other]?.label
      if (isTogether) together += 1
      if (isSame) same += 1
      if (isTogether && isSame) both += 1
    }
  }
  return { precision: both / together, recall: both / same }
}

/** The work ends after this many slices. */
function slicesOf(work: ReturnType<typeof findGaps>): number {
  let slices = 0
  while (work.next().done !== true) slices += 1
  return slices
}

const PARCELA = ['vocês parcelam?', 'dá pra parcelar no cartão', 'qual o máximo de parcelas', 'parcelan em 3x?']

describe('findGaps', () => {
  it('groups labelled questions with a pairwise precision of 0.9 and a recall of 0.7', () => {
    const { precision, recall } = quality(gapsOf(LABELLED))
    expect(precision).toBeGreaterThanOrEqual(0.9)
    expect(recall).toBeGreaterThanOrEqual(0.7)
  })

  it('counts people, messages and conversas that came to people', () => {
    const [gap, ...others] = gapsOf([
      ...asked(PARCELA),
      { id: 'x', pessoa: 'tp0', conversa: 'tc0', texto: 'parcela?', comPessoas: true },
    ])
    expect(others).toEqual([])
    expect(gap).toMatchObject({ pessoas: 4, mensagens: 5, transferencias: 2 })
    expect(gap?.exemplos).toContain(gap?.rotulo)
  })

  it('needs three people, whatever the number of messages', () => {
    const ofTwo = asked([...PARCELA, ...PARCELA]).map((text, index) => ({ ...text, pessoa: `p${index % 2}` }))
    expect(gapsOf(ofTwo)).toEqual([])
  })

  it('keeps an ignored gap out when more people ask with other words', () => {
    const [gap] = gapsOf(asked(PARCELA))
    const ignoradas = new Set([gap?.id ?? ''])
    const later = asked(['parcelamento como funciona', 'parcela no boleto?', 'parcelas sem juros', 'tem wifi?'], 'u')
    expect(gapsOf([...asked(PARCELA), ...later], { ignoradas })).toEqual([])
    const wifi = asked(['tem wifi?', 'senha do wifi', 'wifi liberado?'], 'w')
    expect(gapsOf([...asked(PARCELA), ...later, ...wifi], { ignoradas })).toMatchObject([{ pessoas: 4 }])
  })

  it('gives no personal data away', () => {
    const nomes = ['Maria Aparecida da Silva', 'João', 'Bia 🌻', 'Entrega Rápida']
    const textos = asked([
      'aqui é a Maria Aparecida, vocês consertam celular? 11 98765-4321',
      'conserto de tela, meu cpf é 529.982.247-25, João',
      'conserta iphone? joao@example.com',
      'JOÃO aqui, conserto demora? ligar 98765-4321',
      'conserto da bia ficou pronto? pedido 123456789',
    ])
    const shown = gapsOf(textos, { nomes }).flatMap(({ rotulo, exemplos }) => [rotulo, ...exemplos])
    expect(shown).toContain('conserta iphone? [e-mail oculto]')
    for (const text of shown) expect(text).not.toMatch(/maria|aparecida|jo[aã]o|\bbia\b|\d{4}|@/i)
  })

  it('keeps words that many people write although a contato is called so', () => {
    const textos = asked(Array.from({ length: 12 }, (_, n) => `entrega ${n} no bairro`))
    expect(gapsOf(textos, { nomes: ['Entrega Rápida', 'Ana'] })[0]?.rotulo).toContain('entrega')
  })

  it('does not depend on the order, puts no text into two gaps and hides all names', () => {
    const WORDS = [
      'parcela',
      'parcelam',
      'cartao',
      'troca',
      'trocar',
      'Zuleide',
      'bolo',
      'entrega',
      'wifi',
      'senha',
      '?',
    ]
    const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const texts = fc.array(fc.record({ texto: sentence, pessoa: fc.integer({ min: 0, max: 12 }) }), { maxLength: 60 })
    const property = fc.property(texts, fc.infiniteStream(fc.nat()), (drawn, keys) => {
      const textos = drawn.map(({ texto, pessoa }, index) => ({
        ...{ id: `t${index}`, pessoa: `p${pessoa}`, conversa: `c${pessoa}`, texto, comPessoas: pessoa % 2 === 0 },
      }))
      const shuffled = textos
        .map((text) => ({ text, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ text }) => text)
      const gaps = gapsOf(textos, { nomes: ['Zuleide Souza'] })
      expect(gapsOf(shuffled, { nomes: ['Zuleide Souza'] })).toEqual(gaps)
      const ids = gaps.flatMap(({ textoIds }) => textoIds)
      expect(new Set(ids).size).toBe(ids.length)
      expect(new Set(gaps.map(({ id }) => id)).size).toBe(gaps.length)
      for (const { pessoas, rotulo, exemplos } of gaps) {
        expect(pessoas).toBeGreaterThanOrEqual(3)
        expect([rotulo, ...exemplos].join(' ')).not.toMatch(/zuleide/i)
      }
    })
    fc.assert(property, { numRuns: 100 })
  })

  it('compares 20,000 texts within 2 s, in slices of less than 200 ms', () => {
    const textos = Array.from({ length: 20_000 }, (_, n): GapText => {
      const { texto } = LABELLED_QUESTIONS[n % LABELLED_QUESTIONS.length] ?? { texto: '' }
      const other = LABELLED_QUESTIONS[(n * 7) % LABELLED_QUESTIONS.length]?.texto ?? ''
      const own = `${other.slice(0, n % 13)} item${n % 4_000}`
      return { id: `t${n}`, pessoa: `p${n % 9_000}`, conversa: `c${n}`, texto: `${texto} ${own}`, comPessoas: false }
    })
    const nomes = Array.from({ length: 9_000 }, (_, n) => `Cliente Nome${n}`)
    expect(slicesOf(findGaps({ textos, nomes, ignoradas: new Set() }))).toBeGreaterThan(40)
  })
})

describe('gapStem', () => {
  it.each([
    ['entregam', 'entrega'],
    ['parcelamento', 'parcelas'],
    ['vegana', 'veganos'],
    ['trocar', 'troca'],
    ['estacionar', 'estacionamento'],
  ])('gives %s and %s one stem', (one, other) => {
    expect(gapStem(one)).toBe(gapStem(other))
  })
})
