import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import { button, setupAtendimento } from './tab.ts'

/** The worker of the panel and the push service of its browser. Without an active worker the browser refuses. */
class FakeRegistration {
  /** True if the panel waits for the worker. */
  watched = false
  readonly #worker = new EventTarget()
  #subscribed = false
  state: ServiceWorkerState = 'installing'

  get installing(): object | null {
    return this.state === 'installing' ? this.#describe() : null
  }

  get active(): object | null {
    return this.state === 'activated' ? this.#describe() : null
  }

  readonly pushManager = {
    getSubscription: () => Promise.resolve(this.#subscribed ? this.#subscription() : null),
    subscribe: () => {
      if (this.active === null) return Promise.reject(new DOMException('no active Service Worker', 'AbortError'))
      this.#subscribed = true
      return Promise.resolve(this.#subscription())
    },
  }

  become(state: ServiceWorkerState): void {
    this.state = state
    this.#worker.dispatchEvent(new Event('statechange'))
  }

  readonly #describe = (): object => {
    const addEventListener = (name: string, listener: () => void): void => {
      this.watched = true
      this.#worker.addEventListener(name, listener)
    }
    const read = (): ServiceWorkerState => this.state
    return Object.defineProperty({ addEventListener }, 'state', { get: read })
  }

  readonly #subscription = (): object => ({
    endpoint: 'https://push.exemplo/aparelho',
    options: { applicationServerKey: null },
    getKey: () => new ArrayBuffer(4),
    unsubscribe: () => {
      this.#subscribed = false
      return Promise.resolve(true)
    },
  })
}

const SUBSCRIBE = 'POST /push/inscricoes'
const open = setupAtendimento()
const control = page.getByRole('switch', { name: /^Avisar com o painel fechado/ })

describe('Notices on the device', () => {
  const { serviceWorker } = navigator
  const { Notification: original } = window
  let registration: FakeRegistration

  beforeEach(() => {
    registration = new FakeRegistration()
    const allowed = { permission: 'granted', requestPermission: () => Promise.resolve('granted') }
    Object.defineProperty(window, 'Notification', { value: allowed, configurable: true })
    const getRegistration = (): Promise<FakeRegistration> => Promise.resolve(registration)
    Object.defineProperty(serviceWorker, 'getRegistration', { value: getRegistration, configurable: true })
  })
  afterEach(() => {
    Object.defineProperty(window, 'Notification', { value: original, configurable: true })
    Reflect.deleteProperty(serviceWorker, 'getRegistration')
  })

  const openSettings = async () => {
    const { api } = open()
    api.on('GET /push/chave', () => ok({ chavePublica: 'AAAA' }))
    api.on(SUBSCRIBE, () => ({ status: 201, body: { id: 'i1' } }))
    api.on('GET /push/preferencias', () => ok({}))
    await button('Opções de notificação').click()
    return { subscriptions: () => api.calls.filter(({ route }) => route === SUBSCRIBE).length }
  }

  it('subscribes when the worker that still installs is active', async () => {
    const { subscriptions } = await openSettings()
    await control.click()
    await expect.poll(() => registration.watched).toBe(true)
    registration.become('activated')
    await expect.element(button('Enviar aviso de teste')).toBeVisible()
    expect(subscriptions()).toBe(1)
  })

  it('ends at the logout and returns with the next login of the person', async () => {
    const { subscriptions } = await openSettings()
    registration.become('activated')
    await control.click()
    await expect.element(button('Enviar aviso de teste')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()
    await button('Sair').click()
    await expect.poll(() => registration.pushManager.getSubscription()).toBeNull()

    const again = await openSettings()
    await expect.poll(again.subscriptions).toBe(1)
    await expect.poll(() => registration.pushManager.getSubscription()).not.toBeNull()
    expect(subscriptions()).toBe(1)
  })

  it('shows a failure when the worker is not installed', async () => {
    const { subscriptions } = await openSettings()
    await control.click()
    await expect.poll(() => registration.watched).toBe(true)
    registration.become('redundant')
    await expect.element(page.getByText(/^Não foi possível mudar os avisos/)).toBeVisible()
    await expect.element(control).not.toBeChecked()
    expect(subscriptions()).toBe(0)
  })
})
