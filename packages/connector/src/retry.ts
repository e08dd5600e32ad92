import { ConstantBackoff, handleAll, retry } from 'cockatiel'

export interface RetryOptions {
  /** Aborted when the session closes. A step that waits for its next attempt then fails without running again. */
  readonly closed: AbortSignal
  readonly waitMs: number
  /** Attempts in total. Default: until the session closes. */
  readonly attempts?: number
  /** Called before each wait with the error of the failed attempt. */
  readonly onRetry: (error: unknown) => void
}

/**
 * Returns a function that runs a step until it succeeds. Rejects with the last error after `attempts`, or with the
 * abort reason when the session is closed. Its timers do not keep the process alive.
 */
export function retryUntilClosed(options: RetryOptions): <T>(step: () => Promise<T>) => Promise<T> {
  const { closed, waitMs, attempts = Infinity, onRetry } = options
  const backoff = new ConstantBackoff(waitMs)
  const policy = retry(handleAll, { maxAttempts: attempts - 1, backoff }).dangerouslyUnref()
  policy.onRetry((failure) => onRetry('error' in failure ? failure.error : failure.value))
  return (step) =>
    policy.execute(() => {
      closed.throwIfAborted()
      return step()
    }, closed)
}
