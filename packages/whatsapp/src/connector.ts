import './patches/index.ts'
import type { SessionHost, Connector } from '@balcao/connector/port'
import { serverAddress, requireLoopback } from './socket/server-address.ts'
import { createConnection, type ConnectionOptions } from './connection.ts'

export type WhatsappConnector = Required<Connector>

export interface WhatsappOptions extends Omit<ConnectionOptions, 'url'> {
  /** Replaces WhatsApp's server. Only loopback addresses are accepted. */
  readonly url?: string | undefined
}

/** Creates connections to WhatsApp Web without a browser. Throws if an address is not allowed. */
export function createWhatsapp({ url, mediaUrl, ...opcoes }: WhatsappOptions): (host: SessionHost) => WhatsappConnector {
  const destination = serverAddress(url)
  const arquivos = mediaUrl === undefined ? undefined : requireLoopback(mediaUrl, ['http:'])
  // A server on this machine bans no numbers, so tests run without pacing.
  const pacer = opcoes.pace ?? (destination === serverAddress(undefined) ? {} : 'livre')
  return (host) => createConnection(host, { ...opcoes, pace: pacer, url: destination, mediaUrl: arquivos })
}
