import { isIP } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type webPush from 'web-push'
import { networkTypeOf } from '#adapters/outbound/networks.ts'
import { createOutbound, LOOPBACK_HOSTS } from '#adapters/outbound/outbound.ts'
import type { PushOutcome, PushSender } from '#ports/push/sender.ts'

const ANSWER_MAX_BYTES = 64 * 1024
/** The push service keeps a notice for a phone without a connection. */
const TTL_S = 4 * 3_600
/** Push services require a contact. Without an https address of the panel there is none. */
const CONTACT = 'mailto:avisos@balcao.local'

interface PushSenderOptions {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly urlPublica: string
  /** Tests only: also push services on this machine. */
  readonly loopback: boolean
}

export function createPushSender({ log, urlPublica, loopback }: PushSenderOptions): PushSender {
  const outbound = createOutbound({ fixedOrigins: [], anyHttps: true, loopback, maxBytes: ANSWER_MAX_BYTES })
  const subject = urlPublica.startsWith('https://') ? urlPublica : CONTACT
  return {
    makeKeys: async () => (await loadWebPush()).generateVAPIDKeys(),
    mayDeliver: (endpoint) => URL.canParse(endpoint) && isAllowed(new URL(endpoint), loopback),
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

/** Loaded with the first notice, which keeps the start fast. */
async function loadWebPush(): Promise<typeof webPush> {
  return (await import('web-push')).default
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 404 || status === 410 ? 'ended' : 'failed'
}

/** Names that only a local network resolves. */
const LOCAL_NAME = /^[^.]*$|\.(?:local|localhost|internal|lan|home|intranet)$/

function isAllowed({ protocol, hostname, port, username, password }: URL, loopback: boolean): boolean {
  if (username !== '' || password !== '') return false
  if (LOOPBACK_HOSTS.has(hostname)) return loopback
  if (protocol !== 'https:' || port !== '') return false
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? !LOCAL_NAME.test(hostname.replace(/\.$/, '')) : networkTypeOf(address) === 'internet'
}
