const IDLE_TIMEOUT_MS = 2_000
const TIMEOUT_MS = 4_000
const FALLBACK_MS = 300

const screenLoads = new Set<Promise<unknown>>()
/** Requests of the previous person's screens must not delay the next person's socket. */
addEventListener('saiu', () => screenLoads.clear())

/** Marks a request or a file as part of the screen on show: `whenIdle` waits for it. Returns `load`. */
export function beforeIdle<T>(load: Promise<T>): Promise<T> {
  const end = (): void => void screenLoads.delete(load)
  screenLoads.add(load)
  load.then(end, end)
  return load
}

/**
 * Resolves when the screen has loaded and the browser is idle, after about 4 s at most. A browser that only waits for
 * the network is idle too: without the first condition, background parts take the line from the screen.
 */
export async function whenIdle(): Promise<void> {
  await Promise.race([screenLoaded(), new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))])
}

async function screenLoaded(): Promise<void> {
  await browserIdle()
  while (screenLoads.size > 0) {
    await Promise.allSettled(screenLoads)
    await browserIdle()
  }
}

function browserIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS })
    else setTimeout(resolve, FALLBACK_MS)
  })
}
