import { BlockList, isIP } from 'node:net'
import { ipv4OfWords, ipv6Words } from '#lib/ip-address.ts'

const IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
const IPV6 = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fec0::', 10],
  ['ff00::', 8],
] as const
/** Metadata service, which holds the credentials of the machine. */
const METADATA_IPV6 = 'fd00:ec2::254'

const privateNetworks = new BlockList()
const thisMachine = new BlockList()
const linkLocalNetworks = new BlockList()
for (const [network, bits] of IPV4) privateNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of IPV6) privateNetworks.addSubnet(network, bits, 'ipv6')
thisMachine.addSubnet('0.0.0.0', 8, 'ipv4')
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::', 'ipv6')
thisMachine.addAddress('::1', 'ipv6')
linkLocalNetworks.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocalNetworks.addSubnet('fe80::', 10, 'ipv6')
linkLocalNetworks.addAddress(METADATA_IPV6, 'ipv6')

export type NetworkType = 'internet' | 'interna' | 'local'

/**
 * Classifies an address. `local` is link-local, where metadata services are. An IPv4 address inside an IPv6 one
 * counts as IPv4.
 */
export function networkTypeOf(address: string): NetworkType {
  const inner = translatedIpv4(address)
  if (inner !== null) return networkTypeOf(inner)
  const familia = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (linkLocalNetworks.check(address, familia)) return 'local'
  return privateNetworks.check(address, familia) ? 'interna' : 'internet'
}

export function isThisMachine(address: string): boolean {
  const inner = translatedIpv4(address)
  if (inner !== null) return isThisMachine(inner)
  return thisMachine.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Returns the IPv4 address inside one of NAT64 (`64:ff9b::/96`) or 6to4 (`2002::/16`), which routers translate. */
function translatedIpv4(address: string): string | null {
  const words = ipv6Words(address)
  if (words === null) return null
  const [first, second = 0, third = 0, ...rest] = words
  if (first === 0x2002) return ipv4OfWords(second, third)
  const isNat64 = first === 0x64 && second === 0xff9b && [third, ...rest.slice(0, 3)].every((word) => word === 0)
  return isNat64 ? ipv4OfWords(words[6] ?? 0, words[7] ?? 0) : null
}
