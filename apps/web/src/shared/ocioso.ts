const NO_MAXIMO_MS = 2_000
const SEM_SABER_MS = 300

/** Resolves when the browser is idle, after 2 s at most. */
export function ocioso(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: NO_MAXIMO_MS })
    else setTimeout(resolve, SEM_SABER_MS)
  })
}
