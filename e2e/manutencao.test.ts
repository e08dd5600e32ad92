import { type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { prepareContaWithBot, at, DONA, until } from './ready-conta.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

/** The owner turns maintenance on and off while a customer writes. The tests build on each other. */

const CLIENTE = { nome: 'Marina', telefone: '11912345678' }

let product: Product
let browser: Browser
let page: Page
let api: ApiClient

beforeAll(async () => {
  product = await startProduct()
  const loja = await prepareContaWithBot(product, { menu: { digitando: false } })
  const [cliente] = loja.apis
  if (cliente === undefined) throw new Error('login missing')
  api = cliente
  browser = await openBrowser()
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  page = await openLoggedIn(context, product.url, DONA)
  await page.goto(`${product.url}/dashboard?aba=logs`)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const diz = (texto: string): Promise<unknown> => api.post('/simulador/mensagens', { ...CLIENTE, texto })

/** Messages on the customer's phone, oldest first: `cliente` or `bot`, and the text. */
async function conversa(): Promise<{ de: string; texto: string }[]> {
  const parsed = at(await api.get('/mensagens?limite=200'), 'mensagens')
  return (Array.isArray(parsed) ? parsed : [])
    .map((mensagem: unknown) => ({ de: String(at(mensagem, 'origem')), texto: String(at(mensagem, 'conteudo')) }))
    .toReversed()
}
const respostas = async (): Promise<number> => (await conversa()).filter(({ de }) => de === 'bot').length

async function mudarManutencao(button: string, password: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const janela = page.getByRole('dialog')
  await janela.getByLabel('Sua senha').fill(password)
  await janela.getByRole('button', { name: button }).click()
}

const registros = () => page.getByRole('region', { name: 'Registros' })
const seen = (text: string | RegExp) => expect.poll(() => registros().getByText(text).first().isVisible()).toBe(true)

test('the owner sees measured values in the logs tab', async () => {
  await expect.poll(() => page.getByText('Simulador: Conectado').isVisible()).toBe(true)
  await expect.poll(() => page.getByText(/^CPU \d+%$/).isVisible()).toBe(true)
  await seen(/Bot conectado! Celular: Simulador\.$/)
  await diz('oi')
  await until(async () => (await respostas()) >= 2)
  await expect.poll(() => page.getByText('Ao vivo', { exact: true }).isVisible()).toBe(true)
})

test('the owner starts maintenance only with the own password, and the log shows it', async () => {
  await mudarManutencao('Iniciar manutenção', ADMIN.senha)
  await expect
    .poll(() =>
      page
        .getByRole('dialog')
        .getByText(/[Ss]enha/)
        .count(),
    )
    .toBeGreaterThan(1)
  expect(at(await api.get('/sistema/status'), 'sistema', 'manutencao')).toBe(false)
  await page.getByRole('dialog').getByLabel('Sua senha').fill(DONA.senha)
  await page.getByRole('dialog').getByRole('button', { name: 'Iniciar manutenção' }).click()
  await expect.poll(() => page.getByText('Modo de manutenção ligado').isVisible()).toBe(true)
  await seen(new RegExp(`^Manutenção iniciada por ${DONA.nome}\\.`))
})

test('a customer writes during maintenance: messages are stored and stay unanswered', async () => {
  const before = await respostas()
  await diz('4')
  await diz('quero falar com atendente')
  await page.getByRole('tab', { name: 'Mensagens' }).click()
  const mensagens = page.getByRole('region', { name: 'Mensagens' })
  await expect.poll(() => mensagens.getByText('quero falar com atendente').isVisible()).toBe(true)
  expect(await respostas()).toBe(before)
  await page.getByRole('tab', { name: 'Logs' }).click()
})

test('the owner ends maintenance, and the bot answers only newer messages', async () => {
  const before = await respostas()
  await mudarManutencao('Encerrar manutenção', DONA.senha)
  await expect.poll(() => page.getByText('Modo de manutenção ligado').count()).toBe(0)
  await seen(new RegExp(`^Manutenção encerrada por ${DONA.nome}\\.`))
  await diz('menu')
  await until(async () => (await respostas()) > before)
  // One customer's messages are answered in order, so answers to older ones would stand before this one.
  const after = (await conversa()).slice(-4).map(({ de, texto }) => `${de}: ${texto.slice(0, 30).split('\n')[0]}`)
  expect(after.slice(0, 3)).toEqual(['cliente: 4', 'cliente: quero falar com atendente', 'cliente: menu'])
  expect(after[3]).toMatch(/^bot: .*Menu principal/)
})

test('the owner exports the log into a file named by date', async () => {
  const [arquivo] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Exportar' }).click(),
  ])
  expect(arquivo.suggestedFilename()).toMatch(/^logs-\d{4}-\d{2}-\d{2}\.json$/)
  const parts: Buffer[] = []
  for await (const part of await arquivo.createReadStream()) parts.push(Buffer.from(part))
  const lines: unknown = JSON.parse(Buffer.concat(parts).toString())
  const mensagens = (Array.isArray(lines) ? lines : []).map((line: unknown) => String(at(line, 'mensagem')))
  expect(mensagens[0]).toMatch(/^Manutenção encerrada/)
  expect(mensagens).toContainEqual(expect.stringMatching(/^Manutenção iniciada/))
})
