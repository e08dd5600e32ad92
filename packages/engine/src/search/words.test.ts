import { describe, expect, it } from 'vitest'
import { excerptOf, hasAllTerms, markTerms, parseSearch, foldedWords } from './words.ts'

const found = (query: string, text: string): boolean => hasAllTerms(text, parseSearch(query))

describe('foldedWords', () => {
  it.each([
    ['Pão de Açúcar', ['pao', 'de', 'acucar']],
    ['TORTAS, tortas e torta!', ['torta', 'e']],
    ['pa\u0303o e pão', ['pao', 'e']],
    ['gás às três', ['gas', 'as', 'tre']],
    ['R$ 12,50 (11) 98765-4321', ['r', '12', '50', '11', '98765', '4321']],
    ['x2s 10s', ['x2s', '10s']],
    ['😀 …', []],
  ])('folds %j', (text, words) => {
    expect([...foldedWords(text)]).toEqual(words)
  })

  it('cuts long words and long texts', () => {
    expect([...foldedWords('a'.repeat(500))]).toEqual(['a'.repeat(40)])
    expect([...foldedWords(`${'a '.repeat(2_048)}fim`)]).toEqual(['a'])
    expect([...foldedWords(`${'a '.repeat(2_000)}fim`)]).toEqual(['a', 'fim'])
  })
})

describe('hasAllTerms', () => {
  it.each([
    ['torta limao', 'A torta de limão saiu', true],
    ['limão torta', 'A torta de limão saiu', true],
    ['tortas', 'uma torta', true],
    ['torta', 'duas TORTAS', true],
    ['PÃO', 'pao', true],
    ['torta morango', 'A torta de limão saiu', false],
    ['lim', 'A torta de limão saiu', true],
    ['lim torta', 'A torta de limão saiu', false],
    ['pres', 'um presente', true],
    ['pres', 'o preço', false],
    ['li', 'limão', false],
    ['12,50', 'custa R$ 12,50', true],
  ])('finds %j in %j: %s', (query, text, expected) => {
    expect(found(query, text)).toBe(expected)
  })

  it.each([
    ['maria torta', 'A torta saiu', 'maria silva', true],
    ['maria torta', 'A torta saiu', 'mariana', true],
    ['maria torta', 'oi', 'maria torta', false],
    ['maria torta', 'A torta saiu', 'joana', false],
    ['oi torta', 'A torta saiu', 'goiana', false],
  ])('finds %j in %j of %j: %s', (query, text, name, expected) => {
    expect(hasAllTerms(text, parseSearch(query), name)).toBe(expected)
  })

  it('takes corrections for the misspelt word in text and name', () => {
    const [term] = parseSearch('trota')
    const terms = [{ word: 'trota', beginning: null, ...term, corrections: ['torta'] }, ...parseSearch('maira')]
    expect(hasAllTerms('duas tortas', terms, 'maira')).toBe(true)
    expect(hasAllTerms('maira', terms, 'dona torta')).toBe(true)
    expect(hasAllTerms('duas tortas', terms)).toBe(false)
    expect(markTerms('duas tortas', terms).filter((part) => part.found)).toEqual([{ text: 'tortas', found: true }])
  })

  it('returns no term for a query without letters and digits', () => {
    expect(parseSearch('?! …')).toEqual([])
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
})
