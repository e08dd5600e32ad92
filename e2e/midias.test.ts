import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { logIn, openBrowser, drawPicture } from './browser.ts'
import { prepareContaWithBot, at, DONA, until } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/** Pictures, recordings and documents between customer and operator, opened by a real browser. */

let product: Product
let browser: Browser
let api: ApiClient
let page: Page
let log: Locator

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const { apis } = await prepareContaWithBot(product, { menu: { digitando: false } })
  const [first] = apis
  if (first === undefined) throw new Error('login missing')
  api = first
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  page = await context.newPage()
  await logIn(page, product.url, DONA)
  await page.waitForURL('**/dashboard*')
  await page.goto(`${product.url}/simulador`)
  log = page.getByRole('log')
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

/** Records audio in the browser, as an operator does. Null if the browser does not support the format. */
async function umaGravacao(tipo: string): Promise<Buffer | null> {
  const bytes = await page.evaluate(async (mimeType) => {
    if (!MediaRecorder.isTypeSupported(mimeType)) return null
    const context = new AudioContext()
    const destination = context.createMediaStreamDestination()
    const tom = context.createOscillator()
    tom.connect(destination)
    tom.start()
    const recorder = new MediaRecorder(destination.stream, { mimeType })
    const parts: Blob[] = []
    const ready = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.addEventListener('dataavailable', ({ data }) => {
      parts.push(data)
      if (parts.length > 2 && recorder.state === 'recording') recorder.stop()
    })
    recorder.start(400)
    await ready
    await context.close()
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  }, tipo)
  return bytes === null ? null : Buffer.from(bytes)
}

async function anexa(nome: string, mimeType: string, bytes: Buffer, text = ''): Promise<void> {
  await page.getByLabel('Arquivo', { exact: true }).setInputFiles({ name: nome, mimeType, buffer: bytes })
  await page.getByLabel('Mensagem', { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
}

async function operadorManda(conversaId: string, nome: string, bytes: Buffer): Promise<unknown> {
  return page.evaluate(
    async ({ id, arquivo, dados }) => {
      const form = new FormData()
      form.set('arquivo', new Blob([new Uint8Array(dados)]), arquivo)
      const reply = await fetch(`/api/atendimento/conversas/${id}/midia`, {
        method: 'POST',
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
        body: form,
      })
      return reply.json()
    },
    { id: conversaId, arquivo: nome, dados: [...bytes] },
  )
}

let conversaId = ''

test('a customer sends a picture, and the browser shows the stored copy', async () => {
  await anexa('bolo.jpg', 'image/jpeg', await drawPicture(page, 320, 200), 'Fazem deste?')
  const image = log.getByRole('img', { name: 'Imagem enviada' })
  await expect.poll(() => image.getAttribute('src')).toMatch(/^\/api\/midias\/[0-9a-f]{32}\.jpg\?e=\d+&a=/)
  await expect.poll(() => image.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth)).toBe(320)
  await log.getByRole('button', { name: 'Ampliar: imagem enviada' }).click()
  await page.getByRole('dialog').getByText('Fazem deste?').waitFor()
  await page.keyboard.press('Escape')
})

test('a customer sends a refused file type and reads the reason at the message', async () => {
  await anexa('foto.png', 'image/png', Buffer.from('<svg onload="alert(1)"/>'))
  await log
    .getByRole('alert')
    .getByText(/Este tipo de arquivo não é aceito/)
    .waitFor()
})

test('an operator sends a recording that shows its length and plays on the phone', async () => {
  await api.post('/simulador/mensagens', { telefone: '11912345678', nome: 'Marina Duarte', texto: 'atendente' })
  await until(async () => {
    const id = at(await api.get('/atendimento/conversas'), 'conversas', '0', 'id')
    if (typeof id === 'string') conversaId = id
    return conversaId !== ''
  })
  let mandadas = 0
  for (const tipo of ['audio/webm', 'audio/mp4']) {
    const gravada = await umaGravacao(tipo)
    if (gravada === null) continue
    const sent = await operadorManda(conversaId, `voz.${tipo.slice(6)}`, gravada)
    expect(at(sent, 'mensagem', 'midia')).toMatchObject({ tipo: 'audio', mimeType: tipo })
    mandadas += 1
    const audio = log.getByRole('group', { name: 'Áudio recebido' }).nth(mandadas - 1)
    await expect.poll(() => audio.getByRole('slider').isEnabled()).toBe(true)
    await expect.poll(() => audio.getByText(/^0:0[1-9]$/).count()).toBe(1)
    await audio.getByRole('button', { name: 'Ouvir' }).click()
    await expect.poll(async () => Number(await audio.getByRole('slider').inputValue())).toBeGreaterThan(0)
  }
  expect(mandadas).toBeGreaterThan(0)
})

test('an operator sends a document that downloads unchanged under its own name', async () => {
  const content = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n%%EOF\n')
  await operadorManda(conversaId, 'orçamento de maio.pdf', content)
  const link = log.getByRole('link', { name: /Documento recebido: orçamento de maio\.pdf/ })
  const [downloaded] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(downloaded.suggestedFilename()).toBe('orçamento de maio.pdf')
  expect((await readFile(await downloaded.path())).equals(content)).toBe(true)
})

test('a logout takes the pictures out of the browser', async () => {
  const src = (await log.getByRole('img', { name: 'Imagem enviada' }).getAttribute('src')) ?? ''
  const isCached = (): Promise<boolean> =>
    page.evaluate(
      (url) =>
        fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).then(
          ({ ok }) => ok,
          () => false,
        ),
      src,
    )
  expect(await page.evaluate(async (url) => (await fetch(url)).status, src)).toBe(200)
  expect(await isCached()).toBe(true)
  await page.goto(`${product.url}/dashboard`)
  await page.getByRole('button', { name: 'Sair' }).first().click()
  await page.waitForURL('**/login*')
  await expect.poll(isCached).toBe(false)
})
