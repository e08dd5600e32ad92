import { randomBytes } from 'node:crypto'
import type { Clock } from '#ports/clock.ts'
import type { Ids } from '#ports/ids.ts'

const POOL_BYTES = 4096

/**
 * UUIDv7 with a 12-bit counter after the milliseconds (RFC 9562, method 1). Ids of one process always increase,
 * even when the clock goes back.
 */
export function createIds(clock: Clock): Ids {
  let ultimoMs = 0
  let counter = 0
  let pool = Buffer.alloc(0)
  let position = 0

  const random = (bytes: number): Buffer => {
    if (position + bytes > pool.length) {
      pool = randomBytes(POOL_BYTES)
      position = 0
    }
    position += bytes
    return pool.subarray(position - bytes, position)
  }

  const tick = (): void => {
    const agora = clock.now().getTime()
    if (agora > ultimoMs) {
      ultimoMs = agora
      counter = random(2).readUInt16BE() & 0x3ff
    } else if (++counter > 0xfff) {
      ultimoMs += 1
      counter = 0
    }
  }

  return {
    uuid: () => {
      tick()
      const time = ultimoMs.toString(16).padStart(12, '0')
      const tail = random(8).toString('hex')
      const variant = ((Number.parseInt(tail.slice(0, 1), 16) & 0x3) | 0x8).toString(16)
      return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
    },
    token: () => randomBytes(32).toString('base64url'),
  }
}

export function firstIdAt(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
