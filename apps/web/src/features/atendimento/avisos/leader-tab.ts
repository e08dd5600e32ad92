/**
 * With several browser tabs open, exactly one shows each notice. The focused tab waits least, then visible, then
 * hidden tabs.
 * A Web Lock per notice decides the race.
 */

const VISIBLE_WAIT_MS = 80
const HIDDEN_WAIT_MS = 400
/** A tab delayed by throttling still finds the notice claimed for this long. */
const CLAIM_MS = 10_000

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('balcao-avisos')
const claimed = new Set<string>()
/** The next person in this tab claims the notices again. */
addEventListener('saiu', () => claimed.clear())
channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (typeof data === 'string') rememberClaim(data)
})

function rememberClaim(key: string): void {
  claimed.add(key)
  setTimeout(() => claimed.delete(key), CLAIM_MS)
}

function ownWait(): number {
  if (document.visibilityState !== 'visible') return HIDDEN_WAIT_MS
  return document.hasFocus() ? 0 : VISIBLE_WAIT_MS
}

function claimEnd(): Promise<void> {
  return new Promise((resolve) => {
    const timeout = AbortSignal.timeout(CLAIM_MS)
    const end = (): void => resolve()
    timeout.addEventListener('abort', end)
    addEventListener('saiu', end, { once: true, signal: timeout })
  })
}

async function acquireLock(key: string): Promise<boolean> {
  // Without a secure context there are no Web Locks: only the BroadcastChannel prevents duplicates.
  if (!('locks' in navigator)) return true
  return new Promise((resolve) => {
    void navigator.locks.request(`aviso:${key}`, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null)
      if (lock !== null) await claimEnd()
    })
  })
}

/** Resolves to true in exactly one browser tab per notice. */
export async function claimNotice(key: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, ownWait()))
  if (claimed.has(key) || !(await acquireLock(key))) return false
  rememberClaim(key)
  channel?.postMessage(key)
  return true
}
