import { createServer, type Server } from 'node:http'
import axe from 'axe-core'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { openBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { at, prepareConta, until } from './ready-conta.ts'

/** The chat in pages of another site, whose policy allows only our origin. */

let product: Product
let browser: Browser
let api: ApiClient
let site: Server
let stranger: Server
let siteUrl = ''
let codigo = ''
const violations: string[] = []

/** A page with the pasted line. `localhost` is another site than `127.0.0.1`, so browsers partition the frame. */
async function serveSite(policy: () => string): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html; charset=utf-8')
    reply.setHeader('content-security-policy', policy())
    reply.end(`<!doctype html><html lang="pt-BR"><title>Loja</title><h1>Loja</h1>${codigo}</html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://localhost:${Object(server.address()).port}` }
}

const chatIn = (page: Page): FrameLocator => page.frameLocator('#balcao-chat')

async function openPage(context: BrowserContext, url = siteUrl): Promise<Page> {
  const page = await context.newPage()
  page.on('console', (line) => {
    if (/content security policy|trusted ?(html|script|type)/i.test(line.text())) violations.push(line.text())
  })
  await page.goto(url)
  return page
}

async function write(page: Page, text: string): Promise<void> {
  await chatIn(page).getByLabel('Mensagem', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

const conversaId = async (): Promise<string> => {
  let id: unknown
  await until(async () => {
    const conversas = at(await api.get('/atendimento/conversas'), 'conversas')
    id = Array.isArray(conversas) ? at(conversas[0], 'id') : undefined
    return typeof id === 'string'
  })
  return String(id)
}

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const { apis } = await prepareConta(product, { menu: { digitando: false } })
  const [first] = apis
  if (first === undefined) throw new Error('login missing')
  api = first
  const linha = String(at(await api.post('/linhas', { nome: 'Site', conector: 'webchat' }), 'linha', 'id'))
  await until(async () => at(await api.get(`/linhas/${linha}/status`), 'status') === 'CONECTADO')
  ;({ server: site, url: siteUrl } = await serveSite(
    () => `default-src 'none'; script-src ${product.url}; frame-src ${product.url}`,
  ))
  ;({ server: stranger } = await serveSite(() => `default-src 'self' ${product.url}`))
  const saved = await api.put(`/linhas/${linha}/webchat`, { origens: [siteUrl], cor: '#7ad3a2' })
  codigo = String(at(saved, 'webchat', 'codigo')).replace(/src="https?:\/\/[^/]+/, `src="${product.url}`)
})

afterAll(async () => {
  site?.close()
  stranger?.close()
  await browser?.close()
  await product?.destroy()
})

test('a visitor writes, the menu answers, a person takes over and a reload loses nothing', async () => {
  const context = await browser.newContext({ locale: 'pt-BR' })
  const page = await openPage(context)
  const chat = chatIn(page)
  await chat.getByRole('button', { name: 'Abrir o chat' }).press('Enter')
  await chat.getByText('Olá! Como podemos ajudar?').waitFor()
  await write(page, 'bom dia')
  await chat.getByText(/Que bom ter você aqui/).waitFor()
  await write(page, 'atendente')
  const id = await conversaId()
  await api.post(`/atendimento/conversas/${id}/mensagem`, { mensagem: 'Aqui é a Ana.' })
  await chat.getByText('Aqui é a Ana.').waitFor()
  await until(async () => JSON.stringify(await api.get(`/atendimento/conversas/${id}`)).includes('"estado":"lida"'))
  await chat.getByLabel('Mensagem', { exact: true }).fill('uma frase pela met')
  await page.reload()
  await chat.getByText('Aqui é a Ana.').waitFor()
  expect(await chat.getByLabel('Mensagem', { exact: true }).inputValue()).toBe('uma frase pela met')
  expect(await chat.getByText('bom dia', { exact: true }).count()).toBe(1)

  const second = await openPage(context)
  await chatIn(second).getByRole('button', { name: 'Abrir o chat' }).click()
  await chatIn(second).getByText('Aqui é a Ana.').waitFor()
  await write(second, 'da segunda aba')
  await chat.getByText('da segunda aba').waitFor()

  await context.setOffline(true)
  await write(page, 'escrita sem rede')
  await chat.getByText('Sem conexão. Suas mensagens serão enviadas quando ela voltar.').waitFor()
  await context.setOffline(false)
  await chatIn(second).getByText('escrita sem rede').waitFor()
  expect(await context.cookies()).toEqual([])

  // A second tab that shows the chat would read the next message.
  await second.close()
  await page.bringToFront()
  await chat.getByRole('button', { name: 'Fechar o chat' }).click()
  await page.reload()
  await chat.getByText('Aqui é a Ana.').waitFor({ state: 'attached' })
  await api.post(`/atendimento/conversas/${id}/mensagem`, { mensagem: 'Volte sempre!' })
  await chat.getByRole('button', { name: 'Abrir o chat: 1 mensagem nova' }).waitFor()
  expect(violations).toEqual([])
  await context.close()
})

test('a visitor uses the chat at 320 px, in both themes, without an axe violation', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ locale: 'pt-BR', colorScheme, viewport: { width: 320, height: 640 } })
    const page = await openPage(context)
    await chatIn(page).getByRole('button', { name: 'Abrir o chat' }).click()
    await write(page, 'oi')
    await chatIn(page)
      .getByText(/Que bom ter você aqui/)
      .waitFor()
    const frame = page.frames().find((one) => one.url().includes('/chat/'))
    await frame?.evaluate(axe.source)
    const found = await frame?.evaluate(async () => {
      const run: unknown = Reflect.get(Object(Reflect.get(window, 'axe')), 'run')
      if (typeof run !== 'function') throw new Error('axe missing')
      const { violations: broken } = await run(document, { resultTypes: ['violations'] })
      const { scrollWidth, clientWidth } = document.documentElement
      return [
        ...broken.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`),
        ...(scrollWidth > clientWidth ? [`${scrollWidth} px wide`] : []),
      ]
    })
    expect(found, colorScheme).toEqual([])
    await page.keyboard.press('Escape')
    await chatIn(page).getByRole('button', { name: 'Abrir o chat' }).waitFor()
    await context.close()
  }
})

test('a site that is not in the list shows no chat', async () => {
  const [, path = ''] = /src="[^"]*(\/chat\/[^/]+)/.exec(codigo) ?? []
  const [script, frame] = await Promise.all([fetch(`${product.url}${path}/chat.js`), fetch(`${product.url}${path}`)])
  expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(frame.headers.get('x-frame-options')).toBeNull()
  expect(frame.headers.get('content-security-policy')).toContain(`;frame-ancestors ${siteUrl};`)
  const context = await browser.newContext({ locale: 'pt-BR' })
  const page = await context.newPage()
  const refused = page.waitForEvent('requestfailed', { predicate: (request) => request.url().endsWith(path) })
  await page.goto(`http://localhost:${Object(stranger.address()).port}`)
  expect((await refused).failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE')
  expect(await chatIn(page).getByRole('button').count()).toBe(0)
  await context.close()
})
