import '../src/app/styles.css'
import './dashboard/fake-socket.ts'
import { onlineManager } from '@tanstack/react-query'
import toast from 'react-hot-toast/headless'
import { afterAll, afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { clearSession } from '#shared/storage.ts'

document.documentElement.lang = 'pt-BR'

// Notices do not expire: their timers run on while a busy machine delays a test.
const { custom } = toast
toast.custom = (text, opcoes) => custom(text, { ...opcoes, duration: Infinity })
// Notices that stay let clicks through to the controls below.
const clickThroughStyle = document.createElement('style')
clickThroughStyle.textContent =
  '[aria-label=Avisos], [aria-label=Avisos] > * { pointer-events: none } [aria-label=Avisos] button { pointer-events: auto }'
document.head.append(clickThroughStyle)

// Idle callbacks run immediately: on a busy machine they would run in the middle of a test.
window.requestIdleCallback = (run) => window.setTimeout(run, 0, { didTimeout: false, timeRemaining: () => 50 })

/**
 * Returns the page to its first state after each test. All test files of a lane run in one page, with one copy of the
 * panel's modules.
 */
async function resetPage(): Promise<void> {
  vi.useRealTimers()
  vi.restoreAllMocks()
  // The modules of the panel clear their state as on a logout.
  clearSession()
  localStorage.clear()
  sessionStorage.clear()
  // A query client that is unmounted while offline misses the event `online`.
  onlineManager.setOnline(true)
  // Each router of the panel wraps these functions; without their own property the browser's ones apply again.
  Reflect.deleteProperty(history, 'pushState')
  Reflect.deleteProperty(history, 'replaceState')
  document.title = 'Balcão'
  document.documentElement.dataset['theme'] = 'light'
  if (innerWidth !== 1366 || innerHeight !== 800) await page.viewport(1366, 800)
}
afterEach(resetPage)

// The next file adds its own.
afterAll(() => {
  toast.custom = custom
  clickThroughStyle.remove()
})
