import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ipKey } from '#lib/ip-address.ts'

const WINDOW_MS = 2_000
/** An answer with 429 costs about as much as any small answer, so a flood of them would delay all others. */
const REFUSALS_PER_WINDOW = 2_000
const CUT_MS = 5_000
const ADDRESSES_MAX = 10_000

interface Refusals {
  count: number
  readonly since: number
  cutUntil: number
}

/**
 * Cuts the connections of an address that continues after 2,000 refusals in 2 s, and its new ones for 5 s. Does not
 * cut a trusted proxy, whose connections carry the requests of many clients. Returns the function that counts a
 * refusal.
 */
export function installFloodGuard(
  app: FastifyInstance,
  now: () => number = () => performance.now(),
): (request: FastifyRequest) => void {
  const addresses = new Map<string, Refusals>()

  const current = (key: string): Refusals => {
    const known = addresses.get(key)
    if (known !== undefined && (now() < known.since + WINDOW_MS || now() < known.cutUntil)) return known
    if (addresses.size >= ADDRESSES_MAX) addresses.clear()
    const fresh = { count: 0, since: now(), cutUntil: 0 }
    addresses.set(key, fresh)
    return fresh
  }
  const isCut = (address: string | undefined): boolean =>
    addresses.size > 0 && now() < (addresses.get(ipKey(address ?? ''))?.cutUntil ?? 0)

  app.server.on('connection', (socket) => {
    if (isCut(socket.remoteAddress)) socket.destroy()
  })
  // The parser still delivers the requests that it had read with the one that cut the connection.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) reply.hijack()
    else done()
  })
  return ({ ip, raw: { socket } }) => {
    if (socket.remoteAddress !== ip) return
    const refusals = current(ipKey(ip))
    refusals.count += 1
    if (refusals.count <= REFUSALS_PER_WINDOW) return
    refusals.cutUntil = now() + CUT_MS
    socket.destroy()
  }
}
