import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import { MediaRefused } from './errors.ts'
import type { SessionHost } from './port.ts'

const ATTEMPTS = 5
const WAIT_MS = 2_000

/**
 * Stores the file of a message and retries when the store fails. Rejects after the last attempt, and immediately
 * with `MediaRefused`.
 */
export function createStoreMedia(
  { storeMedia }: Pick<SessionHost, 'storeMedia'>,
  report: (error: unknown, event: string) => void,
  waitMs = WAIT_MS,
): SessionHost['storeMedia'] {
  const transient = handleWhen((error) => !(error instanceof MediaRefused))
  const backoff = new ConstantBackoff(waitMs)
  const policy = retry(transient, { maxAttempts: ATTEMPTS - 1, backoff }).dangerouslyUnref()
  policy.onRetry((failure) => report('error' in failure ? failure.error : failure.value, 'media not stored, retrying'))
  return (bytes, name) => policy.execute(() => storeMedia(bytes, name))
}
