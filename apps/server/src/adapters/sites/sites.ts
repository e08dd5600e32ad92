import { isIP } from 'node:net'
import { networkTypeOf } from '#adapters/outbound/networks.ts'
import { createOutbound, LOOPBACK_HOSTS, OutboundRefused, type Resolver } from '#adapters/outbound/outbound.ts'
import { type Sites, SiteRefused } from '#ports/fontes/sites.ts'

const PAGE_MAX_BYTES = 3_145_728
const PAGE_MS = 15_000
const PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])
const HEADERS = { accept: 'text/html, text/plain;q=0.8', 'accept-language': 'pt-BR, pt;q=0.9' }

const PRIVATE = 'Este endereço não é de um site público. Use o endereço que os clientes veem.'
const SILENT = 'O site não respondeu. Veja se o endereço está certo.'

export interface SitesOptions {
  /** Tests only: sites on this machine, at any port. */
  readonly loopback?: boolean
  readonly resolver?: Resolver
}

/** Each request checks its own addresses, so a name that changes to a private address is refused too. */
export function createSites({ loopback = false, resolver }: SitesOptions): Sites {
  return {
    ask: async (url, signal) => {
      const isLoopback = loopback && LOOPBACK_HOSTS.has(url.hostname)
      if (!isLoopback) requirePublic(url)
      const outbound = createOutbound({
        ...{ fixedOrigins: isLoopback ? [] : [url.origin], loopback: isLoopback },
        ...{ maxBytes: PAGE_MAX_BYTES, timeoutMs: PAGE_MS },
        ...(resolver === undefined ? {} : { resolver }),
      })
      const failed = (error: unknown): SiteRefused => toRefusal(error)
      const init = { headers: HEADERS, redirect: 'manual' as const, ...(signal === undefined ? {} : { signal }) }
      const reply = await outbound(url, init).catch((error: unknown) => {
        throw failed(error)
      })
      return {
        status: reply.status,
        tipo: (reply.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        location: reply.headers.get('location'),
        text: () =>
          reply.text().catch((error: unknown) => {
            throw failed(error)
          }),
      }
    },
  }
}

/** A literal address skips the lookup, so it is checked here. */
function requirePublic({ hostname, protocol, port, username }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isIP(address) !== 0 && networkTypeOf(address) !== 'internet'
  const isWeb = (protocol === 'https:' || protocol === 'http:') && PORTS.has(port) && username === ''
  if (isPrivate || !isWeb) throw new SiteRefused(PRIVATE)
}

function toRefusal(error: unknown): SiteRefused {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof OutboundRefused) return new SiteRefused(PRIVATE)
    current = current.cause
  }
  return new SiteRefused(SILENT)
}
