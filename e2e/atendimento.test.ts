import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import type { ApiClient } from './api.ts'
import { logIn, openBrowser, openLoggedIn } from './browser.ts'
import { prepareContaWithBot, at, DONA, loginToApi } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/** The owner and an operator, each in a separate browser, and one customer. The tests build on each other. */

const OPERADOR = { nome: 'Bruno Lima', email: 'bruno@aurora.com.br', senha: 'forno-a-lenha-1', setores: [] }
const MARINA = { nome: 'Marina Duarte', telefone: '+5511955554444' }
const MARIA = { nome: 'Dona Maria Aparecida do Rosário Conceição Nascimento da Silva', telefone: '+5511955554445' }

let product: Product
let browser: Browser
let api: ApiClient
let dona: Page
let bruno: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const loja = await prepareContaWithBot(product, { menu: { digitando: false } })
  const [first] = loja.apis
  if (first === undefined) throw new Error('login missing')
  api = first
  await api.post('/conta/operadores', OPERADOR)
  const window = { locale: 'pt-BR', viewport: { width: 1366, height: 800 } }
  dona = await openLoggedIn(await browser.newContext(window), product.url, DONA)
  bruno = await (await browser.newContext(window)).newPage()
  await logIn(bruno, product.url, OPERADOR)
  await bruno.waitForURL('**/dashboard*')
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const escreve = (texto: string): Promise<unknown> => api.post('/simulador/mensagens', { ...MARINA, texto })

