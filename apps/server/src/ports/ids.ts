export interface Ids {
  /** UUIDv7, strictly increasing within this process. */
  readonly uuid: () => string
  /** 32 random bytes in base64url, for login sessions and password resets. */
  readonly token: () => string
}
