import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PairingCodes } from './pairing-codes.ts'
import type { LinkState } from './port.ts'

describe('PairingCodes', () => {
  it('reports the end of the codes only after the last one', () => {
    const codes = new PairingCodes({ now: () => new Date(), publish: () => undefined })
    expect(codes.isLast).toBe(false)
    codes.show('um', 1)
    expect([codes.isShowing, codes.isLast]).toEqual([true, false])
    codes.show('dois', 0)
    expect(codes.isLast).toBe(true)
    codes.stop()
    expect(codes.isLast).toBe(false)
  })

  it('shows the first code for 60 s, the next for 20 s, and replaces one without extending it', () => {
    const shown: LinkState[] = []
    const codes = new PairingCodes({ now: () => new Date(), publish: (state) => void shown.push(state) })
    const lifetimeMs = (show: () => void): number => {
      const before = Date.now()
      show()
      const state = shown.at(-1)
      return Math.round(((state?.tipo === 'pareando' ? state.expiraEm.getTime() : 0) - before) / 1_000) * 1_000
    }
    expect(lifetimeMs(() => codes.show('um', 2))).toBe(60_000)
    expect(Math.round((codes.lastExpiresAt.getTime() - Date.now()) / 1_000)).toBe(100)
    expect(lifetimeMs(() => codes.replace('um, de novo'))).toBe(60_000)
    expect(lifetimeMs(() => codes.show('dois', 1))).toBe(20_000)
  })

  it('shows at most the maximum and reports the expiry of the last code once', async () => {
    let expired = 0
    const codes = new PairingCodes({
      now: () => new Date(),
      publish: () => undefined,
      ...{ lifetimeMs: 5, max: 2, onExpired: () => void (expired += 1) },
    })
    expect([codes.show('um'), codes.show('dois'), codes.show('três')]).toEqual([true, true, false])
    await sleep(40)
    expect(expired).toBe(1)
    codes.stop()
    codes.show('quatro')
    codes.stop()
    await sleep(20)
    expect(expired).toBe(1)
  })
})
