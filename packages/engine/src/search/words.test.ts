import { describe, expect, it } from 'vitest'
import { excerptOf, markTerms, parseSearch, termsOf } from './words.ts'

const marked = (query: string, text: string): string[] =>
  markTerms(text, parseSearch(query)).flatMap((part) => (part.found ? [part.text] : []))

describe('parseSearch', () => {
  it.each([
    ['Pão de Açúcar', ['pao', 'de', 'acucar']],
    ['TORTAS, tortas e torta!', ['torta', 'e']],
    ['pa\u0303o e pão', ['pao', 'e']],
    ['gás às três', ['gas', 'as', 'tre']],
    ['R$ 12,50 (11) 98765-4321', ['r', '12', '50', '11', '98765', '4321']],
    ['100%_puro', ['100', 'puro']],
    ['x2s 10s', ['x2s', '10s']],
    ['a'.repeat(500), ['a'.repeat(40)]],
    ['?! … 😀', []],
  ])('folds %j', (query, words) => {
    expect(parseSearch(query).map(({ word }) => word)).toEqual(words)
  })
})

describe('termsOf', () => {
  it('takes the last 30 distinct words, and beginnings of three letters and more', () => {
    const terms = termsOf([...Array.from({ length: 31 }, (_, n) => `p${n}`), '', 'tortas'])
    expect(terms.map(({ word }) => word)).toEqual([...Array.from({ length: 29 }, (_, n) => `p${n + 2}`), 'torta'])
    expect(terms.at(-1)?.beginning).toBe('tortas')
    expect(termsOf(['li'])).toEqual([{ word: 'li', beginning: null, corrections: [] }])
  })
})

describe('excerptOf', () => {
  it('keeps a short text on one line', () => {
    expect(excerptOf(' oi,\n  tudo bem? ', parseSearch('bem'))).toBe('oi, tudo bem?')
  })

  it('cuts a long text around the first found word', () => {
    const text = `${'antes '.repeat(60)}a torta chegou ${'depois '.repeat(60)}`
    const cut = excerptOf(text, parseSearch('tortas'))
    expect(cut).toMatch(/^…antes .*a torta chegou .*…$/)
    expect(cut.length).toBeLessThanOrEqual(162)
    expect(excerptOf(text, parseSearch('banana'))).toMatch(/^antes .*…$/)
    expect(excerptOf('x'.repeat(400), parseSearch('banana'))).toBe(`${'x'.repeat(160)}…`)
  })
})

describe('markTerms', () => {
  it('marks found words and keeps the text', () => {
    const parts = markTerms('Duas tortas de limão.', parseSearch('torta lim'))
    expect(parts.map(({ text }) => text).join('')).toBe('Duas tortas de limão.')
    expect(parts.filter((part) => part.found).map(({ text }) => text)).toEqual(['tortas', 'limão'])
  })

  it.each([
    ['torta limao', 'A torta de limão saiu', ['torta', 'limão']],
    ['torta', 'duas TORTAS', ['TORTAS']],
    ['tortas', 'uma torta', ['torta']],
    ['lim torta', 'A torta de limão saiu', ['torta']],
    ['pres', 'um presente', ['presente']],
    ['li', 'limão', []],
    ['puro', 'é 100%_puro_mesmo', ['puro']],
  ])('finds %j in %j', (query, text, words) => {
    expect(marked(query, text)).toEqual(words)
  })

  it('marks the correction of a misspelt word', () => {
    const [term] = parseSearch('trota')
    const terms = [{ word: 'trota', beginning: null, ...term, corrections: ['torta'] }]
    expect(markTerms('duas tortas', terms).filter((part) => part.found)).toEqual([{ text: 'tortas', found: true }])
  })
})
