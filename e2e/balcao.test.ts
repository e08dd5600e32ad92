import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  allowsNotices,
  bubble,
  BRUNO,
  card,
  CARLA,
  chat,
  chooses,
  type Counter,
  INBOX,
  openCounter,
  openPanel,
  opens,
  type Person,
  sees,
  seesOnce,
  SILENCE,
  takeNotice,
  writes,
} from './counter.ts'
import { waitForNotice } from './notices.ts'
import { openPushBrowser, type PushBrowser } from './push-browser.ts'
import { loseAnswers } from './slow-network.ts'
import { inMinutes, passMinutes } from './stored-time.ts'

/** Scenarios of one morning at the counter. Each test continues with the state that the test before it left. */

const MARINA = { nome: 'Marina Duarte', telefone: '+5511955554444' }
const JOAO = { nome: 'João Prado', telefone: '+5511955554445' }
const ROSA = { nome: 'Rosa Pereira', telefone: '+5511955554446' }
const TERESA = { nome: 'Teresa Nunes', telefone: '+5511955554447' }
const CAIO = { nome: 'Caio Mota', telefone: '+5511955554448' }
const SECRET = 'sou alérgica a amendoim'

let counter: Counter
let ana: Person
let bruno: Person
let carla: Person
let phone: PushBrowser

beforeAll(async () => {
  counter = await openCounter()
  ;({ ana, bruno, carla } = counter)
})

afterAll(() => counter?.close())

test('the owner allows notices, and her phone shows the one of the test', async () => {
  await allowsNotices(ana)
  phone = await openPushBrowser(ana.page.context(), counter.product.url)
  for (const notice of ana.push.received) await phone.deliver(notice)
  await expect
    .poll(() => phone.notifications())
    .toEqual([{ title: 'Os avisos funcionam neste aparelho', body: '', tag: 'teste' }])
  await counter.look(ana, bruno)
})

test('customers ask for a person, and the free operador of the setor gets each conversa', async () => {
  await carla.page.getByRole('switch', { name: 'Disponível' }).click()
  await sees(carla.page.getByRole('switch', { name: 'Ausente' }))
  await counter.says(MARINA, 'oi', '1')
  await waitForNotice(bruno.page, `Você recebeu a conversa de ${MARINA.nome}.`)
  await expect.poll(() => card(bruno, MARINA).textContent()).toContain('Você')
  await expect.poll(() => card(carla, MARINA).textContent()).toContain(BRUNO.nome)
  await counter.look(ana, bruno, carla)
  await carla.page.getByRole('switch', { name: 'Ausente' }).click()
  await sees(carla.page.getByRole('switch', { name: 'Disponível' }))
  await counter.says(JOAO, 'oi', '1')
  await waitForNotice(carla.page, `Você recebeu a conversa de ${JOAO.nome}.`)
  for (const person of [bruno, ana]) await expect.poll(() => card(person, JOAO).textContent()).toContain(CARLA.nome)
})

test('the operador answers with a quick reply, which names customer, operador, shop and protocol', async () => {
  await opens(bruno, MARINA)
  const field = bruno.page.getByPlaceholder(/Escreva/)
  await field.fill('/ol')
  await sees(bruno.page.getByRole('option', { name: '/ola' }))
  await counter.look(bruno)
  await field.press('Enter')
  const filled = /^Olá, Marina Duarte! Aqui é Bruno Lima, da Padaria Aurora\. Protocolo \d{8}-\d{4}\.$/
  await expect.poll(() => field.inputValue()).toMatch(filled)
  await writes(bruno, await field.inputValue())
  await expect.poll(async () => (await counter.received(MARINA)).at(-1)).toMatch(filled)
})

