import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ipKey } from '#lib/ip-address.ts'

const WINDOW_MS = 2_000
/** An answer with 429 costs about as much as any small answer, so a flood of them would delay all others. */
const REFUSALS_PER_WINDOW = 2_000
const CUT_MS = 5_000
const ADDRESSES_MAX = 10_000
const PRIVATE_NETWORKS = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const

/** Usual addresses of a proxy in front of the server. They are never cut, also when `TRUST_PROXY` was forgotten. */
const NEAR_PROXIES = new BlockList()
for (const own of ['127.0.0.1', '::1']) NEAR_PROXIES.addAddress(own, own.includes(':') ? 'ipv6' : 'ipv4')
for (const [network, bits] of PRIVATE_NETWORKS) NEAR_PROXIES.addSubnet(network, bits, 'ipv4')
NEAR_PROXIES.addSubnet('fc00::', 7, 'ipv6')

interface Refusals {
  count: number
  readonly since: number
  cutUntil: number
}

/**
 * Cuts the connections of an address that continues after 2,000 refusals in 2 s, and its new ones for 5 s. Does not
 * cut proxies, whose connections carry the requests of many clients. Returns the function that counts a
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
    if (socket.remoteAddress !== ip || isNearProxy(ip)) return
    const refusals = current(ipKey(ip))
    refusals.count += 1
    if (refusals.count <= REFUSALS_PER_WINDOW) return
    refusals.cutUntil = now() + CUT_MS
    socket.destroy()
  }
}

/** The list also matches IPv4 addresses in their IPv6 form (`::ffff:10.0.0.1`). */
function isNearProxy(address: string): boolean {
  return NEAR_PROXIES.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
