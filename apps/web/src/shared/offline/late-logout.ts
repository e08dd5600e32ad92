import { logoutTardioRoute } from '@balcao/contract/routes/sessoes'
import { ApiError, call } from '#shared/api-client.ts'
import { PENDING_LOGOUTS } from '#shared/storage.ts'

/**
 * The part of a logout that may need the network later. The browser keeps the hash of the token, which ends the session
 * and opens none, until the server answered.
 */

const RETRY_MS = 30_000
const TOO_MANY = 429

const readPending = (): string[] => (localStorage.getItem(PENDING_LOGOUTS) ?? '').split(' ').filter((one) => one !== '')

function change(edit: (pending: string[]) => string[]): void {
  const pending = edit(readPending())
  if (pending.length === 0) localStorage.removeItem(PENDING_LOGOUTS)
  else localStorage.setItem(PENDING_LOGOUTS, pending.join(' '))
}

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The browser receives no notice, even if the server does not know of the logout. The next login subscribes again. */
async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

const isSettled = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => true,
    (error: unknown) =>
      error instanceof ApiError && error.status !== 0 && error.status !== TOO_MANY && error.status < 500,
  )

/** `logout` is the request of the logout, which has left. */
export async function finishLogout(token: string, logout: Promise<unknown>): Promise<void> {
  void unsubscribe().catch(() => undefined)
  const settled = isSettled(logout)
  // Browsers hash only over HTTPS and on localhost.
  if (!isSecureContext) return
  const hash = await hashOf(token)
  // Before the answer, because the person may close the browser.
  change((pending) => [...pending, hash])
  if (await settled) change((pending) => pending.filter((one) => one !== hash))
  else wait()
}

let timer: ReturnType<typeof setTimeout> | undefined
const wait = (): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void repeatLogouts(), RETRY_MS)
}
addEventListener('online', () => void repeatLogouts())

export async function repeatLogouts(): Promise<void> {
  for (const hash of readPending()) {
    const settled = isSettled(call(logoutTardioRoute, { body: { sessao: hash } }))
    if (await settled) change((pending) => pending.filter((one) => one !== hash))
  }
  if (readPending().length > 0) wait()
}
