import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPieces } from './cut.ts'

const cut = (texto: string): string[] => cutPieces([{ secao: '', texto }]).map((piece) => piece.texto)
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

describe('cutPieces', () => {
  it('joins short paragraphs and keeps page and heading of each section', () => {
    const sections = [
      { pagina: 1, secao: 'Entregas', texto: 'Todos os dias.\n\n  Até   as 18h.' },
      { pagina: 2, secao: '', texto: ' \n' },
    ]
    expect(cutPieces(sections)).toEqual([{ pagina: 1, secao: 'Entregas', texto: 'Todos os dias.\nAté as 18h.' }])
  })

  it('keeps a heading with the paragraph behind it', () => {
    const long = `${'Uma frase qualquer. '.repeat(36)}`.trim()
    expect(cut(`${long}\nTrocas\n${long}`)).toEqual([long, `Trocas\n${long}`])
  })

  it('cuts a long paragraph after sentences and repeats a short last one', () => {
    const sentences = Array.from({ length: 40 }, (_, n) => `Esta é a regra número ${n} da loja.`)
    const pieces = cut(sentences.join(' '))
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) expect(piece).toMatch(/^Esta é .*\.$/)
    for (const sentence of sentences) expect(pieces.some((piece) => piece.includes(sentence))).toBe(true)
    const last = pieces[0]?.match(/Esta[^.]*\.$/)?.[0] ?? ''
    expect(pieces[1]?.startsWith(last)).toBe(true)
  })

  it('never makes a piece above 900 characters, and keeps every short word in its order', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    const end = fc.constantFrom(' ', '. ', '\n', '! ', '; ')
    const text = fc.array(fc.tuple(word, end), { maxLength: 600 }).map((parts) => parts.flat().join(''))
    fc.assert(
      fc.property(text, (texto) => {
        const pieces = cut(texto)
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(900)
        let at = 0
        const all = words(pieces.join(' '))
        for (const one of words(texto.toWellFormed())) {
          while (at < all.length && all[at] !== one) at += 1
          expect(all[at]).toBe(one)
          at += 1
        }
      }),
    )
  })

  it('cuts a text without spaces between characters', () => {
    const pieces = cut('😀'.repeat(2_000))
    expect(pieces.join('')).toBe('😀'.repeat(2_000))
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
  })
})
