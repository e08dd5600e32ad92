import { describe, expect, it } from 'vitest'
import { checkAnswer } from './check-answer.ts'
import inventedFile from './testing/invented.tsv?raw'
import { type LabelledAnswer, readAnswers } from './testing/labels.ts'
import { evidenceOf, shopEvidence } from './testing/shops.ts'
import reservedInvented from './testing/reserva-invented.tsv?raw'
import reservedSupported from './testing/reserva-supported.tsv?raw'
import supportedFile from './testing/supported.tsv?raw'

/**
 * The files of `reserva` are kept aside, a third of all answers. Their counts were read while the guard was written, their
 * sentences were not.
 */
const ANSWERS = [
  { name: 'development', invented: readAnswers(inventedFile), supported: readAnswers(supportedFile) },
  { name: 'kept aside', invented: readAnswers(reservedInvented), supported: readAnswers(reservedSupported) },
]
const PASSED_MAX = 0.01
const HELD_BACK_MAX = 0.02

const isWithheld = (answer: LabelledAnswer): boolean => checkAnswer(answer.resposta, evidenceOf(answer)).retida

function report(answers: readonly LabelledAnswer[]): string {
  return answers
    .map(
      (answer) =>
        `${answer.loja}: ${answer.resposta} ${JSON.stringify(checkAnswer(answer.resposta, evidenceOf(answer)).afirmacoes)}`,
    )
    .join('\n')
}

describe.each(ANSWERS)('checkAnswer on the $name answers', ({ invented, supported }) => {
  it('lets at most 1 % of the invented answers pass', () => {
    const passed = invented.filter((answer) => !isWithheld(answer))
    expect(passed.length / invented.length, report(passed)).toBeLessThanOrEqual(PASSED_MAX)
  })

  it('holds back at most 2 % of the supported answers', () => {
    const heldBack = supported.filter(isWithheld)
    expect(heldBack.length / supported.length, report(heldBack)).toBeLessThanOrEqual(HELD_BACK_MAX)
  })
})

it('keeps a third of at least 300 invented and 200 supported answers aside', () => {
  const [development, aside] = ANSWERS
  for (const [kind, min] of [
    ['invented', 300],
    ['supported', 200],
  ] as const) {
    const kept = aside?.[kind].length ?? 0
    const all = kept + (development?.[kind].length ?? 0)
    expect(all).toBeGreaterThanOrEqual(min)
    expect(kept / all).toBeGreaterThanOrEqual(0.33)
  }
})

describe('checkAnswer', () => {
  it.each([
    ['nine thirty', 'Sábado abrimos às 9h30.', true],
    ['nine and a half in words', 'Sábado abrimos às nove e meia.', true],
    ['nine in words', 'Sábado abrimos às nove.', false],
    ['invisible characters in a price', 'O xampu neutro custa R$ 1\u200b9,90', true],
    ['digits of another script', 'O xampu neutro custa R$ １９,90', true],
    ['a denial behind which a promise follows', 'Não se preocupe, a entrega é grátis', true],
    ['a denial', 'Não temos desconto nem promoção.', false],
  ])('reads %s', (_name, answer, retida) => {
    expect(checkAnswer(answer, shopEvidence('pet-shop')).retida).toBe(retida)
  })
})
