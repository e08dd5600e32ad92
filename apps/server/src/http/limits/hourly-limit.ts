import { LRUCache } from 'lru-cache'
import { AppError } from '#errors.ts'

const HOUR_MS = 3_600_000
const ADDRESSES_MAX = 20_000

/**
 * Counts acts of network addresses on this node. The function throws `muitasTentativas` after `max` acts in an hour, and
 * otherwise returns how to take the act back.
 */
export function createHourlyLimit(max: number): (ip: string) => () => void {
  const acts = new LRUCache<string, readonly number[]>({ max: ADDRESSES_MAX })
  return (ip) => {
    const now = performance.now()
    const recent = (acts.get(ip) ?? []).filter((at) => at > now - HOUR_MS)
    const [first = now] = recent
    if (recent.length >= max) {
      throw new AppError('muitasTentativas', { tentarEmS: Math.ceil((first + HOUR_MS - now) / 1_000) })
    }
    acts.set(ip, [...recent, now])
    return () => {
      acts.set(
        ip,
        (acts.get(ip) ?? []).filter((at) => at !== now),
      )
    }
  }
}
