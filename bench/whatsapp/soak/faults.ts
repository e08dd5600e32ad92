import type { FakeServer } from '@balcao/whatsapp/rede-falsa'

/** Faults of a soak. A run proves nothing about a fault that never happened. */
export const FAULTS = [
  'lines cut',
  'lines ended with 503',
  'logins refused with 503',
  'sends refused with 500',
  'lines cut with a stanza on its way',
  'acks dropped',
  'messages twice',
  'messages overtaken',
  'slow store',
  'store failed on a read',
  'store failed on a write',
  'store failed on a message',
  'process restarted',
] as const
export type Fault = (typeof FAULTS)[number]

export interface SoakFaults {
  /** True, and counted, in one of `cada` calls on average. Always false after `acabar`. */
  readonly happens: (qual: Fault, cada: number) => boolean
  readonly end: () => void
  readonly counts: ReadonlyMap<Fault, number>
}

/** Mulberry32 generator: the same seed gives the same sequence of faults. */
export function createSoakFaults(seed: number): SoakFaults {
  const counted = new Map<Fault, number>(FAULTS.map((qual) => [qual, 0]))
  let state = seed
  let acabaram = false
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    happens: (qual, cada) => {
      const acontece = !acabaram && random() < 1 / cada
      if (acontece) counted.set(qual, (counted.get(qual) ?? 0) + 1)
      return acontece
    },
    end: () => {
      acabaram = true
    },
    counts: counted,
  }
}

export function injectFaults(server: FakeServer, faults: SoakFaults): void {
  server.faults.refuse = () => (faults.happens('sends refused with 500', 15) ? '500' : undefined)
  server.faults.loseAck = () => faults.happens('acks dropped', 25)
  server.faults.holdMessage = () => faults.happens('messages overtaken', 12)
  // A lost stanza takes its connection with it, because TCP does not lose single frames.
  server.faults.loseStanza = ({ tag }) => {
    const lost = tag !== 'iq' && faults.happens('lines cut with a stanza on its way', 60)
    if (lost) server.cutAll()
    return lost
  }
}
