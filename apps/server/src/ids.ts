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
  let contador = 0
  let pool = Buffer.alloc(0)
  let posicao = 0

  const random = (bytes: number): Buffer => {
    if (posicao + bytes > pool.length) {
      pool = randomBytes(POOL_BYTES)
      posicao = 0
    }
    posicao += bytes
    return pool.subarray(posicao - bytes, posicao)
  }

  const tick = (): void => {
    const agora = clock.now().getTime()
    if (agora > ultimoMs) {
      ultimoMs = agora
      contador = random(2).readUInt16BE() & 0x3ff
    } else if (++contador > 0xfff) {
      ultimoMs += 1
      contador = 0
    }
  }

  return {
    uuid: () => {
      tick()
      const tempo = ultimoMs.toString(16).padStart(12, '0')
      const cauda = random(8).toString('hex')
      const variante = ((Number.parseInt(cauda.slice(0, 1), 16) & 0x3) | 0x8).toString(16)
      return `${tempo.slice(0, 8)}-${tempo.slice(8)}-7${contador.toString(16).padStart(3, '0')}-${variante}${cauda.slice(1, 4)}-${cauda.slice(4)}`
    },
    token: () => randomBytes(32).toString('base64url'),
  }
}

export function firstIdAt(instant: Date): string {
  const tempo = instant.getTime().toString(16).padStart(12, '0')
  return `${tempo.slice(0, 8)}-${tempo.slice(8)}-0000-0000-000000000000`
}
