import { connectDirect, findEmbedded } from '@balcao/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawPicture } from './browser.ts'
import { bubble, chat, type Counter, type Customer, openCounter, type Person, sees } from './counter.ts'
import { createHand } from './hand.ts'
import { at, until } from './ready-conta.ts'

/**
 * Four people serve customers at the same time, half of the time by keyboard: the owner on a phone and three operadores
 * at computers. `DIA_CLIENTES=200 DIA_MINUTOS=20` plays a whole day.
 */

const CUSTOMERS = Number(process.env['DIA_CLIENTES'] ?? 12)
const MINUTES = Number(process.env['DIA_MINUTOS'] ?? 0.2)
const DAVI = { nome: 'Davi Rocha', email: 'davi@aurora.com.br', senha: 'forno-a-lenha-3', setores: ['suporte'] }
const BY_HAND = { distribuicao: { modo: 'manual', capacidade: 2, semRespostaMinutos: 0 } }

let counter: Counter
let team: readonly Person[]

beforeAll(async () => {
  counter = await openCounter(BY_HAND)
  const { ana, bruno, carla } = counter
  team = [ana, bruno, carla, await counter.joins(DAVI)]
})

afterAll(() => counter?.close())

const customers = Array.from({ length: CUSTOMERS }, (_, index): Customer => {
  const number = String(index + 1).padStart(3, '0')
  return { nome: `Cliente ${number}`, telefone: `+55119444${number.padStart(5, '0')}` }
})

