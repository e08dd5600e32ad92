import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedErrors, correctionsOf, errorsBetween } from './similar.ts'

const letters = fc.constantFrom(...'abcdeiorst')
const word = fc.string({ unit: letters, minLength: 4, maxLength: 14 })
const edit = fc.record({
  kind: fc.constantFrom('insert', 'leave out', 'replace', 'swap'),
  at: fc.nat(20),
  letter: letters,
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function misspell(right: string, { kind, at, letter }: Edit): string {
  const index = at % right.length
  const [head, tail] = [right.slice(0, index), right.slice(index)]
  if (kind === 'insert') return head + letter + tail
  if (kind === 'leave out') return head + tail.slice(1)
  if (kind === 'replace') return head + letter + tail.slice(1)
  return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2)
}

describe('errorsBetween', () => {
  it.each([
    ['torta', 'torta', 0],
    ['trota', 'torta', 1],
    ['tota', 'torta', 1],
    ['tortaa', 'torta', 1],
    ['tovta', 'torta', 1],
    ['aniverssaro', 'aniversario', 2],
    ['bolo', 'coxinha', 6],
    ['', 'bolo', 4],
    ['ca', 'abc', 3],
  ])('counts %j and %j as %i', (one, other, errors) => {
    expect(errorsBetween(one, other)).toBe(errors)
    expect(errorsBetween(other, one)).toBe(errors)
  })

  it('counts one error at most for each edit, and none only for the same word', () => {
    fc.assert(
      fc.property(word, edit, edit, (right, first, second) => {
        const once = misspell(right, first)
        expect(errorsBetween(right, once)).toBe(once === right ? 0 : 1)
        expect(errorsBetween(right, misspell(`${once}`, second))).toBeLessThanOrEqual(3)
      }),
    )
  })
})

describe('allowedErrors', () => {
  it.each([
    ['pao', 0],
    ['bolo', 1],
    ['entrega', 1],
    ['presunto', 2],
    ['b2b4', 0],
    ['12345678', 0],
    ['a'.repeat(25), 0],
  ])('allows %j: %i', (typed, errors) => {
    expect(allowedErrors(typed)).toBe(errors)
  })
})

describe('correctionsOf', () => {
  const words = (...list: readonly (readonly [string, number])[]) => list.map(([one, count]) => ({ word: one, count }))

  it('puts fewer errors first, then the more frequent word', () => {
    const candidates = words(['toda', 3], ['torta', 90], ['porta', 7], ['tota', 1], ['tata', 9])
    expect(correctionsOf('tota', candidates)).toEqual(['torta', 'tata', 'toda'])
    expect(correctionsOf('aniversaro', words(['aniverssario', 1], ['aniversario', 1]))).toEqual([
      'aniversario',
      'aniverssario',
    ])
  })

  it('returns three words at most, and none for a word that allows no errors', () => {
    expect(correctionsOf('bolo', words(...[...'bcdfgmr'].map((one) => [`${one}olo`, 1] as const)))).toHaveLength(3)
    expect(correctionsOf('pao', words(['sao', 9]))).toEqual([])
  })
})
