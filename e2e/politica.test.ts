import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, openBrowser } from './browser.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

/** The content security policy in a real browser: no screen violates it, and injected text cannot run as a program. */

let product: Product
let browser: Browser
let page: Page
const quebras: string[] = []

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  await context.exposeFunction('anotarQuebra', (quebra: string) => void quebras.push(quebra))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      const record: unknown = Reflect.get(window, 'anotarQuebra')
      if (typeof record === 'function') record(`${location.pathname}: ${effectiveDirective} ${blockedURI} ${sample}`)
    })
  })
  page = await context.newPage()
  // Violations before the listener is registered appear only in the console.
  page.on('console', (line) => {
    if (/content security policy|trusted ?(html|script|type)/i.test(line.text())) quebras.push(line.text())
  })
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const PUBLICAS = ['/', '/login', '/register', '/forgot-password', '/terms', '/privacy', '/ajuda']
const ABAS = ['geral', 'atendimento', 'mensagens', 'ia', 'loja', 'logs', 'contatos']
const TELAS = ['dashboard', 'usuarios', 'auditoria', 'sistema', 'configuracoes']

test('a usuario opens every screen without a violation of the policy', async () => {
  for (const path of PUBLICAS) {
    await page.goto(`${product.url}${path}`)
    await page.getByRole('heading').first().waitFor()
  }
  await logIn(page, product.url, ADMIN)
  await page.waitForURL('**/admin*')
  const logadas = [
    ...ABAS.map((aba) => `/dashboard?aba=${aba}`),
    ...TELAS.map((screen) => `/admin?aba=${screen}`),
    '/simulador',
    '/conta',
    '/seguranca',
  ]
  for (const path of logadas) {
    await page.goto(`${product.url}${path}`)
    await page.locator('main, h1, h2').filter({ hasText: /\w/ }).first().waitFor()
  }
  // The policy allows one script to become the service worker.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toBe(
    `${product.url}/sw.js`,
  )
  expect(quebras).toEqual([])
})

test('a visitor of an unknown address reaches the landing page', async () => {
  await page.goto(`${product.url}/painel/antigo`)
  expect(page.url()).toBe(`${product.url}/`)
  await page.goto(`${product.url}/terms`)
  await page.getByRole('heading').first().waitFor()
  await page.evaluate(() => {
    history.pushState(null, '', '/painel/antigo')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await page.waitForURL(`${product.url}/`)
})

test('an attacker cannot turn text into markup, a script or a worker', async () => {
  const attempt = async (ataque: () => unknown): Promise<string> =>
    page.evaluate(ataque).then(
      () => 'passou',
      () => 'barrado',
    )
  expect(
    await Promise.all([
      attempt(() => (document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>')),
      attempt(() => document.body.insertAdjacentHTML('beforeend', '<b>oi</b>')),
      attempt(() => Object.assign(document.createElement('script'), { src: '/api/imagens/x' })),
      attempt(() => Object.assign(document.createElement('script'), { text: 'alert(1)' })),
      attempt(() => navigator.serviceWorker.register('/imagens/sw.js')),
      attempt(() => Reflect.construct(Worker, ['/imagens/x.js'])),
    ]),
  ).toEqual(Array.from({ length: 6 }, () => 'barrado'))
  await expect.poll(() => quebras.length).toBeGreaterThan(0)
})
