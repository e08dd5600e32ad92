import { createPushService, type PushService } from '@balcao/server/testing'
import type { AvisoPush } from '@balcao/contract/entities/push'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ApiClient } from './api.ts'
import { logIn, openBrowser } from './browser.ts'
import { recordNotices } from './notices.ts'
import { type Product, startProduct } from './product.ts'
import { simulatePush } from './push-browser.ts'
import { at, DONA, prepareContaWithBot } from './ready-conta.ts'
import { readWords, type Watch, watchPage } from './watch.ts'

/** A shop with an owner on a phone, two operadores at desktops, and customers on the simulator. */

export const BRUNO = { nome: 'Bruno Lima', email: 'bruno@aurora.com.br', senha: 'forno-a-lenha-1', setores: ['vendas'] }
export const CARLA = {
  nome: 'Carla Souza',
  email: 'carla@aurora.com.br',
  senha: 'forno-a-lenha-2',
  setores: ['vendas', 'suporte'],
}
export const QUICK_REPLY = 'Olá, {nome}! Aqui é {operador}, da {empresa}. Protocolo {protocolo}.'
export const SILENCE = { aviso: 'Ainda está aí?', minutos: 60 }

export const INBOX = '/dashboard?aba=atendimento'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const
/** Without the worker, which stores all files of the panel at the first visit. */
const DESKTOP = { viewport: { width: 1366, height: 768 }, serviceWorkers: 'block' } as const

export interface Customer {
  readonly nome: string
  readonly telefone: string
}

/** A person of the shop with their window and the push service of their browser. */
export interface Person {
  readonly nome: string
  page: Page
  readonly push: PushService
}

export interface Counter {
  readonly product: Product
  readonly api: ApiClient
  readonly ana: Person
  readonly bruno: Person
  readonly carla: Person
  readonly watch: Watch
  /** Adds an operador with a window at a computer. */
  readonly joins: (operador: Login & { readonly setores: readonly string[] }) => Promise<Person>
  readonly says: (customer: Customer, ...texts: readonly string[]) => Promise<void>
  /** Texts that the customer received. */
  readonly received: (customer: Customer) => Promise<string[]>
  /** Reads the words on the screens of these people. */
  readonly look: (...people: readonly Person[]) => Promise<void>
  readonly close: () => Promise<void>
}

const option = (numero: string, titulo: string, setor: string): object => ({
  ...{ numero, titulo, tipo: 'humano', resposta: '', setor },
})

async function prepareShop(product: Product, atendimento: object): Promise<ApiClient> {
  const { apis } = await prepareContaWithBot(product, {
    menu: { digitando: false, opcoes: [option('1', 'Vendas', 'vendas'), option('2', 'Suporte', 'suporte')] },
    atendimento: {
      distribuicao: { modo: 'automatica', capacidade: 2, semRespostaMinutos: 0 },
      inatividade: {
        ...{ ativa: true, aviso: SILENCE.aviso, avisoMinutos: SILENCE.minutos, encerrarMinutos: SILENCE.minutos },
      },
      ...atendimento,
    },
  })
  const [api] = apis
  if (api === undefined) throw new Error('login missing')
  for (const operador of [BRUNO, CARLA]) await api.post('/conta/operadores', operador)
  await api.put('/atendimento/respostas-rapidas', { respostas: [{ atalho: 'ola', texto: QUICK_REPLY, setores: [] }] })
  return api
}

interface Login {
  readonly nome: string
  readonly email: string
  readonly senha: string
}