async function noCelular(): Promise<string[]> {
  const mensagens = at(
    await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(MARINA.telefone)}`),
    'mensagens',
  )
  if (!Array.isArray(mensagens)) throw new Error('messages missing')
  return mensagens.filter((uma: unknown) => at(uma, 'de') === 'bot').map((uma: unknown) => String(at(uma, 'texto')))
}

const card = (page: Page): Locator =>
  page.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: MARINA.nome })
const open = (page: Page): Locator => page.locator('[data-conversa-aberta]')
const bubble = (page: Page, texto: string): Locator => open(page).getByText(texto, { exact: true })

/** Waits until the text is on the screen exactly once, although several events may carry it. */
async function umaVez(page: Page, texto: string): Promise<void> {
  await expect.poll(() => bubble(page, texto).count()).toBe(1)
}

async function responde(page: Page, texto: string): Promise<void> {
  const field = page.getByPlaceholder(/Escreva/)
  await field.fill(texto)
  // Like the button, Enter does nothing until the message before is confirmed.
  await expect.poll(() => page.getByRole('button', { name: 'Enviar', exact: true }).isEnabled()).toBe(true)
  await field.press('Enter')
}

test('an operator enters and finds only the conversas', async () => {
  await expect.poll(() => bruno.getByText('Escolha uma conversa').isVisible()).toBe(true)
  expect(await bruno.getByRole('link', { name: 'Mensagens' }).count()).toBe(0)
  await dona.goto(`${product.url}/dashboard?aba=atendimento`)
  await expect.poll(() => dona.getByText('Escolha uma conversa').isVisible()).toBe(true)
})

test('a customer asks for a person, and owner and operator see the conversa once', async () => {
  await escreve('atendente')
  for (const page of [dona, bruno]) {
    await expect.poll(() => card(page).count()).toBe(1)
    await expect.poll(() => card(page).textContent()).toContain('Aguardando')
  }
})

test('the owner opens a link on a slow connection: first the list, then the chat', async () => {
  const context = await browser.newContext({ locale: 'pt-BR', serviceWorkers: 'block' })
  const page = await openLoggedIn(context, product.url, DONA)
  const { promise: liberado, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (rota) => {
    const reply = await rota.fetch({ maxRetries: 3 })
    if ((await reply.text()).includes('Ações da conversa')) await liberado
    await rota.fulfill({ response: reply })
  })
  // The page of the login may still ask for the list.
  await page.goto('about:blank')
  // Delays the list, also if the panel asks twice, until the placeholder of the chat is visible.
  const { promise: listAllowed, resolve: allowList } = Promise.withResolvers<void>()
  await page.route('**/api/atendimento/conversas?*', async (rota) => {
    await listAllowed
    await rota.continue()
  })
  await page.goto(`${product.url}${await card(dona).getAttribute('href')}`)
  await page.getByText('Escolha uma conversa').waitFor()
  allowList()
  await expect.poll(() => card(page).isVisible()).toBe(true)
  expect(await open(page).count()).toBe(0)
  release()
  await expect.poll(() => open(page).getByText('atendente', { exact: true }).isVisible()).toBe(true)
  // Files of the background may still be on their way.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

test('the operator takes the conversa, and the owner sees the operator’s name', async () => {
  await card(bruno).click()
  await open(bruno).getByRole('button', { name: 'Assumir' }).click()
  await expect.poll(() => card(dona).textContent()).toContain(OPERADOR.nome)
  await card(dona).click()
  await expect.poll(() => open(dona).getByText(`Em atendimento com ${OPERADOR.nome}`).isVisible()).toBe(true)
})

test('customer and operator exchange messages that all screens show once and in order', async () => {
  await responde(bruno, 'Oi, Marina! Como posso ajudar?')
  await umaVez(dona, 'Oi, Marina! Como posso ajudar?')
  await escreve('Quero um bolo de fubá')
  await umaVez(bruno, 'Quero um bolo de fubá')
  await responde(bruno, 'Sai às 16h.')
  await responde(bruno, 'Posso separar um?')
  for (const page of [dona, bruno]) {
    for (const texto of [
      'Oi, Marina! Como posso ajudar?',
      'Quero um bolo de fubá',
      'Sai às 16h.',
      'Posso separar um?',
    ]) {
      await umaVez(page, texto)
    }
    const screen = (await open(page).innerText()).replaceAll('\n', ' ')
    expect(screen).toMatch(/Como posso ajudar\?.*bolo de fubá.*Sai às 16h\..*Posso separar um\?/)
  }
  await expect
    .poll(async () => (await noCelular()).slice(-3))
    .toEqual(['Oi, Marina! Como posso ajudar?', 'Sai às 16h.', 'Posso separar um?'])
})

test('the operator sends a message that is first refused and arrives once', async () => {
  await api.post('/simulador/falhas', { envios: 1 })
  await responde(bruno, 'Confirmado!')
  await expect.poll(async () => (await noCelular()).filter((texto) => texto === 'Confirmado!').length).toBe(1)
  for (const page of [dona, bruno]) await umaVez(page, 'Confirmado!')
})

test('the operator transfers the conversa, which keeps its waiting time', async () => {
  await open(bruno).getByRole('button', { name: 'Transferir' }).click()
  await bruno.getByRole('dialog').getByRole('button', { name: 'Vendas' }).click()
  for (const page of [dona, bruno]) {
    await expect.poll(() => card(page).textContent()).toContain('Aguardando')
    await expect.poll(() => card(page).textContent()).toContain('Vendas')
  }
})

test('two operators take the conversa at once: one gets it, the other sees who', async () => {
  await card(bruno).click()
  // Holds both requests until both have clicked: after the event of the first, the other window has no button.
  let soltar: () => void = () => undefined
  const ambos = new Promise<void>((resolve) => (soltar = resolve))
  let cliques = 0
  for (const page of [dona, bruno]) {
    await page.route('**/assumir', async (rota) => {
      cliques += 1
      if (cliques === 2) soltar()
      await ambos
      await rota.continue()
    })
    await open(page).getByRole('button', { name: 'Assumir' }).click()
  }
  const { api: apiDoBruno } = await loginToApi(product.url, OPERADOR.email, OPERADOR.senha)
  const quemTem = async (): Promise<string> => {
    const lista = at(await apiDoBruno.get('/atendimento/conversas?mensagens=0'), 'conversas')
    return String(at(Array.isArray(lista) ? lista[0] : undefined, 'operador'))
  }
  await expect.poll(quemTem).toMatch(new RegExp(`^(${DONA.nome}|${OPERADOR.nome})$`))
  const nome = await quemTem()
  const other = nome === DONA.nome ? bruno : dona
  await expect.poll(() => open(other).getByText(`Em atendimento com ${nome}`).isVisible()).toBe(true)
})

test('the operator finishes the conversa, which leaves both lists, and the customer rates it', async () => {
  await open(dona).getByRole('button', { name: 'Finalizar' }).click()
  await dona.getByRole('alertdialog').getByRole('button', { name: 'Finalizar', exact: true }).click()
  for (const page of [dona, bruno]) await expect.poll(() => card(page).count()).toBe(0)
  await expect.poll(async () => (await noCelular()).at(-1)).toMatch(/de \*0\* a \*5\*/)
  await escreve('5')
  await expect.poll(async () => at(await api.get('/atendimento/avaliacoes'), 'totalAvaliacoes')).toBe(1)
  expect(at(await api.get('/atendimento/avaliacoes'), 'notaMedia')).toBe(5)
})

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement
      return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim()
    })
  for (let presses = 0; presses < 40 && (await focused()) !== name; presses += 1) await page.keyboard.press('Tab')
  expect(await focused()).toBe(name)
}

test('the owner serves a customer by keyboard alone, from the list to the end', async () => {
  await api.post('/simulador/mensagens', { ...MARIA, texto: 'atendente' })
  await dona.goto(`${product.url}/dashboard?aba=atendimento`)
  const row = dona.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: MARIA.nome })
  const dialog = dona.getByRole('dialog')
  const { keyboard } = dona
  await row.waitFor()
  await dona.getByText('Escolha uma conversa').waitFor()
  await keyboard.press('j')
  await keyboard.press('Enter')
  const field = dona.locator('textarea[placeholder^=Escreva]:focus')
  await field.waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => dona.evaluate(() => document.activeElement?.textContent)).toBe(MARIA.nome)
  await keyboard.press('a')
  await open(dona).getByText('Em atendimento com você').waitFor()
  await expectAccessible(dona, 'chat')
  await keyboard.press('t')
  await dialog.getByRole('button', { name: OPERADOR.nome }).waitFor()
  await expectAccessible(dona, 'transfer')
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.press('n')
  const nota = dona.getByLabel('Nota interna para a equipe')
  await nota.waitFor()
  await keyboard.type('Confirmar a taxa de entrega')
  await keyboard.press('Enter')
  await expect.poll(() => nota.inputValue()).toBe('')
  await open(dona).locator('p', { hasText: 'Confirmar a taxa de entrega' }).waitFor()
  await keyboard.press('Escape')
  await field.waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => dona.locator('textarea:focus').count()).toBe(0)
  await tabTo(dona, 'Mais ações')
  await keyboard.press('Enter')
  await dona.locator('[role=menuitem]:focus', { hasText: 'Enviar mais tarde' }).waitFor()
  await keyboard.press('Enter')
  await dialog.getByLabel('Mensagem', { exact: true }).waitFor()
  await keyboard.type('Seu pedido sai às 15h.')
  await expectAccessible(dona, 'schedule')
  await tabTo(dona, 'Amanhã, 8h')
  await keyboard.press('Enter')
  await tabTo(dona, 'Agendar')
  await keyboard.press('Enter')
  await dona.getByText('Agendada para amanhã, 8:00').waitFor()
  await dona.getByRole('region', { name: 'Mensagens agendadas' }).getByText('Seu pedido sai às 15h.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await field.waitFor()
  await keyboard.press('Escape')
  await keyboard.press('e')
  await dona.getByRole('alertdialog').waitFor()
  await tabTo(dona, 'Finalizar')
  await keyboard.press('Enter')
  await expect.poll(() => row.count()).toBe(0)
})

test('contatos and the dialogs of the counter pass axe and fit a phone', async () => {
  const visit = (aba: string): Promise<unknown> => dona.goto(`${product.url}/dashboard?aba=${aba}`)
  const button = (name: string): Locator => dona.getByRole('button', { name, exact: true })
  const close = (): Promise<void> => dona.keyboard.press('Escape')
  await visit('contatos')
  await dona.getByRole('button', { name: MARIA.nome }).first().waitFor()
  await expectAccessible(dona, 'contatos')
  await button('Novo contato').click()
  await button('Nova etiqueta').click()
  await expectAccessible(dona, 'contato with an etiqueta')
  await close()
  await button('Mais ações dos contatos').click()
  await dona.getByRole('menuitem', { name: 'Importar contatos' }).click()
  await dona.locator('input[type=file]').setInputFiles({
    name: 'c.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('nome;telefone\nZé;\nRita;11955550001\n'),
  })
  await button('Importar 1').waitFor()
  await expectAccessible(dona, 'import')
  await close()
  await visit('atendimento')
  for (const name of ['Nova conversa', 'Opções de notificação']) {
    await button(name).click()
    await dona.getByRole('dialog').waitFor()
    await expectAccessible(dona, name)
    await close()
  }
})
