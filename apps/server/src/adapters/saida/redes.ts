import { BlockList, isIP } from 'node:net'

/** Loopback, private and cloud-metadata address ranges. */

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
const METADADOS_IPV6 = 'fd00:ec2::254'

const internas = new BlockList()
const locais = new BlockList()
for (const [rede, bits] of IPV4) internas.addSubnet(rede, bits, 'ipv4')
for (const [rede, bits] of IPV6) internas.addSubnet(rede, bits, 'ipv6')
locais.addSubnet('169.254.0.0', 16, 'ipv4')
locais.addSubnet('fe80::', 10, 'ipv6')
locais.addAddress(METADADOS_IPV6, 'ipv6')

export type Rede = 'internet' | 'interna' | 'local'

/**
 * Classifies an address. `local` is link-local, where metadata services are. An IPv4 address inside an IPv6 one
 * counts as IPv4.
 */
export function redeDe(endereco: string): Rede {
  const familia = isIP(endereco) === 6 ? 'ipv6' : 'ipv4'
  if (locais.check(endereco, familia)) return 'local'
  return internas.check(endereco, familia) ? 'interna' : 'internet'
}