/** `atendimento`: settings in place of those of the shop. */
export async function openCounter(atendimento: object = {}): Promise<Counter> {
  const product = await startProduct({ PUSH_LOOPBACK: '1' })
  const [desktop, phone] = await Promise.all([openBrowser(), openBrowser('whole')])
  const api = await prepareShop(product, atendimento)
  const watch: Watch = { errors: [], words: new Set(), owners: new Map() }
  const enter = async (browser: Browser, login: Login, size: BrowserContextOptions): Promise<Person> => {
    const push = await createPushService()
    const context = await browser.newContext({ locale: 'pt-BR', permissions: ['notifications'], ...size })
    context.on('page', (page) => watchPage(page, watch))
    await recordNotices(context)
    await simulatePush(context, push.subscription())
    const page = await context.newPage()
    await logIn(page, product.url, login)
    // Several windows open at once: on a slow machine the first page takes longer than the default of 30 s.
    await page.waitForURL('**/dashboard*', { timeout: 120_000 })
    await page.goto(`${product.url}${INBOX}`)
    await page.getByRole('group', { name: 'Visões' }).waitFor()
    return { nome: login.nome, page, push }
  }
  const [ana, bruno, carla] = await Promise.all([
    enter(phone, DONA, PHONE),
    enter(desktop, BRUNO, DESKTOP),
    enter(desktop, CARLA, DESKTOP),
  ])
  const others: Person[] = []
  return {
    ...{ product, api, ana, bruno, carla, watch },
    joins: async (operador) => {
      await api.post('/conta/operadores', operador)
      const person = await enter(desktop, operador, DESKTOP)
      others.push(person)
      return person
    },
    says: async (customer, ...texts) => {
      for (const texto of texts) await api.post('/simulador/mensagens', { ...customer, texto })
    },
    received: async ({ telefone }) => {
      const phone = at(await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(telefone)}`), 'mensagens')
      if (!Array.isArray(phone)) throw new Error('messages missing')
      return phone.filter((one: unknown) => at(one, 'de') === 'bot').map((one: unknown) => String(at(one, 'texto')))
    },
    look: async (...people) => {
      for (const { page } of people) await readWords(page, watch)
    },
    close: async () => {
      await Promise.all([desktop.close(), phone.close()])
      for (const { push } of [ana, bruno, carla, ...others]) push.close()
      await product.destroy()
    },
  }
}

export const card = ({ page }: Pick<Person, 'page'>, { nome }: Customer): Locator =>
  page.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: nome })

export const chat = ({ page }: Pick<Person, 'page'>): Locator => page.locator('[data-conversa-aberta]')

export const bubble = (person: Pick<Person, 'page'>, text: string): Locator =>
  chat(person).getByText(text, { exact: true })

export async function sees(locator: Locator): Promise<void> {
  await expect.poll(() => locator.first().isVisible()).toBe(true)
}

/** Waits until the text is in the open chat exactly once, although several events may carry it. */
export async function seesOnce(person: Pick<Person, 'page'>, text: string): Promise<void> {
  await expect.poll(() => bubble(person, text).count()).toBe(1)
}

export async function opens(person: Pick<Person, 'page'>, customer: Customer): Promise<void> {
  await card(person, customer).click()
  await sees(chat(person).getByRole('heading', { name: customer.nome }))
}

/** Opens the panel in a new window of the person's browser. */
export async function openPanel(person: Person, { product }: Counter, path = INBOX): Promise<void> {
  person.page = await person.page.context().newPage()
  await person.page.goto(`${product.url}${path}`)
}

/** Switches the notices of this device on and waits for a notice of the test. May run again after a failure. */
export async function allowsNotices({ page, push }: Person): Promise<void> {
  await page.keyboard.press('Escape')
  push.received.length = 0
  // On a phone the acts of the list open with the search.
  const more = page.getByRole('button', { name: 'Buscar e filtrar' })
  if (await more.isVisible()) await more.click()
  await page.getByRole('button', { name: 'Opções de notificação' }).click()
  const control = page.getByRole('switch', { name: /Avisar com o painel fechado/ })
  await expect.poll(() => control.isEnabled()).toBe(true)
  if (!(await control.isChecked())) await control.click()
  await page.getByRole('button', { name: 'Enviar aviso de teste' }).click()
  await expect.poll(() => push.received).toEqual([{ titulo: 'Os avisos funcionam neste aparelho', tipo: 'teste' }])
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()
}

/** Waits for a notice at the push service and takes it. */
export async function takeNotice({ push }: Person, conversaId: string, titulo: string): Promise<AvisoPush> {
  const find = (): number => push.received.findIndex((one) => one.conversaId === conversaId && one.titulo === titulo)
  await expect.poll(find).toBeGreaterThanOrEqual(0)
  const [notice] = push.received.splice(find(), 1)
  if (notice === undefined) throw new Error('notice missing')
  return notice
}

export async function writes({ page }: Pick<Person, 'page'>, text: string): Promise<void> {
  const field = page.getByPlaceholder(/Escreva/)
  await field.fill(text)
  // Like the button, Enter does nothing until the message before is confirmed.
  await expect.poll(() => page.getByRole('button', { name: 'Enviar', exact: true }).isEnabled()).toBe(true)
  await field.press('Enter')
}

export async function chooses({ page }: Pick<Person, 'page'>, menu: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
