import { describe, expect, it } from 'vitest'
import { SendDeferred } from './errors.ts'
import { Pacer, type PacerOptions } from './pacer.ts'

const OPEN = new AbortController().signal

describe('Pacer', () => {
  const paced = (random: () => number, options: PacerOptions = {}) => {
    let agora = 0
    const pacer = new Pacer({ now: () => agora, random, ...options })
    let n = 0
    return {
      pacer,
      passar: (ms: number) => (agora += ms),
      espera: (endereco: string, idExterno = String((n += 1))) => pacer.waitMs({ idExterno, endereco }),
    }
  }

  it('sends the first message immediately and spaces the next ones randomly', () => {
    const luck = [0, 1, 0.5, 0]
    const { espera, passar } = paced(() => luck.shift() ?? 0)
    expect([espera('ana'), espera('bia'), espera('caio')]).toEqual([0, 500, 2_500])
    passar(2_500)
    expect(espera('duda')).toBe(1_250)
    passar(60_000)
    expect(espera('eva')).toBe(0)
  })

  it('keeps the slot of a waiting message', () => {
    const { espera, passar } = paced(() => 1)
    expect(espera('ana', 'a')).toBe(0)
    expect(espera('bia', 'b')).toBe(2_000)
    passar(1_500)
    expect(espera('caio', 'c')).toBe(2_500)
    expect(espera('bia', 'b')).toBe(500)
    passar(500)
    expect(espera('bia', 'b')).toBe(0)
  })

  it('sends one person at most 20 messages a minute without delaying others', () => {
    const { espera, passar } = paced(() => 0)
    for (let vez = 0; vez < 20; vez += 1) {
      expect(espera('ana')).toBe(0)
      passar(500)
    }
    // After ten seconds the next message must wait until the first of the twenty is a minute old.
    expect(espera('ana', 'mais')).toBe(50_500)
    expect(espera('bia')).toBe(0)
    passar(50_500)
    expect(espera('ana', 'mais')).toBe(0)
    expect(espera('ana')).toBe(500)
  })

  it('defers a message whose wait is longer than the patience', async () => {
    const { pacer } = paced(() => 1, { patienceMs: 1_999 })
    await pacer.waitForTurn({ idExterno: '1', endereco: 'ana' }, OPEN)
    const deferred = pacer.waitForTurn({ idExterno: '2', endereco: 'bia' }, OPEN)
    await expect(deferred).rejects.toBeInstanceOf(SendDeferred)
    await expect(deferred).rejects.toMatchObject({ waitMs: 2_000 })
  })

  it('ends the wait when the session closes', async () => {
    const { pacer } = paced(() => 1)
    const session = new AbortController()
    await pacer.waitForTurn({ idExterno: '1', endereco: 'ana' }, session.signal)
    const waiting = pacer.waitForTurn({ idExterno: '2', endereco: 'bia' }, session.signal)
    session.abort()
    await expect(waiting).resolves.toBeUndefined()
  })
})
