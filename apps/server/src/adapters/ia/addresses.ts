import { LRUCache } from 'lru-cache'
import { isAllowedUrlBase } from '@balcao/contract/entities/provedor-ia'
import type { ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import { createOutbound, type OutboundFetch } from '#adapters/outbound/outbound.ts'
import type { AiAccess } from '#ports/ai.ts'
import { AiFailure } from './failures.ts'

/** Hard limit of a response. `createRetryingFetch` stops at half of it with its own error. */
const RESPONSE_MAX_BYTES = 2 * 1024 * 1024
const OUTBOUNDS_MAX = 100

type FixedProvider = Exclude<ProvedorIa, 'compativel'>

const PUBLIC_URLS: Readonly<Record<FixedProvider, string>> = {
  gemini: 'https://generativelanguage.googleapis.com',
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
}

export interface AddressOptions {
  /** Without version. They come only from the environment: an account must not choose where its questions go. */
  readonly urls?: Readonly<Partial<Record<FixedProvider, string | undefined>>> | undefined
  /** Hosts that the administrator allows as `compativel`. Read for each question, so that a removal counts immediately. */
  readonly hosts?: () => Promise<readonly string[]>
  /** Tests only: `compativel` may also be http on this machine. */
  readonly loopback?: boolean | undefined
}

export interface ProviderAddress {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly outbound: OutboundFetch
}

/** Returns where a provider answers. Throws `AiFailure` for a host that is not allowed. */
export function createAddresses({
  urls = {},
  hosts = async () => [],
  loopback = false,
}: AddressOptions): (access: AiAccess) => Promise<ProviderAddress> {
  const outbounds = new LRUCache<string, OutboundFetch>({ max: OUTBOUNDS_MAX })

  const outboundTo = (origin: string, create: () => OutboundFetch): OutboundFetch => {
    const outbound = outbounds.get(origin) ?? create()
    outbounds.set(origin, outbound)
    return outbound
  }

  return async ({ provedor, urlBase }) => {
    if (provedor !== 'compativel') {
      const fromEnv = urls[provedor]
      const baseUrl = withoutSlash(fromEnv ?? PUBLIC_URLS[provedor])
      const origins = fromEnv === undefined ? { fixedOrigins: [baseUrl] } : { fixedOrigins: [], envOrigins: [baseUrl] }
      const create = (): OutboundFetch => createOutbound({ ...origins, maxBytes: RESPONSE_MAX_BYTES })
      return { baseUrl, outbound: outboundTo(baseUrl, create) }
    }
    if (!isAllowedUrlBase(urlBase, await hosts(), { loopback })) throw new AiFailure('endereco')
    const { origin } = new URL(urlBase)
    const create = (): OutboundFetch =>
      createOutbound({ fixedOrigins: [], privateOrigins: [origin], loopback, maxBytes: RESPONSE_MAX_BYTES })
    return { baseUrl: withoutSlash(urlBase), outbound: outboundTo(origin, create) }
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
