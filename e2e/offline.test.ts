import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openLoggedIn } from './browser.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  page = await openLoggedIn(context, product.url, ADMIN)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const semServidor = (): Promise<boolean> => page.getByText('Sem conexão com o servidor.').isVisible()
const online = (): Promise<boolean> => page.getByText('Online', { exact: true }).first().isVisible()

function guardados(): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (nome) => (await caches.open(nome)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
}

test('the browser gets service worker, manifest and icon with the right headers', async () => {
  const [worker, manifesto, icon] = await Promise.all(
    ['/sw.js', '/manifest.webmanifest', '/icone-512.png'].map((path) => fetch(`${product.url}${path}`)),
  )
  expect(worker?.headers.get('cache-control')).toBe('no-cache')
  expect(worker?.headers.get('content-type')).toContain('javascript')
  expect(manifesto?.headers.get('content-type')).toContain('manifest+json')
  expect(icon?.headers.get('content-type')).toBe('image/png')
  expect(await manifesto?.json()).toMatchObject({ name: 'Balcão', start_url: '/dashboard', display: 'standalone' })
})

test('a usuario opens the panel without the server and continues when the server returns', async () => {
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await expect.poll(online).toBe(true)
  // Once the worker is active and controls the page, the server may stop.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller !== null) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
  const before = await guardados()
  expect(before).toContain('/app.html')
  // The worker caches every part of the panel, also those that this page did not load.
  expect(before.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(60)

  expect(await product.stop()).toBe(0)
  await page.reload()
  await expect.poll(() => page.getByRole('heading', { name: 'Configurações Gerais' }).isVisible()).toBe(true)
  await expect.poll(semServidor).toBe(true)
  // Parts that were never opened, typed addresses and the help also come from the worker.
  await page.goto(`${product.url}/ajuda/o-que-fazer-quando`)
  await expect.poll(() => page.getByRole('heading', { level: 1, name: 'O que fazer quando…' }).isVisible()).toBe(true)
  await page.goto(`${product.url}/`)
  await page.waitForURL('**/dashboard')

  await product.start()
  await expect.poll(online).toBe(true)
  await expect.poll(semServidor).toBe(false)
  await page.reload()
  await expect.poll(() => page.getByText('Configuração carregada').first().isVisible()).toBe(true)

  const after = await guardados()
  expect(after.toSorted()).toEqual(before.toSorted())
  const daApi = /^\/(api|socket\.io|imagens|midias)/
  expect(after.filter((path) => daApi.test(path))).toEqual([])
})
