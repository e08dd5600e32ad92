/**
 * The message was not sent and may be retried. People read the text of `SendFailed`, `SendRefused` and
 * `SendDeferred`, so it is Portuguese.
 */
export class SendFailed extends Error {}

/** The service refused permanently: unknown number, refused content. */
export class SendRefused extends Error {}

/** The product does not accept this file: too large or of an unknown type. */
export class MediaRefused extends Error {}

/** The service asks to wait. Does not count as an attempt. */
export class SendDeferred extends Error {
  readonly waitMs: number

  constructor(reason: string, waitMs: number) {
    super(reason)
    this.waitMs = waitMs
  }
}
