import { AppError } from '#errors.ts'
import { createHourlyLimit } from '#http/limits/hourly-limit.ts'
import { createTokenBuckets } from '#http/limits/token-buckets.ts'

const NEW_VISITORS = 20
const STREAMS = 3

export interface ChatLimits {
  /** At most 20 new visitors of one network address in an hour. Throws `muitasTentativas`. */
  readonly countVisitor: (ip: string) => void
  /** Allows the visitor one message a second, and 5 in advance. Throws `muitasTentativas`. */
  readonly countMessage: (visitanteId: string) => void
  /** At most 3 streams of one network address on this node. Throws `muitasTentativas`. Returns the release. */
  readonly holdStream: (ip: string) => () => void
}

export function createChatLimits(): ChatLimits {
  const takeVisitor = createHourlyLimit(NEW_VISITORS)
  const streams = new Map<string, number>()
  const takeMessage = createTokenBuckets({ perSecond: 1, burst: 5 })
  return {
    countVisitor: (ip) => void takeVisitor(ip),
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
