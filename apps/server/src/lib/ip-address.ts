import { isIP, isIPv6 } from 'node:net'

/** Returns the eight 16-bit words of an IPv6 address, or null for any other text. A zone (`%eth0`) is ignored. */
export function ipv6Words(address: string): readonly number[] | null {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return null
  const [head = '', tail = ''] = plain.split('::')
  const before = wordsOf(head)
  const after = wordsOf(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

export function ipv4OfWords(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Key of every limit by address: an IPv4 address whole, an IPv6 address by its /64, which is one internet connection or one machine.
 * An IPv4-mapped address counts as IPv4. A port, which some proxies append, is ignored. Other texts share one key.
 */
export function ipKey(address: string): string {
  return keyOf(address, 4)
}

/**
 * Key of the gates, whose slots the addresses share: an IPv4 address whole, an IPv6 address by its /48. One tunnel or
 * customer often has a /48, whose 65,536 /64 would take all slots.
 */
export function networkKey(address: string): string {
  return keyOf(address, 3)
}

/** `ipv6Size` is the number of 16-bit words that name the network of an IPv6 address. */
function keyOf(address: string, ipv6Size: number): string {
  const plain = withoutPort(address)
  if (isIP(plain) === 4) return plain
  const words = ipv6Words(plain)
  if (words === null) return 'sem-endereco'
  const [high = 0, low = 0] = words.slice(6)
  if (isMapped(words)) return ipv4OfWords(high, low)
  const network = words.slice(0, ipv6Size).map((word) => word.toString(16))
  return `${network.join(':')}::/${ipv6Size * 16}`
}

/** True for `::ffff:0:0/96`, the form of IPv4 clients on a socket that accepts both. */
function isMapped(words: readonly number[]): boolean {
  return words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
}

function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
}

function wordsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
