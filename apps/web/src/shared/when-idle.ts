const TIMEOUT_MS = 2_000
const FALLBACK_MS = 300

/** Resolves when the browser is idle, after 2 s at most. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: TIMEOUT_MS })
    else setTimeout(resolve, FALLBACK_MS)
  })
}
