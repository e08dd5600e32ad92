import { BlockList, isIP } from 'node:net'
import { networkTypeOf } from '#adapters/outbound/networks.ts'
import { ipv4OfWords, ipv6Words } from '#lib/ip-address.ts'

/** Private unicast networks (RFC 1918, RFC 4193). */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** A command for another service must not reach it as a ticket, so only ports of printers are open. */
const PORTS = { first: 9_100, last: 9_109 }

export interface AllowedPrinters {
  /** Networks of the administrator, as `192.168.0.0/24`. */
  readonly networks: readonly string[]
  /** Tests only: any port of this machine. */
  readonly loopback?: boolean
}

/** Addresses are compared as numbers. Names, zones, and addresses that routers translate are refused. */
export function createPrinterCheck({ networks, loopback = false }: AllowedPrinters) {
  const [allowed, unicast, local] = [networks, PRIVATE, LOOPBACK].map(listOf)
  return (address: string, port: number): boolean => {
    const plain = plainAddress(address)
    if (plain === null) return false
    if (contains(local, plain)) return loopback
    if (port < PORTS.first || port > PORTS.last || networkTypeOf(plain) !== 'interna') return false
    return contains(unicast, plain) && contains(allowed, plain)
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const size = Number(bits ?? (isIP(address) === 6 ? 128 : 32))
    list.addSubnet(address, size, familyOf(address))
  }
  return list
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const contains = (list: BlockList | undefined, address: string): boolean =>
  list?.check(address, familyOf(address)) === true

/** Null for all but an address. An IPv4-mapped one becomes IPv4. */
function plainAddress(address: string): string | null {
  if (isIP(address) === 0 || address.includes('%')) return null
  const words = ipv6Words(address)
  if (words === null) return address
  const [high = 0, low = 0] = words.slice(6)
  const isMapped = words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0)
  return isMapped ? ipv4OfWords(high, low) : address
}
