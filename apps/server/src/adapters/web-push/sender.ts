import type { FastifyBaseLogger } from 'fastify'
import type webPush from 'web-push'
import { createDestinationCheck, createOutbound } from '#adapters/outbound/outbound.ts'
import type { PushOutcome, PushSender } from '#ports/push/sender.ts'

/** Chrome and the browsers that are built on it. */
const GOOGLE = ['fcm.googleapis.com', 'android.googleapis.com', 'jmt17.google.com']
/** Firefox, Safari and Edge, with their regional hosts. */
const DOMAINS = ['push.services.mozilla.com', 'push.apple.com', 'notify.windows.com']
const ANSWER_MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5_000
/** The push service keeps a notice for a phone without a connection. */
const TTL_S = 4 * 3_600
/** Push services require a contact. Without an https address of the panel there is none. */
const CONTACT = 'mailto:avisos@balcao.local'

interface PushSenderOptions {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly urlPublica: string
  /** Hosts of further push services, named by the administrator. They may be in a private network. */
  readonly pushServices?: readonly string[]
  readonly pushLoopback?: boolean
}

export function createPushSender({ log, urlPublica, ...options }: PushSenderOptions): PushSender {
  const { pushServices = [], pushLoopback = false } = options
  const originOf = (host: string): string => `https://${host}`
  const destinations = {
    fixedOrigins: GOOGLE.map(originOf),
    envOrigins: pushServices.map(originOf),
    subdomainsOf: DOMAINS,
    loopback: pushLoopback,
  }
  const outbound = createOutbound({ ...destinations, maxBytes: ANSWER_MAX_BYTES, timeoutMs: TIMEOUT_MS })
  const isService = createDestinationCheck(destinations)
  const subject = urlPublica.startsWith('https://') ? urlPublica : CONTACT
  return {
    makeKeys: async () => (await loadWebPush()).generateVAPIDKeys(),
    mayDeliver: (endpoint) => {
      const url = URL.parse(endpoint)
      return url !== null && url.username === '' && url.password === '' && isService(url)
    },
    send: async ({ endpoint, p256dh, auth }, text, keys) => {
      try {
        const library = await loadWebPush()
        const { headers, body } = library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
          ...{ TTL: TTL_S, urgency: 'high', contentEncoding: 'aes128gcm' },
          vapidDetails: { subject, ...keys },
        })
        const plain = Object.entries(headers).map(([name, value]) => [name, String(value)])
        const response = await outbound(endpoint, {
          method: 'POST',
          headers: Object.fromEntries(plain),
          body: new Uint8Array(body),
        })
        await response.body?.cancel()
        const { status } = response
        if (status >= 300) log.warn({ status }, 'push notice refused')
        return outcomeOf(status)
      } catch (error) {
        log.warn({ erro: error instanceof Error ? error.message : 'unknown error' }, 'push notice not sent')
        return 'failed'
      }
    },
  }
}

async function loadWebPush(): Promise<typeof webPush> {
  return (await import('web-push')).default
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 404 || status === 410 ? 'ended' : 'failed'
}
