import { lookup as resolverDoSistema, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { sendRequest, OutboundRefused } from './request.ts'
import { networkTypeOf } from './networks.ts'

export interface OutboundOptions {
  /** Origins fixed in the code, such as `https://graph.facebook.com`. They must resolve to public addresses. */
  readonly fixedOrigins: readonly string[]
  /** Origins from the environment. They may resolve to private addresses, such as an internal proxy. */
  readonly envOrigins?: readonly string[]
  /** Also allows every subdomain of these hosts over https, such as of `whatsapp.net`. */
  readonly subdomainsOf?: readonly string[]
  /** Also allows this machine, for tests. */
  readonly loopback?: boolean
  readonly maxBytes: number
  /** Time from the first byte sent to the last one received; 15 s by default. */
  readonly timeoutMs?: number
  readonly resolver?: Resolver
}

export type Resolver = (
  name: string,
  opcoes: { readonly all: true },
  giveBack: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** A `fetch` restricted to allowed destinations. A redirect throws, unless `redirect` is `manual`. */
export type OutboundFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Names of this machine in a URL. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

const TIMEOUT_MS = 15_000
/** Idle connections are closed before the other side closes them. */
const IDLE_MS = 4_000

/**
 * The only client for outgoing HTTP: known origins, no redirects, a timeout and a size limit. The connection uses
 * exactly the addresses that were checked, so DNS rebinding cannot reach private networks or cloud metadata. Errors
 * are a `TypeError` with the cause, as in `fetch`.
 */
export function createOutbound(options: OutboundOptions): OutboundFetch {
  const { envOrigins = [], loopback = false, maxBytes, timeoutMs = TIMEOUT_MS } = options
  const { resolver = resolverDoSistema } = options
  const ours = new Set(envOrigins.map((endereco) => new URL(endereco).hostname))
  if (loopback) ours.add('localhost')
  const allowed = createDestinationCheck(options)

  const lookup: LookupFunction = (name, opcoes, giveBack) =>
    resolver(name, { ...opcoes, all: true }, (error, found) => {
      if (error !== null) return giveBack(error, [])
      const forbidden = found.find(({ address }) => !mayConnect(address, ours.has(name)))
      if (forbidden !== undefined)
        return giveBack(new OutboundRefused(`address refused: ${name} resolves to ${forbidden.address}`), [])
      if (opcoes.all === true) return giveBack(null, found)
      const [first] = found
      giveBack(null, first?.address ?? '', first?.family)
    })

  const lines = { keepAlive: true, timeout: IDLE_MS, lookup }
  const agentes = { 'http:': new HttpAgent(lines), 'https:': new HttpsAgent(lines) }

  return async (url, init = {}) => {
    const destination = new URL(url)
    if (!allowed(destination))
      throw new TypeError('fetch failed', {
        cause: new OutboundRefused(`destination not allowed: ${destination.origin}`),
      })
    const agente = destination.protocol === 'http:' ? agentes['http:'] : agentes['https:']
    return sendRequest(destination, init, { agent: agente, maxBytes, timeoutMs })
  }
}

type Destinations = Pick<OutboundOptions, 'fixedOrigins' | 'envOrigins' | 'subdomainsOf' | 'loopback'>

/** Returns the check of a URL before any lookup. A host that passes may still resolve to a refused address. */
export function createDestinationCheck(destinations: Destinations): (url: URL) => boolean {
  const { fixedOrigins, envOrigins = [], subdomainsOf = [], loopback = false } = destinations
  const origens = new Set([...fixedOrigins, ...envOrigins].map((endereco) => new URL(endereco).origin))
  return ({ origin, protocol, port, hostname }) =>
    origens.has(origin) ||
    (loopback && LOOPBACK_HOSTS.has(hostname)) ||
    (protocol === 'https:' && port === '' && subdomainsOf.some((host) => hostname.endsWith(`.${host}`)))
}

/**
 * Private addresses only for hosts from the environment. Link-local names are always refused; a literal address
 * skips the lookup.
 */
function mayConnect(address: string, fromEnv: boolean): boolean {
  const network = networkTypeOf(address)
  return network === 'internet' || (network === 'interna' && fromEnv)
}
