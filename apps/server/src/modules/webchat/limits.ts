import { LRUCache } from 'lru-cache'
import { AppError } from '#errors.ts'
import { createTokenBuckets } from '#http/limits/token-buckets.ts'

const HOUR_MS = 3_600_000
const NEW_VISITORS = 20
const STREAMS = 3
const ADDRESSES_MAX = 20_000

export interface ChatLimits {
  /** At most 20 new visitors of one network address in an hour. Throws `muitasTentativas`. */
  readonly countVisitor: (ip: string) => void
  /** Allows the visitor one message a second, and 5 in advance. Throws `muitasTentativas`. */
  readonly countMessage: (visitanteId: string) => void
  /** At most 3 streams of one network address on this node. Throws `muitasTentativas`. Returns the release. */
  readonly holdStream: (ip: string) => () => void
}

export function createChatLimits(): ChatLimits {
  const created = new LRUCache<string, readonly number[]>({ max: ADDRESSES_MAX })
  const streams = new Map<string, number>()
  const takeMessage = createTokenBuckets({ perSecond: 1, burst: 5 })
  return {
    countVisitor: (ip) => {
      const now = performance.now()
      const recent = (created.get(ip) ?? []).filter((at) => at > now - HOUR_MS)
      const [first = now] = recent
      if (recent.length >= NEW_VISITORS) {
        throw new AppError('muitasTentativas', { tentarEmS: Math.ceil((first + HOUR_MS - now) / 1_000) })
      }
      created.set(ip, [...recent, now])
    },
    countMessage: (visitanteId) => {
      if (takeMessage(visitanteId)) return
      const erro = 'Você escreveu rápido demais. Espere um segundo e envie de novo.'
      throw new AppError('muitasTentativas', { erro, tentarEmS: 1 })
    },
    holdStream: (ip) => {
      const open = streams.get(ip) ?? 0
      if (open >= STREAMS) throw new AppError('muitasTentativas', { tentarEmS: 5 })
      streams.set(ip, open + 1)
      let held = true
      return () => {
        if (!held) return
        held = false
        const left = (streams.get(ip) ?? 1) - 1
        if (left === 0) streams.delete(ip)
        else streams.set(ip, left)
      }
    },
  }
}
