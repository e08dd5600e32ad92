import { expect, it } from 'vitest'
import { initialState, memoryFields } from '#state.ts'
import { countAutoAnswer, observeText } from './loop-guard.ts'

const T = 1_000_000
const fresh = () => memoryFields(initialState())

function ouvir(texts: readonly string[], entreMs: number): boolean[] {
  let memory = fresh()
  return texts.map((text, i) => {
    const observed = observeText(memory, text, T + i * entreMs)
    memory = observed.memoria
    return observed.emLaco
  })
}

it('detects the sixth equal text within five minutes, ignoring case and accents', () => {
  expect(ouvir(['Olá', 'ola', 'OLÁ', 'ola ', 'olá', 'ola'], 1000)).toEqual([false, false, false, false, false, true])
})

it('starts counting again at a different text and after five minutes', () => {
  expect(ouvir(['a', 'a', 'a', 'a', 'a', 'b', 'a'], 1000)).not.toContain(true)
  expect(ouvir(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'], 60_001)).not.toContain(true)
})

it('does not count media without text as repeated', () => {
  expect(
    ouvir(
      Array.from({ length: 10 }, () => ''),
      1000,
    ),
  ).not.toContain(true)
})

it('detects the sixteenth answer within a minute, but not later', () => {
  let memory = fresh()
  for (let i = 0; i < 15; i += 1) {
    expect(observeText(memory, `t${i}`, T + i).emLaco).toBe(false)
    memory = countAutoAnswer(memory, T + i)
  }
  expect(observeText(memory, 'mais', T + 59_999).emLaco).toBe(true)
  expect(observeText(memory, 'mais', T + 60_000).emLaco).toBe(false)
})
