import { expect, it } from 'vitest'
import { initialState, memoryFields } from '#state.ts'
import { parseState } from '#stored-state/parse.ts'
import { createTranscript, sentTexts, effectTipos } from '#testing/transcript.ts'
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

it('falls silent at the 101st answer of an hour without a person of the shop', () => {
  const r = createTranscript()
  const talk = (times: number): number => {
    let answered = 0
    for (let i = 0; i < times; i += 1) {
      r.advance(20 / 60)
      if (sentTexts(r.customer(`conversa ${i % 7} ${i}`)).length > 0) answered += 1
    }
    return answered
  }
  expect(talk(100)).toBe(100)
  const effects = r.customer('mais uma')
  expect(effectTipos(effects)).toEqual(['registrarLog'])
  expect(talk(20)).toBe(0)
  r.emit({ tipo: 'atendenteAssumiu' })
  r.emit({ tipo: 'devolvidaAoBot' })
  expect(talk(40)).toBe(40)
})

it('reads a stored state without the count of an hour', () => {
  const { semPessoa, ...older } = { ...initialState(), etapa: 'menu', erros: 2 }
  expect(semPessoa).toEqual([])
  expect(parseState(older)).toMatchObject({ etapa: 'menu', erros: 2, semPessoa: [] })
})
