import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/**
 * Trusted proxies: the number of hops in front of this server, or their addresses and networks. `true` is one hop,
 * `false` none.
 */
export type TrustProxy = boolean | number | readonly string[]

/** True if the peer with this address, `hop` connections away, may forward the address of another client. */
export type IsTrustedHop = (address: string, hop: number) => boolean

export function createTrust(trusted: TrustProxy): IsTrustedHop {
  if (typeof trusted !== 'object') {
    const hops = Number(trusted)
    return (_address, hop) => hop < hops
  }
  const networks = new BlockList()
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && networks.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * The address of the client. Reads `X-Forwarded-For` from its end, where each proxy appends, and stops at the first
 * address that is not trusted. Equals Fastify's `request.ip` with the same trust.
 */
export function clientAddress({ socket, headers }: IncomingMessage, isTrusted: IsTrustedHop): string {
  const header = headers['x-forwarded-for'] ?? ''
  const forwarded = (typeof header === 'string' ? header : header.join(',')).split(',').map((part) => part.trim())
  const hops = [socket.remoteAddress ?? '', ...forwarded.filter((part) => part !== '').toReversed()]
  return hops.find((address, hop) => !isTrusted(address, hop)) ?? hops.at(-1) ?? ''
}