test('the operador gives the conversa to a colleague, who reads why in another colour', async () => {
  await chat(bruno).getByRole('button', { name: 'Transferir' }).click()
  const dialog = bruno.page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Ela quer bolo sem glúten')
  await counter.look(bruno)
  await dialog.getByRole('button', { name: CARLA.nome }).click()
  await sees(chat(bruno).getByText(`Em atendimento com ${CARLA.nome}`))
  await opens(carla, MARINA)
  await sees(chat(carla).getByText('Em atendimento com você'))
  await seesOnce(carla, 'Ela quer bolo sem glúten')
  const colour = (text: RegExp): Promise<string> =>
    chat(carla)
      .locator('li', { hasText: text })
      .last()
      .evaluate((one) => getComputedStyle(one).backgroundColor)
  expect(await colour(/sem glúten/)).not.toBe(await colour(/Protocolo/))
})

test('the colleague mentions the operador in a nota, which no customer receives', async () => {
  const before = await counter.received(MARINA)
  await chat(carla).getByRole('button', { name: 'Nota interna' }).click()
  const field = carla.page.getByLabel('Nota interna para a equipe')
  await field.pressSequentially('@Bru')
  await carla.page.getByRole('option', { name: BRUNO.nome }).click()
  await field.pressSequentially('qual era o preço?')
  await counter.look(carla)
  // The first press may only leave the field.
  await bruno.page.keyboard.press('Escape')
  await bruno.page.keyboard.press('Escape')
  await sees(bruno.page.getByText('Escolha uma conversa'))
  await carla.page.getByRole('button', { name: 'Salvar nota' }).click()
  await waitForNotice(bruno.page, `${CARLA.nome} mencionou você em uma nota`)
  await bruno.page.getByRole('button', { name: 'Abrir' }).last().click()
  await seesOnce(bruno, `@${BRUNO.nome}`)
  expect(await counter.received(MARINA)).toEqual(before)
  await chat(carla).getByRole('button', { name: 'Mensagem', exact: true }).click()
  await counter.look(ana, bruno, carla)
})

test('the colleague schedules a message, which is sent once at its time', async () => {
  await chooses(carla, 'Mais ações', 'Enviar mais tarde')
  const dialog = carla.page.getByRole('dialog')
  await dialog.getByLabel('Mensagem', { exact: true }).fill('Seu bolo está pronto!')
  await dialog.getByLabel('Enviar em').fill(inMinutes(5))
  await dialog.getByRole('button', { name: 'Agendar' }).click()
  await dialog.waitFor({ state: 'detached' })
  await sees(carla.page.getByRole('region', { name: 'Mensagens agendadas' }).getByText('Seu bolo está pronto!'))
  await counter.look(carla)
  await passMinutes(counter.product, 6)
  await seesOnce(carla, 'Seu bolo está pronto!')
  const sent = async (): Promise<number> =>
    (await counter.received(MARINA)).filter((text) => text === 'Seu bolo está pronto!').length
  await expect.poll(sent).toBe(1)
})

test('a silent customer gets one warning, the conversa ends, and the operador reopens it', async () => {
  await passMinutes(counter.product, SILENCE.minutos + 1)
  await expect.poll(async () => (await counter.received(MARINA)).at(-1)).toBe(SILENCE.aviso)
  await seesOnce(carla, SILENCE.aviso)
  await passMinutes(counter.product, SILENCE.minutos + 1)
  await expect.poll(() => card(carla, MARINA).count()).toBe(0)
  await expect.poll(async () => (await counter.received(MARINA)).at(-1)).toMatch(/^🙏/)
  expect((await counter.received(MARINA)).filter((text) => text === SILENCE.aviso)).toHaveLength(1)
  await carla.page.getByRole('button', { name: 'Filtros' }).click()
  await carla.page.getByRole('button', { name: 'Finalizadas' }).click()
  await opens(carla, MARINA)
  await counter.look(carla)
  await chat(carla).getByRole('button', { name: 'Reabrir' }).click()
  await sees(chat(carla).getByText('Em atendimento com você'))
  await carla.page.getByRole('button', { name: /^Todas \d/ }).click()
  for (const person of [ana, bruno]) await expect.poll(() => card(person, MARINA).textContent()).toContain(CARLA.nome)
})

