/** The pair of keys with which this installation signs, base64url. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

export interface PushDestination {
  readonly endpoint: string
  /** Public key of the browser, base64url. */
  readonly p256dh: string
  /** Shared secret, base64url. */
  readonly auth: string
}

/** `ended`: the push service does not know the browser any more. `failed`: try again later. */
export type PushOutcome = 'delivered' | 'ended' | 'failed'

export interface PushSender {
  readonly makeKeys: () => Promise<VapidKeys>
  /** True for addresses of the known push services and of those that the administrator named. */
  readonly mayDeliver: (endpoint: string) => boolean
  /** Encrypts the text for the browser and sends it. Never throws. */
  readonly send: (destination: PushDestination, text: string, keys: VapidKeys) => Promise<PushOutcome>
}
