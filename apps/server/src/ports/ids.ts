/** The only source of chance. */
export interface Ids {
  /** A UUIDv7: time-ordered and, within this process, strictly increasing. */
  readonly uuid: () => string
  /** 32 random bytes in base64url: session and reset tokens. */
  readonly token: () => string
}