test('the owner gets one notice for each conversa while her panel is closed, and a click opens it', async () => {
  await ana.page.close()
  // Carla is busy, and Bruno does not serve the setor.
  await counter.says(ROSA, 'oi', '2')
  await expect.poll(() => card(carla, ROSA).textContent()).toContain('Aguardando')
  const id = (await card(carla, ROSA).getAttribute('data-conversa')) ?? ''
  const tag = `conversa:${id}`
  const shown = async (): Promise<string[]> =>
    (await phone.notifications()).filter((one) => one.tag === tag).map(({ title, body }) => title + body)
  const waiting = await takeNotice(ana, id, 'Um cliente espera atendimento')
  await phone.deliver(waiting)
  await expect.poll(shown).toEqual(['Um cliente espera atendimento'])
  await openPanel(ana, counter)
  await opens(ana, ROSA)
  await counter.look(ana)
  await ana.page.getByRole('button', { name: 'Assumir' }).click()
  await sees(chat(ana).getByText('Em atendimento com você'))
  await ana.page.close()
  await counter.says(ROSA, SECRET)
  const message = await takeNotice(ana, id, 'Nova mensagem em uma conversa sua')
  await phone.deliver(message)
  expect(JSON.stringify([waiting, message])).not.toMatch(/Rosa|alérgica/)
  await expect.poll(shown).toEqual(['Nova mensagem em uma conversa sua'])
  const opened = await phone.click(tag)
  expect(opened).toBe(`/dashboard?aba=atendimento&c=${id}`)
  await openPanel(ana, counter, opened ?? '')
  await seesOnce(ana, SECRET)
  expect(await shown()).toEqual([])
  await counter.look(ana)
})

test('the owner clicks a notice while her panel shows another screen, and the conversa opens', async () => {
  const id = new URL(ana.page.url()).searchParams.get('c') ?? ''
  await ana.page.close()
  await counter.says(ROSA, 'e a nozes')
  await phone.deliver(await takeNotice(ana, id, 'Nova mensagem em uma conversa sua'))
  await openPanel(ana, counter, '/dashboard?aba=contatos')
  await sees(ana.page.getByRole('list', { name: 'Contatos' }))
  await phone.click(`conversa:${id}`)
  await seesOnce(ana, 'e a nozes')
})

test('the owner writes first to a contato whom the bot serves', async () => {
  await counter.says(TERESA, 'oi')
  await expect.poll(async () => (await counter.received(TERESA)).length).toBeGreaterThan(0)
  await ana.page.getByRole('button', { name: 'Voltar às conversas' }).click()
  await ana.page.getByTitle('Contatos').click()
  await ana.page.getByRole('searchbox').fill('teresa')
  // The row moves when the filtered list arrives, and a press on it would end on another place.
  await expect.poll(() => ana.page.getByRole('list', { name: 'Contatos' }).getByRole('listitem').count()).toBe(1)
  await ana.page.getByRole('button', { name: `Escrever para ${TERESA.nome}` }).click()
  const dialog = ana.page.getByRole('dialog')
  await dialog.getByLabel('Mensagem').fill('Seu pedido chegou.')
  await counter.look(ana)
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await seesOnce(ana, 'Seu pedido chegou.')
  await sees(chat(ana).getByText('Em atendimento com você'))
  await expect.poll(async () => (await counter.received(TERESA)).at(-1)).toBe('Seu pedido chegou.')
  await counter.look(ana)
})

test('an operador finds a word and opens its message', async () => {
  await counter.says(JOAO, 'Vocês fazem bolo de fubá?')
  await expect.poll(() => card(bruno, JOAO).textContent()).toContain('fubá')
  const search = bruno.page.getByRole('searchbox', { name: /Buscar/ })
  const place = await search.boundingBox()
  await search.fill('bolos FUBA')
  await bruno.page.getByRole('button', { name: /nas mensagens/ }).click()
  const results = bruno.page.getByRole('list', { name: 'Mensagens encontradas' })
  await sees(results)
  await counter.look(bruno)
  await results.getByRole('button', { name: /fubá/ }).click()
  await sees(bubble(bruno, 'Vocês fazem bolo de fubá?'))
  await expect.poll(() => bruno.page.locator('[data-mensagem]:focus').textContent()).toContain('fubá')
  await counter.look(bruno)
  // Only the mensagens scroll.
  expect(await search.boundingBox()).toEqual(place)
  await search.fill('')
})

