import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#errors.ts'
import { createTokenBuckets } from './token-buckets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    countOfConta: (request: FastifyRequest, contaId: string) => void
  }
}

export const REQUESTS_PER_CONTA = 300

/** Seconds of the limit that a conta may use in advance: the windows of a whole office that reconnect together. */
const BURST_S = 5

/**
 * A burst of simulated messages is a valid test of the bot, so they count apart and twice as many are allowed. One with
 * a file costs as much as any upload.
 */
function isSimulatedMessage({ method, url, headers }: FastifyRequest): boolean {
  const hasFile = headers['content-type']?.startsWith('multipart/') === true
  return method === 'POST' && url === '/api/simulador/mensagens' && !hasFile
}

/**
 * A limit per token alone grows with the number of sessions and people of a conta. `onRefused` also counts the refusal
 * for the address.
 */
export function installContaLimit(
  app: FastifyInstance,
  perSecond: number,
  onRefused: (request: FastifyRequest) => void,
): void {
  const takeRequest = createTokenBuckets({ perSecond, burst: perSecond * BURST_S })
  const takeMessage = createTokenBuckets({ perSecond: perSecond * 2, burst: perSecond * 2 * BURST_S })
  app.decorate('countOfConta', (request, contaId) => {
    const take = isSimulatedMessage(request) ? takeMessage : takeRequest
    if (take(contaId)) return
    onRefused(request)
    throw new AppError('muitasTentativas', { tentarEmS: 1 })
  })
}

export function requireContaLimit(request: FastifyRequest, contaId: string): void {
  request.server.countOfConta(request, contaId)
}
