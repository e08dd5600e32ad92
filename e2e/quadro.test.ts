import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { loginToApi } from './ready-conta.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

/** The frame of the panel, which `app.html` shows before any script file arrives. */

const WINDOWS = [
  { width: 1366, aba: 'mensagens', title: 'Mensagens' },
  // The menu is folded.
  { width: 1366, aba: 'atendimento', title: 'Atendimento' },
  { width: 360, aba: 'mensagens', title: 'Mensagens' },
]
const FILES = '**/assets/*.js'

let product: Product
let browser: Browser
let session: { readonly token: string; readonly user: string }

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const { api, token } = await loginToApi(product.url, ADMIN.email, ADMIN.senha)
  const answer = await api.get('/auth/eu')
  session = { token, user: JSON.stringify(Reflect.get(Object(answer), 'usuario')) }
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

interface Visit {
  readonly viewport: { readonly width: number; readonly height: number }
  readonly tipo?: string
}

/** A window with a session, without the service worker, which would bring the script files from its cache. */
async function openWindow({ viewport, tipo }: Visit): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport, serviceWorkers: 'block', colorScheme: 'dark' })
  const user = tipo === undefined ? session.user : JSON.stringify({ ...JSON.parse(session.user), tipo })
  await context.addInitScript(
    (stored) => {
      localStorage.setItem('token', stored.token)
      localStorage.setItem('user', stored.user)
    },
    { token: session.token, user },
  )
  return context.newPage()
}

/** Title, purpose and visible links of the frame or of the panel, each with its position. */
function look(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('h1, p[data-aba], nav a[href*="aba="]')].flatMap((element) => {
      const { left, top, width } = element.getBoundingClientRect()
      const current = element.getAttribute('aria-current') === 'page' ? ' (current)' : ''
      const visible = width > 0 && left >= 0
      return visible ? [`${element.textContent}${current} ${Math.round(left)} ${Math.round(top)}`] : []
    }),
  )
}

test.each(WINDOWS)(
  'a usuario sees the frame without scripts, and the panel in its place: $aba at $width px',
  async ({ width, aba, title }) => {
    const page = await openWindow({ viewport: { width, height: 740 } })
    await page.route(FILES, (route) => route.abort())
    await page.goto(`${product.url}/dashboard?aba=${aba}`)
    const frame = page.locator('#quadro')
    expect(await frame.isVisible()).toBe(true)
    expect(await frame.locator('h1').textContent()).toBe(title)
    // Screen readers and the keyboard skip the frame.
    expect(await frame.getAttribute('inert')).not.toBeNull()
    await page.keyboard.press('Tab')
    expect(await frame.locator(':focus').count()).toBe(0)
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toContain('Figtree')
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    const before = await look(page)
    // A phone has four tabs and a button for the others. The inbox has no room for a purpose.
    expect(before).toHaveLength((width < 1024 ? 5 : 8) + (aba === 'atendimento' ? 0 : 1))
    expect(before.filter((line) => line.includes('(current)'))).toHaveLength(1)

    await page.unroute(FILES)
    await page.reload()
    await frame.waitFor({ state: 'detached' })
    expect(await look(page)).toEqual(before)
    await page.context().close()
  },
)

test('an operador sees no tabs in the frame', async () => {
  const page = await openWindow({ viewport: { width: 1366, height: 800 }, tipo: 'operador' })
  await page.route(FILES, (route) => route.abort())
  await page.goto(`${product.url}/dashboard`)
  expect(await page.locator('#quadro').isVisible()).toBe(true)
  expect(await page.locator('#quadro h1').textContent()).toBe('Atendimento')
  expect(await page.locator('#quadro a[href*="aba="], #quadro li:empty, #quadro nav:empty').count()).toBe(0)
  await page.goto(`${product.url}/dashboard?aba=pedidos`)
  expect(await page.locator('#quadro h1').textContent()).toBe('Pedidos')
  expect(await page.locator('#quadro p[data-aba]').allTextContents()).toEqual([
    'Acompanhar os pedidos dos clientes, do preparo à entrega.',
  ])
  await page.context().close()
})

test('a visitor without a session sees no frame', async () => {
  const page = await browser.newPage({ serviceWorkers: 'block' })
  await page.goto(`${product.url}/dashboard`)
  await page.waitForURL('**/login*')
  expect(await page.locator('#quadro').count()).toBe(0)
  await page.close()
})

test('an expired session leaves the frame for the login', async () => {
  const page = await openWindow({ viewport: { width: 1366, height: 800 } })
  await page.addInitScript(() => localStorage.setItem('token', 'vencido'))
  await page.goto(`${product.url}/dashboard`)
  await page.getByLabel('E-mail').waitFor()
  expect(await page.locator('#quadro').count()).toBe(0)
  await page.context().close()
})

test('a visitor with slow scripts keeps the replies of the first requests', async () => {
  const page = await openWindow({ viewport: { width: 1366, height: 800 } })
  // The timeout of the first requests ends with the event `late`.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => {
      const timeout = new AbortController()
      addEventListener('late', () => timeout.abort(new DOMException('late', 'TimeoutError')))
      return timeout.signal
    }
  })
  const sent: string[] = []
  page.on('request', (request) => void sent.push(new URL(request.url()).pathname))
  const scripts = Promise.withResolvers<void>()
  await page.route(FILES, async (route) => {
    await scripts.promise
    await route.continue()
  })
  const config = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/api/config'))
  await page.goto(`${product.url}/dashboard`, { waitUntil: 'commit' })
  await config
  await page.evaluate(() => dispatchEvent(new Event('late')))
  scripts.resolve()
  await page.getByText('Configuração carregada').first().waitFor()
  expect(sent.filter((path) => path === '/api/config')).toHaveLength(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().close()
})
