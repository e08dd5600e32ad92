import './patches/index.ts'
import type { Connector, SessionHost } from '@balcao/connector/port'
import { Connection } from './connection.ts'
import { type ConnectionOptions, requireLoopback, serverAddress } from './options.ts'

export type WhatsappConnector = Required<Connector>

export interface WhatsappOptions extends Omit<ConnectionOptions, 'url'> {
  /** Replaces WhatsApp's server. Only loopback addresses are accepted. */
  readonly url?: string | undefined
}

/** Creates connections to WhatsApp Web without a browser. Throws if an address is not allowed. */
export function createWhatsapp({
  url,
  mediaUrl,
  ...options
}: WhatsappOptions): (host: SessionHost) => WhatsappConnector {
  const server = serverAddress(url)
  const mediaServer = mediaUrl === undefined ? undefined : requireLoopback(mediaUrl, ['http:'])
  // A server on this machine bans no numbers, so tests run without pacing.
  const pace = options.pace ?? (server === serverAddress(undefined) ? {} : 'livre')
  return (host) => new Connection(host, { ...options, pace, url: server, mediaUrl: mediaServer })
}
