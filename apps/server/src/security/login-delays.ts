import { AppError } from '#errors.ts'
import { networkKey } from '#lib/ip-address.ts'

/** Wrong passwords for one e-mail in an hour, from any address, before further tries are delayed. */
const FREE_FAILURES = 20
const DELAYS_MS = [1_000, 2_000, 4_000, 8_000]
/** More failures than these change no delay. */
export const FAILURES_COUNTED = FREE_FAILURES + DELAYS_MS.length

const PER_ADDRESS_MAX = 12
const DELAYED_MAX = 1_000
/** Further slots for the only delayed try of an address, so that few addresses cannot take all slots. */
const SINGLE_MAX = 1_000

/** Returns the delay in ms before a try that follows `failures` wrong passwords. */
export function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0
  return DELAYS_MS[failures - FREE_FAILURES] ?? DELAYS_MS.at(-1) ?? 0
}

/** Holds delayed tries. Their number is bounded, because each one keeps its request in memory. */
export interface LoginDelays {
  /** Throws `muitasTentativas` immediately if no slot is free. */
  readonly wait: (ms: number, ip: string) => Promise<void>
}

export function createLoginDelays({ sleep }: { readonly sleep: (ms: number) => Promise<void> }): LoginDelays {
  const delayed = new Map<string, number>()
  let total = 0
  const hasSlot = (own: number): boolean =>
    own === 0 ? total < DELAYED_MAX + SINGLE_MAX : own < PER_ADDRESS_MAX && total < DELAYED_MAX

  return {
    wait: async (ms, ip) => {
      const key = networkKey(ip)
      const own = delayed.get(key) ?? 0
      if (!hasSlot(own)) throw new AppError('muitasTentativas', { tentarEmS: Math.ceil(ms / 1000) })
      delayed.set(key, own + 1)
      total += 1
      try {
        await sleep(ms)
      } finally {
        const left = (delayed.get(key) ?? 1) - 1
        if (left === 0) delayed.delete(key)
        else delayed.set(key, left)
        total -= 1
      }
    },
  }
}
