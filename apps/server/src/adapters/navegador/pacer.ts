import { SendDeferred } from '@balcao/connector/errors'

/**
 * Imitates a person's pace: a random pause between messages and a limit per contato and minute. WhatsApp bans
 * numbers that send in bursts or at regular intervals.
 */
export interface Pacer {
  /** Resolves when the message may be sent. Throws `EnvioAdiado` when the wait is too long. */
  readonly turn: (address: string) => Promise<void>
}

export const UNPACED: Pacer = { turn: () => Promise.resolve() }

const SHORT_PAUSE_MS = 500
const LONG_PAUSE_MS = 2_000
const PER_MINUTE = 20
const MINUTE_MS = 60_000
const WAIT_MAX_MS = 10_000

export function createPacer(now = () => performance.now(), random = Math.random): Pacer {
  const saidas = new Map<string, readonly number[]>()
  let livreEm = -Infinity
  const chance = (): number => SHORT_PAUSE_MS + random() * (LONG_PAUSE_MS - SHORT_PAUSE_MS)

  const recent = (address: string, em: number): readonly number[] =>
    (saidas.get(address) ?? []).filter((output) => output > em - MINUTE_MS)

  return {
    turn: async (address) => {
      const em = now()
      const dela = recent(address, em)
      const [first = em] = dela.slice(-PER_MINUTE)
      const vez = Math.max(em, livreEm, dela.length < PER_MINUTE ? em : first + MINUTE_MS)
      if (vez - em > WAIT_MAX_MS) throw new SendDeferred('o número está escrevendo depressa demais', vez - em)
      livreEm = vez + chance()
      for (const other of saidas.keys()) if (recent(other, em).length === 0) saidas.delete(other)
      saidas.set(address, [...dela, vez])
      if (vez > em) await new Promise((resolve) => setTimeout(resolve, vez - em))
    },
  }
}
