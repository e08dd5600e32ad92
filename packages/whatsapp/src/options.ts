import type { PacerOptions } from '@balcao/connector/pacer'
import type { Fetch } from './outbound/media-server.ts'

export type ProtocolVersion = readonly [number, number, number]

/** Writes a log line. Must contain no message text and no key. */
export type LogFailure = (error: unknown, event: string) => void

export interface ConnectionOptions {
  readonly url: string
  readonly mediaUrl?: string | undefined
  readonly fetchUrl?: Fetch
  readonly logFailure: LogFailure
  /**
   * Reads the protocol version of a line before each connection, for the case that WhatsApp refuses the library's own as
   * too old. Undefined: the library's own. Never rejects.
   */
  readonly version?: (linhaId: string) => Promise<ProtocolVersion | undefined>
  /** How long each QR code is shown. Default of WhatsApp: 60 s for the first, then 20 s. */
  readonly qrMs?: number
  readonly pace?: 'livre' | PacerOptions
  readonly delays?: (attempt: number) => number
  /** A connection that closes sooner does not reset the reconnect delay. */
  readonly stableMs?: number
  readonly ackMs?: number
  readonly ringMs?: number
  readonly missingMs?: number
  readonly retryMs?: number
}

const OFFICIAL_ADDRESS = 'wss://web.whatsapp.com/ws/chat'
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/**
 * The address of the server: WhatsApp's, or a loopback address. The library ignores the result of its certificate
 * check, so TLS to WhatsApp's host is the only proof of identity. Throws on any other address.
 */
export function serverAddress(requested: string | undefined): string {
  return requested === undefined || requested === '' ? OFFICIAL_ADDRESS : requireLoopback(requested, ['ws:', 'wss:'])
}

/** Returns the address; throws if it is not on this machine. */
export function requireLoopback(address: string, protocols: readonly string[]): string {
  const { hostname, protocol } = new URL(address)
  if (!LOOPBACK.has(hostname) || !protocols.includes(protocol)) {
    throw new Error('WHATSAPP_WS_URL só aceita um endereço desta máquina (127.0.0.1, ::1 ou localhost)')
  }
  return address
}