/** Every customer asks for a person. Every second one writes again at once. */
async function customersArrive(): Promise<void> {
  const pauseMs = (MINUTES * 60_000) / CUSTOMERS
  for (const [index, customer] of customers.entries()) {
    await counter.says(customer, 'oi', String(1 + (index % 2)))
    if (index % 2 === 1) await counter.says(customer, 'Vocês abrem amanhã?')
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

type View = 'Minhas' | 'Fila' | 'Menções' | 'Todas'

const viewTab = ({ page }: Person, view: View) =>
  page.getByRole('group', { name: 'Visões' }).getByRole('button', { name: new RegExp(`^${view} `) })

const firstRow = ({ page }: Person) => page.locator('[data-conversa]').first()

const SHORT = { timeout: 1_000 } as const

async function shows(person: Person, view: View, byKeyboard: boolean): Promise<void> {
  const tab = viewTab(person, view)
  const back = person.page.getByRole('button', { name: 'Voltar às conversas' })
  // On a phone the chat covers the views. A colleague may finish its conversa at any moment, which closes it.
  await until(async () => {
    if (await tab.isVisible()) return true
    await back.click(SHORT).catch(() => undefined)
    return false
  })
  if (byKeyboard) await tab.press('Enter')
  else await tab.click()
  await expect.poll(() => tab.getAttribute('aria-pressed')).toBe('true')
  await person.page.getByRole('status', { name: 'Carregando as conversas' }).waitFor({ state: 'detached' })
}

/** Opens the first row. Resolves with the name of its customer, or null if no chat opened. */
async function opensFirst(person: Person, byKeyboard: boolean): Promise<string | null> {
  if (byKeyboard)
    await firstRow(person)
      .press('Enter', { timeout: 5_000 })
      .catch(() => undefined)
  else
    await firstRow(person)
      .click({ timeout: 5_000 })
      .catch(() => undefined)
  const title = chat(person).locator('#quem')
  await title.waitFor({ timeout: 5_000 }).catch(() => undefined)
  return title.textContent(SHORT).catch(() => null)
}

/** False: a colleague was faster, and may have finished the conversa already. */
async function answers(person: Person, text: string): Promise<boolean> {
  const { page } = person
  const field = page.getByPlaceholder(/Escreva/)
  const send = page.getByRole('button', { name: 'Enviar', exact: true })
  // Only the server's answer puts the mark of a sent mensagem.
  const sent = chat(person)
    .locator('li', { hasText: text })
    .getByText(/^(Enviada|Entregue|Lida)$/)
  const taken = chat(person).getByText(/está atendendo|foi finalizada/)
  const isLost = async (): Promise<boolean> => (await taken.count()) > 0 || (await chat(person).count()) === 0
  const fills = (): Promise<boolean> =>
    field.fill(text, SHORT).then(
      () => true,
      () => false,
    )
  await until(async () => (await isLost()) || (await fills()))
  await until(async () => {
    if ((await sent.count()) > 0 || (await isLost())) return true
    if (await send.isEnabled(SHORT).catch(() => false)) await field.press('Enter', SHORT).catch(() => undefined)
    return false
  })
  return (await sent.count()) > 0
}

async function finishes(person: Person, byKeyboard: boolean): Promise<void> {
  const { page } = person
  if (byKeyboard) {
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
  } else {
    await chat(person).getByRole('button', { name: 'Finalizar' }).click()
  }
  const question = page.getByRole('alertdialog')
  const confirm = question.getByRole('button', { name: 'Finalizar', exact: true })
  if (byKeyboard) await confirm.press('Enter')
  else await confirm.click()
  await question.waitFor({ state: 'detached' })
}

/** The person answers one customer: an own one without an answer, otherwise the first of the queue. */
async function servesNext(
  person: Person,
  turn: number,
): Promise<'answered' | 'colleague was faster' | 'no customer waits'> {
  const byKeyboard = turn % 2 === 0 && person !== counter.ana
  await shows(person, 'Minhas', byKeyboard)
  if ((await person.page.locator('[data-sem-resposta]').count()) === 0) await shows(person, 'Fila', byKeyboard)
  if ((await person.page.locator('[data-conversa]').count()) === 0) return 'no customer waits'
  const nome = await opensFirst(person, byKeyboard)
  if (nome === null) return 'colleague was faster'
  const answered = await answers(person, `Oi, ${nome}! Aqui é ${person.nome} (${turn}).`)
  if (answered && turn % 3 === 0) await finishes(person, byKeyboard)
  return answered ? 'answered' : 'colleague was faster'
}

/** Serves until the customers have all arrived and none waits for this person. */
async function serves(person: Person, allArrived: () => boolean): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const last = allArrived()
    const outcome = await servesNext(person, turn)
    if (outcome === 'answered') continue
    if (last && outcome === 'no customer waits') return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

const EARLY = ['Alda', 'Beto', 'Cida', 'Dora', 'Enzo', 'Fábio'].map((nome, index) => ({
  nome,
  telefone: `+551194333000${index}`,
}))

test('the next waiting customer is answered with two acts', async () => {
  for (const customer of EARLY) await counter.says(customer, 'oi', '1')
  const { page } = counter.bruno
  await shows(counter.bruno, 'Fila', false)
  await expect.poll(() => page.locator('[data-conversa]').count()).toBe(EARLY.length)
  const hand = createHand()
  await hand.click(firstRow(counter.bruno))
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  await page.keyboard.type('Bom dia, Alda!')
  await hand.press(page.keyboard, 'Enter')
  await sees(bubble(counter.bruno, 'Bom dia, Alda!'))
  expect(hand.acts()).toBe(2)
})

test('a text is scheduled for tomorrow at 8 with three acts', async () => {
  const { page } = counter.bruno
  await page.getByPlaceholder(/Escreva/).fill('Seu pão está pronto.')
  const hand = createHand()
  await hand.click(page.getByRole('button', { name: 'Enviar mais tarde' }))
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Amanhã, 8h' }))
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Agendar' }))
  await sees(page.getByRole('region', { name: 'Mensagens agendadas' }).getByText('Seu pão está pronto.'))
  expect(hand.acts()).toBe(3)
})

test('three photos are sent with three acts', async () => {
  const { page } = counter.bruno
  const photo = { name: 'bolo.jpg', mimeType: 'image/jpeg', buffer: await drawPicture(page, 80, 60) }
  const hand = createHand()
  const chooser = page.waitForEvent('filechooser')
  await hand.click(page.getByRole('button', { name: 'Anexar arquivo' }))
  // The choice in the window of the system is the second act.
  await (await chooser).setFiles([1, 2, 3].map((n) => ({ ...photo, name: `bolo-${n}.jpg` })))
  await page.getByRole('dialog').waitFor()
  await hand.press(page.keyboard, 'Enter')
  await expect.poll(() => chat(counter.bruno).getByRole('img').count()).toBe(3)
  expect(hand.acts() + 1).toBe(3)
})

test('a conversa taken by mistake goes back with one act', async () => {
  const { page } = counter.bruno
  await shows(counter.bruno, 'Fila', false)
  await firstRow(counter.bruno).click()
  await chat(counter.bruno).getByRole('button', { name: 'Assumir' }).click()
  await sees(chat(counter.bruno).getByText('Em atendimento com você'))
  const hand = createHand()
  await hand.click(page.getByRole('button', { name: 'Desfazer' }))
  await sees(chat(counter.bruno).getByText(/^Aguardando há/))
  expect(hand.acts()).toBe(1)
})

test('five customers get an etiqueta with at most seven acts', async () => {
  await counter.api.post('/etiquetas', { nome: 'Encomenda', cor: 'blue' })
  const { page } = counter.bruno
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  const hand = createHand()
  await page.locator('[data-conversa]').first().hover()
  await hand.click(page.getByRole('checkbox', { name: /^Selecionar/ }).first())
  await page.keyboard.down('Shift')
  await hand.click(page.locator('[data-conversa]').nth(4))
  await page.keyboard.up('Shift')
  await hand.click(page.getByRole('button', { name: 'Etiquetar' }))
  await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Pôr Encomenda' }))
  await expect.poll(() => page.locator('[data-conversa]', { hasText: 'Encomenda' }).count()).toBe(5)
  expect(hand.acts()).toBeLessThanOrEqual(7)
})

test('the owner reads the waits of yesterday with at most two acts', async () => {
  const hand = createHand()
  await hand.click(counter.ana.page.getByTitle('Geral'))
  await sees(counter.ana.page.getByRole('region', { name: 'Ontem na sua loja' }))
  expect(hand.acts()).toBeLessThanOrEqual(2)
  await counter.ana.page.getByTitle('Atendimento').click()
})

test('people serve customers who arrive all the time', { timeout: (MINUTES + 10) * 60_000 }, async () => {
  let arrived = false
  const arrival = customersArrive().then(() => (arrived = true))
  await Promise.all([arrival, ...team.map((person) => serves(person, () => arrived))])
})

test('every customer was answered, and no answer left twice', async () => {
  for (const customer of [...EARLY, ...customers]) {
    const texts = (await counter.received(customer)).filter((text) => /Aqui é|^Bom dia/.test(text))
    expect(texts, customer.nome).not.toEqual([])
    expect(new Set(texts).size, customer.nome).toBe(texts.length)
  }
})

/** Numbers of a person's views, counted in the tables. */
const COUNTS = `
  select count(*) filter (where v.status = 'em_atendimento' and v.operador_id = u.id)::int as "Minhas",
    count(*) filter (where v.status = 'aguardando'
      and (u.tipo <> 'operador' or v.setor = 'geral' or u.setores ? v.setor))::int as "Fila",
    (select count(distinct a.conversa_id)::int from avisos a
      where a.usuario_id = u.id and a.tipo = 'mencao' and a.lido_em is null) as "Menções"
  from usuarios u left join conversas v on v.conta_id = u.conta_id and v.status in ('aguardando', 'em_atendimento')
  where u.nome = $1 group by u.id`

test('each view and number is the one of the database', async () => {
  const target = await findEmbedded(counter.product)
  if (target === null) throw new Error('database not running')
  const client = await connectDirect(target)
  for (const person of team) {
    for (const view of ['Minhas', 'Fila', 'Menções'] as const) {
      await shows(person, view, false)
      const stored = async (): Promise<string> => String(at((await client.query(COUNTS, [person.nome])).rows[0], view))
      await expect
        .poll(async () => (await viewTab(person, view).textContent()) === `${view} ${await stored()}`)
        .toBe(true)
      const rows = person.page.locator('[aria-setsize]')
      const listed = async (): Promise<string> =>
        (await rows.count()) === 0 ? '0' : String(await rows.first().getAttribute('aria-setsize'))
      await expect.poll(async () => (await listed()) === (await stored())).toBe(true)
    }
  }
  await client.end()
})

test('the four windows showed no error and no English word', async () => {
  await counter.look(...team)
  expect([...counter.watch.words]).toEqual([])
  // The browser reports the answer of a send after which a colleague was faster.
  expect(counter.watch.errors.filter((one) => !/status of 409 .*\/mensagem$/.test(one))).toEqual([])
  expect([...counter.watch.owners].filter(([, names]) => names.size > 1)).toEqual([])
})
