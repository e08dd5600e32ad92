import { codeAt } from '@balcao/server/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { createApiClient } from './api.ts'
import { logIn, openBrowser } from './browser.ts'
import { ADMIN, type Product, startProduct } from './product.ts'
import { at, DONA, loginToApi, prepareConta } from './ready-conta.ts'
import { passMinutes } from './stored-time.ts'
import { readWords, type Watch, watchPage } from './watch.ts'

/** The owner protects her login, loses her phone and is helped. Each test continues with the state of the one before. */

/** Browsers allow passkeys for a name, not for an IP address. */
const localhost = (product: Product): string => product.url.replace('127.0.0.1', 'localhost')

let product: Product
let url: string
let browser: Browser
let ana: BrowserContext
let page: Page
let secret = ''
let codes: string[] = []
const watch: Watch = { errors: [], words: new Set(), owners: new Map() }

/** A code works once, so each use takes another one of those that are valid: the step before, this one and the next. */
const code = (step: -1 | 0 | 1, minutes = 0): string =>
  codeAt(secret, new Date(Date.now() + step * 30_000 + minutes * 60_000))

async function openContext(): Promise<BrowserContext> {
  return browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
}

async function openPage(context: BrowserContext): Promise<Page> {
  const opened = await context.newPage()
  watchPage(opened, watch)
  return opened
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

/** Resolves to when the person is in the panel. */
async function entered(where: Page): Promise<void> {
  await where.waitForURL(/\/(dashboard|admin)/)
}

/** The phone or computer of the person: it confirms each question at once, with its fingerprint reader. */
async function addAuthenticator(where: Page): Promise<void> {
  const cdp = await where.context().newCDPSession(where)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function logOut(): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page.getByRole('button', { name: 'Sair', exact: true }).first().click()
  await page.waitForURL('**/login*')
}

beforeAll(async () => {
  product = await startProduct()
  url = localhost(product)
  await prepareConta(product)
  browser = await openBrowser()
  ana = await openContext()
  page = await openPage(ana)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

test('the owner logs in with the password alone and switches an authenticator app on', async () => {
  await logIn(page, url, DONA)
  await entered(page)
  await page.getByRole('link', { name: 'Segurança' }).click()
  await button('Ligar').click()
  await page.getByAltText('QR Code para o aplicativo de códigos').waitFor()
  expect(await page.getByAltText(/QR Code/).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
    0,
  )
  secret = await dialog().locator('p.font-mono').innerText()
  await expectAccessible(page, 'enrolment')
  await page.getByLabel('Código de 6 números').fill(code(0, -2))
  await dialog()
    .getByText(/relógio|hora/i)
    .first()
    .waitFor()
  await page.getByLabel('Código de 6 números').fill(code(-1))
  const list = page.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem')
  await list.first().waitFor()
  codes = await list.allInnerTexts()
  expect(new Set(codes).size).toBe(10)
  await button('Guardei os códigos').click()
  await page.getByText('Restam 10 códigos de recuperação.').waitFor()
  await expectAccessible(page, 'Segurança')
  await readWords(page, watch)
})

test('the owner logs in with the code, and a wrong one is refused', async () => {
  await logOut()
  await logIn(page, url, DONA)
  const field = page.getByLabel('Código de 6 números')
  await field.waitFor()
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await expectAccessible(page, 'second step')
  await field.fill('000000')
  await page.getByRole('alert').first().waitFor()
  await field.fill(code(0))
  await entered(page)
})

test('the owner loses her phone and enters with a recovery code, which works once', async () => {
  await logOut()
  await logIn(page, url, DONA)
  await button('Usar um código de recuperação').click()
  await page.getByLabel('Código de recuperação').fill(codes[0]?.toLowerCase() ?? '')
  await button('Entrar').click()
  await entered(page)
  const api = createApiClient(product.url)
  const desafio = at(await api.post('/auth/login', { email: DONA.email, senha: DONA.senha }), 'desafio')
  await expect(api.post('/auth/segundo-fator', { desafio, recuperacao: codes[0] })).rejects.toThrow(/403/)
  await page.goto(`${url}/seguranca`)
  await page.getByText('Restam 9 códigos de recuperação.').waitFor()
})

test('the owner adds a passkey, enters with it, and confirms a sensitive act with it', async () => {
  await addAuthenticator(page)
  await button('Adicionar').click()
  await page.getByLabel('Nome da chave').fill('Computador do caixa')
  await dialog().getByRole('button', { name: 'Continuar' }).click()
  await page.getByRole('list', { name: 'Chaves de acesso' }).getByText('Computador do caixa').waitFor()
  await logOut()
  await page.getByRole('button', { name: 'Entrar com chave de acesso' }).click()
  await entered(page)
  await page.goto(`${url}/seguranca`)
  await passMinutes(product, 11)
  // The end of any session makes the product read the sessions again.
  await (await loginToApi(product.url, ADMIN.email, ADMIN.senha)).api.post('/auth/logout', {})
  await button('Gerar códigos novos').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Gerar' }).click()
  await page.getByRole('heading', { name: 'Confirme que é você' }).waitFor()
  await expectAccessible(page, 'confirmation')
  await page.getByRole('button', { name: 'Usar a chave de acesso' }).click()
  await button('Confirmar').click()
  await page.getByText('Códigos novos prontos.').waitFor()
  await button('Guardei os códigos').click()
  await page.getByText('Restam 10 códigos de recuperação.').waitFor()
})

test('the owner ends the other windows, which leave the panel at once', async () => {
  const other = await openContext()
  const phone = await openPage(other)
  await logIn(phone, url, DONA)
  await phone.getByLabel('Código de 6 números').fill(code(1))
  await entered(phone)
  await page.reload()
  await button('Encerrar os outros').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar os outros' }).click()
  await phone.waitForURL('**/login*')
  await page.getByText('Nenhum outro aparelho está conectado.').waitFor()
  await other.close()
})

test('the administrator removes the lost factor, and the password alone enters again', async () => {
  const context = await openContext()
  const admin = await openPage(context)
  await logIn(admin, url, ADMIN)
  await entered(admin)
  await admin.goto(`${url}/admin?aba=usuarios`)
  await admin
    .getByRole('button', { name: /Ver|Detalhes/ })
    .first()
    .click()
  await admin.getByRole('button', { name: 'Remover segundo fator' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Remover', exact: true }).click()
  await admin.getByText(/Segundo fator removido/).waitFor()
  await page.waitForURL('**/login*')
  await logIn(page, url, DONA)
  await entered(page)
  await context.close()
})

test('the owner demands a second factor of all, and enrols before anything else', async () => {
  await page.goto(`${url}/seguranca`)
  await page.getByLabel('Quem precisa da verificação em duas etapas').selectOption({ label: 'Eu e toda a equipe' })
  await button('Salvar').click()
  await page.getByRole('heading', { name: 'Sua loja exige a verificação em duas etapas' }).waitFor()
  await expectAccessible(page, 'demanded enrolment')
  await page.goto(`${url}/dashboard?aba=atendimento`)
  await button('Usar uma chave de acesso').click()
  await page.getByLabel('Nome da chave').fill('Celular novo')
  await button('Continuar').click()
  await button('Guardei os códigos, continuar').click()
  await page.getByText('Escolha uma conversa').waitFor()
})

test('no screen showed an English word or an error in the console', () => {
  expect([...watch.words]).toEqual([])
  // Refused codes and ended sessions are answers with a status.
  expect(watch.errors.filter((one) => !/status of 40[13]|not loaded ApiError/.test(one))).toEqual([])
})
