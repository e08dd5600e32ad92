import { randomBytes, randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import type { Clock } from '#ports/clock.ts'
import type { Ids } from '#ports/ids.ts'

/** Largest step back of the clock at which ids still increase, in ms. */
const ROLLBACK_MS = 86_400_000

/** Numbers per call of the generator. A call costs as much for 1,024 as for one. */
const RANDOM_NUMBERS = 1_024

function createRandom(): { readonly nextUint32: () => number } {
  const numbers = new Uint32Array(RANDOM_NUMBERS)
  let used = RANDOM_NUMBERS
  return {
    nextUint32: () => {
      if (used === RANDOM_NUMBERS) {
        randomFillSync(numbers)
        used = 0
      }
      return numbers[used++] ?? 0
    },
  }
}

/** UUIDv7. The ids of one process always increase, even when the clock goes back by up to one day. */
export function createIds(clock: Clock): Ids {
  const generator = new V7Generator(createRandom())
  generator.setRollbackAllowance(ROLLBACK_MS)
  const uuid = (): string => generator.generateOrResetWithTs(clock.now().getTime()).toString()
  return {
    uuid,
    uuidAfter: (last) => laterId(uuid(), last),
    token: () => randomBytes(32).toString('base64url'),
  }
}

/**
 * The id of the next message of a contato: `own` if it is greater than the contato's last one, otherwise the last one
 * plus one. So the order of a conversa depends on no clock.
 */
export function laterId(own: string, last: string | null): string {
  if (last === null || own > last) return own
  const digits = (BigInt(`0x${last.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The smallest id of an instant, as a lower bound in queries. */
export function firstIdAt(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
