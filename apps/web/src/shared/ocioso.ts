const NO_MAXIMO_MS = 2_000
const SEM_SABER_MS = 300

/** Resolves when the page has nothing more urgent to do, in two seconds at the latest. What comes then is in nobody's way. */
export function ocioso(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: NO_MAXIMO_MS })
    else setTimeout(resolve, SEM_SABER_MS)
  })
}
