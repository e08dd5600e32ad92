export interface Ids {
  /** UUIDv7, strictly increasing within this process. */
  readonly uuid: () => string
  /** UUIDv7 greater than `last`, even when the clock of this process is behind the one that made `last`. */
  readonly uuidAfter: (last: string | null) => string
  /** 32 random bytes in base64url, for login sessions and password resets. */
  readonly token: () => string
}
