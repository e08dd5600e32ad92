import { describe, expect, it } from 'vitest'
import { wholeCents, costOf, isBudgetUsed, priceOf } from './price.ts'

describe('priceOf', () => {
  it('takes the longest name that fits, also for a dated model', () => {
    expect(priceOf('gemini', 'gemini-2.5-flash', '2026-11-10')).toEqual({ entrada: 180, saida: 1_500 })
    expect(priceOf('gemini', 'gemini-2.5-flash-lite', '2026-11-10')).toEqual({ entrada: 60, saida: 240 })
    expect(priceOf('openai', 'gpt-4.1-mini-2025-04-14', '2026-11-10')).toEqual({ entrada: 240, saida: 960 })
  })

  it('takes the price of the day, and the oldest before its first day', () => {
    expect(priceOf('gemini', 'gemini-3.8-flash', '2026-12-31').entrada).toBe(450)
    expect(priceOf('gemini', 'gemini-3.8-flash', '2027-01-01').entrada).toBe(900)
    expect(priceOf('gemini', 'gemini-3.8-flash', '2025-01-01').entrada).toBe(450)
  })

  it('prices an unknown model as the dearest of its provider, and a compatible host at nothing', () => {
    expect(priceOf('anthropic', 'claude-next', '2026-11-10')).toEqual({ entrada: 6_000, saida: 30_000 })
    expect(priceOf('compativel', 'gpt-6-luna', '2026-11-10')).toEqual({ entrada: 0, saida: 0 })
  })
})

describe('isBudgetUsed', () => {
  it('compares the exact cost with the budget, which null switches off', () => {
    const cost = costOf({ entrada: 60, saida: 300 }, { tokensEntrada: 1_000_000, tokensSaida: 99_999 })
    expect(wholeCents(cost)).toBe(90)
    expect([isBudgetUsed(cost, 90), isBudgetUsed(cost + 300, 90)]).toEqual([false, true])
    expect([isBudgetUsed(cost, null), isBudgetUsed(0, 0)]).toEqual([false, true])
  })
})