test('an operador acts in one of two windows, and the other one shows it', async () => {
  const other = { ...bruno }
  await openPanel(other, counter)
  await counter.says(CAIO, 'oi', '1')
  await opens(bruno, CAIO)
  await opens(other, CAIO)
  await writes(bruno, 'Bom dia, Caio!')
  for (const window of [bruno, other]) await seesOnce(window, 'Bom dia, Caio!')
  await chooses(other, 'Mais ações', 'Devolver à fila')
  for (const window of [bruno, other]) await sees(chat(window).getByText(/^Aguardando há/))
  await chat(bruno).getByRole('button', { name: 'Assumir' }).click()
  for (const window of [bruno, other]) await sees(chat(window).getByText('Em atendimento com você'))
  await other.page.close()
})

test('an operador sends and transfers on a slow network that loses answers, and nothing happens twice', async () => {
  const { page } = bruno
  const cdp = await loseAnswers(page, ['mensagem', 'transferir'])
  const field = page.getByPlaceholder(/Escreva/)
  await field.fill('Sai às 16h.')
  for (const key of ['Enter', 'Enter', 'Enter']) await field.press(key)
  await seesOnce(bruno, 'Sai às 16h.')
  const sent = async (): Promise<number> =>
    (await counter.received(CAIO)).filter((text) => text === 'Sai às 16h.').length
  await expect.poll(sent).toBe(1)
  await chat(bruno).getByRole('button', { name: 'Transferir' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Vou almoçar')
  await dialog.getByRole('button', { name: CARLA.nome }).dblclick()
  await waitForNotice(page, `foi para ${CARLA.nome}.`)
  await sees(chat(bruno).getByText(`Em atendimento com ${CARLA.nome}`))
  await counter.look(bruno)
  await opens(carla, CAIO)
  for (const person of [bruno, carla]) {
    for (const text of ['Sai às 16h.', 'Vou almoçar']) await seesOnce(person, text)
  }
  expect(await sent()).toBe(1)
  await cdp.detach()
})

test('the owner removes an operador who types: logged out, and the conversas go to other people', async () => {
  await carla.page.getByPlaceholder(/Escreva/).pressSequentially('Já volto com')
  await ana.page.goto(`${counter.product.url}${INBOX}`)
  // On a phone the acts of the list stand behind the search.
  await ana.page.getByRole('button', { name: 'Buscar e filtrar' }).click()
  await chooses(ana, 'Equipe e resultados', 'Equipe')
  await chooses(ana, `Ações para ${CARLA.nome}`, 'Remover da equipe')
  await counter.look(ana)
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click()
  await carla.page.waitForURL('**/login*')
  const served = async (): Promise<(string | null)[]> =>
    Promise.all([MARINA, JOAO, CAIO].map((customer) => card(bruno, customer).textContent()))
  await expect.poll(async () => (await served()).filter((text) => text?.includes(CARLA.nome))).toEqual([])
  await expect.poll(async () => (await served()).filter((text) => /Você(?!:)/.test(text ?? ''))).toHaveLength(2)
  await counter.look(bruno)
  expect(JSON.stringify(await counter.received(CAIO))).not.toContain('Já volto')
})

test('the team sees no error, no English word and one operador for each change of a conversa', () => {
  expect([...counter.watch.owners].filter(([, names]) => names.size > 1)).toEqual([])
  expect(counter.watch.owners.size).toBeGreaterThan(20)
  expect([...counter.watch.words]).toEqual([])
  // The test drops two answers, and the server refuses the session of the removed operador.
  const expected = /ERR_CONNECTION_CLOSED .*\/(mensagem|transferir)$|status of 401/
  expect(counter.watch.errors.filter((one) => !expected.test(one))).toEqual([])
})
