import type { AvisoPush } from '@balcao/contract/entities/push'
import type { BrowserContext, CDPSession } from 'playwright-core'
import { until } from './ready-conta.ts'

/**
 * Push in a browser that reaches no vendor. The panel subscribes at a push service of the test, and Chromium delivers the
 * decrypted notices to the real service worker.
 */

interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** Replaces the vendor's part of the Push API. A reload keeps the subscription, as in a browser. */
export async function simulatePush(context: BrowserContext, subscription: Subscription): Promise<void> {
  await context.addInitScript(({ endpoint, keys }) => {
    const STORED = 'push-do-teste'
    const bytes = (text: string): ArrayBuffer =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0) ?? 0)
        .buffer
    const read = (): object | null => {
      const key = localStorage.getItem(STORED)
      if (key === null) return null
      return {
        endpoint,
        options: { userVisibleOnly: true, applicationServerKey: bytes(key) },
        getKey: (name: 'p256dh' | 'auth') => bytes(keys[name]),
        unsubscribe: () => {
          localStorage.removeItem(STORED)
          return Promise.resolve(true)
        },
      }
    }
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(read()),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        const { active = null } = (await navigator.serviceWorker.getRegistration()) ?? {}
        if (active === null) throw new DOMException('Subscription failed - no active Service Worker', 'AbortError')
        localStorage.setItem(STORED, applicationServerKey)
        return read()
      },
    })
  }, subscription)
}

/** The service worker of a browser, reached like its push vendor does, also while no panel is open. */
export interface PushBrowser {
  /**
   * Resolves when the worker has handled the push. Chromium deletes a notification that is stored and not yet displayed
   * during a read of the list.
   */
  readonly deliver: (notice: AvisoPush) => Promise<void>
  readonly notifications: () => Promise<readonly ShownNotice[]>
  /** Clicks a notification. Returns the address that the worker opens in a new window, if it opens one. */
  readonly click: (tag: string) => Promise<string | null>
}

interface ShownNotice {
  readonly title: string
  readonly body: string
  readonly tag: string
}

/** These run in the service worker. */
const COUNT_HANDLED = `(() => {
  const { waitUntil } = ExtendableEvent.prototype
  self.handledPushes = 0
  ExtendableEvent.prototype.waitUntil = function (work) {
    waitUntil.call(this, work)
    if (this.type === 'push') work.finally(() => (self.handledPushes += 1))
  }
})()`
const HANDLED = 'self.handledPushes'
const LIST = `registration.getNotifications().then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`

/** The browser allows a worker to open and focus windows only for a real click, so the test records the address. */
const CLICK = `(async (tag) => {
  const [notification] = await registration.getNotifications({ tag })
  const click = new NotificationEvent('notificationclick', { notification })
  let opened = null
  let done
  clients.openWindow = async (address) => void (opened = address)
  click.waitUntil = (work) => void (done = work.catch(() => undefined))
  dispatchEvent(click)
  await done
  return opened
})`

export async function openPushBrowser(context: BrowserContext, url: string): Promise<PushBrowser> {
  // An empty page keeps the browser open and is no window of the panel.
  const cdp = await context.newCDPSession(await context.newPage())
  const registrationId = await findRegistration(cdp, url)
  const run = async <T>(expression: string): Promise<T> => {
    const worker = context.serviceWorkers().find((one) => one.url() === `${url}/sw.js`)
    if (worker === undefined) throw new Error('service worker missing')
    return worker.evaluate<T>(expression)
  }
  await run(COUNT_HANDLED)
  return {
    deliver: async (notice) => {
      const before = await run<number>(HANDLED)
      const data = JSON.stringify(notice)
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data })
      await until(async () => (await run<number>(HANDLED)) > before)
    },
    notifications: () => run<ShownNotice[]>(LIST),
    click: (tag) => run<string | null>(`${CLICK}(${JSON.stringify(tag)})`),
  }
}

/** Waits for an active worker: a push before that is lost. */
async function findRegistration(cdp: CDPSession, url: string): Promise<string> {
  let id: string | undefined
  cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    id ??= versions.find(
      ({ scriptURL, status }) => scriptURL === `${url}/sw.js` && status === 'activated',
    )?.registrationId
  })
  await cdp.send('ServiceWorker.enable')
  await until(() => id !== undefined)
  return id ?? ''
}
