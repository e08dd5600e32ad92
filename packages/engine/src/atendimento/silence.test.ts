import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SilenceFacts, stepSilence } from './silence.ts'

const rules = { ativa: true, avisoMinutos: 60, aviso: 'AINDA AÍ?', encerrarMinutos: 30 }
const minutes = (n: number): number => n * 60_000
const facts = (fields: Partial<SilenceFacts> = {}): SilenceFacts => ({
  ...{ served: true, personAt: minutes(10), customerAt: minutes(5), customerWaits: false },
  ...{ warnedAt: null, unreachable: false },
  ...fields,
})

describe('stepSilence', () => {
  it.each([
    ['waits until the notice is due', {}, 69, { tipo: 'wait', until: minutes(70), warnedAt: null }],
    ['warns after 60 minutes', {}, 70, { tipo: 'warn', until: minutes(100) }],
    ['waits for the end', { warnedAt: minutes(70) }, 99, { tipo: 'wait', until: minutes(100), warnedAt: minutes(70) }],
    ['finishes 30 minutes after the notice', { warnedAt: minutes(70) }, 100, { tipo: 'finish' }],
    ['drops the timer of a customer who waits for us', { customerWaits: true }, 500, { tipo: 'drop' }],
    [
      'drops the timer of a customer who answered the notice',
      { warnedAt: minutes(70), customerAt: minutes(71), customerWaits: true },
      500,
      { tipo: 'drop' },
    ],
    [
      'starts again after an answer to the notice',
      { warnedAt: minutes(70), customerAt: minutes(71), personAt: minutes(72) },
      100,
      { tipo: 'wait', until: minutes(132), warnedAt: null },
    ],
    [
      'delays the end when a person writes after the notice',
      { warnedAt: minutes(70), personAt: minutes(90) },
      100,
      { tipo: 'wait', until: minutes(120), warnedAt: minutes(70) },
    ],
    ['drops a finished conversa', { served: false }, 500, { tipo: 'drop' }],
    ['drops a conversa in which no person wrote', { personAt: null }, 500, { tipo: 'drop' }],
    [
      'waits while the customer cannot be reached',
      { unreachable: true },
      70,
      { tipo: 'wait', until: minutes(71), warnedAt: null },
    ],
    [
      'waits when the clock was set back',
      { personAt: minutes(300) },
      70,
      { tipo: 'wait', until: minutes(360), warnedAt: null },
    ],
  ] as const)('%s', (_, changed, now, expected) => {
    expect(stepSilence(rules, facts(changed), minutes(now))).toEqual(expected)
  })

  it('drops every timer while the rule is off', () => {
    expect(stepSilence({ ...rules, ativa: false }, facts(), minutes(500))).toEqual({ tipo: 'drop' })
  })

  it('warns at most once for each silence and never ends with a customer who waits', () => {
    const message = fc.record({
      from: fc.constantFrom('customer', 'person'),
      pause: fc.integer({ min: 0, max: minutes(90) }),
      /** A clock may go back. */
      skew: fc.integer({ min: -minutes(5), max: minutes(5) }),
      lateMs: fc.integer({ min: 0, max: minutes(40) }),
    })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 25 }), (story) => {
        let [now, warnedAt, finished]: [number, number | null, boolean] = [0, null, false]
        let [personAt, customerAt]: [number | null, number | null] = [null, null]
        let last: 'customer' | 'person' = 'customer'
        let warnings = 0
        /** A row exists from a person's message until it is dropped. */
        let dueAt: number | null = null
        const fire = (until: number): void => {
          while (dueAt !== null && dueAt <= until && !finished) {
            const at: number = Math.max(now, dueAt)
            const customerWaits = last === 'customer'
            const step = stepSilence(rules, facts({ personAt, customerAt, customerWaits, warnedAt }), at)
            if (customerWaits) expect(step.tipo).toBe('drop')
            if (step.tipo === 'warn') expect((warnings += 1)).toBe(1)
            finished = step.tipo === 'finish'
            if (step.tipo === 'wait') expect(step.until).toBeGreaterThan(at)
            if (step.tipo === 'drop' || step.tipo === 'finish') [dueAt, warnedAt] = [null, null]
            else {
              warnedAt = step.tipo === 'warn' ? at : step.warnedAt
              dueAt = step.until
            }
          }
        }
        for (const { from, pause, skew, lateMs } of story) {
          fire(now + pause - lateMs)
          if (finished) return
          now += pause
          last = from === 'customer' ? 'customer' : 'person'
          const at = Math.max(0, now + skew)
          if (last === 'person') {
            personAt = at
            dueAt ??= at + minutes(rules.avisoMinutos)
          } else {
            customerAt = Math.max(at, warnedAt ?? 0)
            warnings = 0
          }
        }
        fire(Infinity)
        expect(dueAt === null || finished).toBe(true)
      }),
    )
  })
})
