import { fakeSocket } from '../dashboard/fake-socket.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ENTREGA, LINHAS, SITE } from '#test/atendimento/sample-linhas.ts'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { ok } from '#test/fake-api.ts'
import { shortenWaits } from '#test/short-waits.ts'
import { addLog, button, type LogsTestApp, makeLog, makeMensagemBot, openLogsTab, waitForLive } from './tab.ts'

let app: LogsTestApp | null = null
afterEach(async () => {
  app?.panel.unmount()
  await page.viewport(1366, 800)
})

const choice = page.getByLabelText('Linha', { exact: true })
const open = (query = ''): LogsTestApp => (app = openLogsTab(2, query, { linhas: LINHAS }))

describe('Logs of a line', () => {
  it('are kept in the address, follow new entries by a refetch, and are cleared with the others', async () => {
    shortenWaits()
    const screen = open()
    await userEvent.selectOptions(choice, ENTREGA.nome)
    await expect.poll(() => location.search).toContain(`linha=${ENTREGA.id}`)
    await expect.poll(() => screen.requests.at(-1)).toContain(`linha=${ENTREGA.id}`)
    await expectAccessible()
    await waitForLive()
    const before = screen.requests.length
    addLog(screen, makeLog(9, 'bot', 'Chegou agora'))
    await expect.element(page.getByText('Chegou agora')).toBeVisible()
    expect(screen.requests.length).toBeGreaterThan(before)
    screen.logs = []
    await button('Atualizar').click()
    await expect.element(page.getByText(/outro tipo, outra linha ou um período maior/)).toBeVisible()
    await button('Limpar filtros').click()
    await expect.element(choice).toHaveValue('')
    expect(location.search).not.toContain('linha')
  })

  it('open from an address with a line that was deleted', async () => {
    open('&linha=l0')
    await expect.element(choice).toHaveValue('l0')
    await expect.element(choice.getByRole('option', { name: 'Outra linha' })).toBeInTheDocument()
  })

  it('are not offered with one line', async () => {
    app = openLogsTab(2)
    await expect.element(page.getByText('Registro 2')).toBeVisible()
    expect(choice.query()).toBeNull()
    await page.getByRole('tab', { name: 'Mensagens' }).click()
    await expect.element(page.getByText('Nenhuma mensagem ainda')).toBeVisible()
    expect(choice.query()).toBeNull()
  })
})

it('lists the messages of a line and takes no new one of another line from an event', async () => {
  const screen = open('&lista=mensagens')
  const [known, other] = [makeMensagemBot(1), makeMensagemBot(2, { conteudo: 'De outra linha' })]
  screen.panel.api.on('GET /mensagens', ({ url }) => {
    const linha = url.searchParams.get('linha')
    return ok({ mensagens: linha === SITE.id ? [] : linha === ENTREGA.id ? [known] : [known, other] })
  })
  await userEvent.selectOptions(choice, ENTREGA.nome)
  await expect.element(page.getByText('Mensagem 1', { exact: true })).toBeVisible()
  await expect.poll(() => page.getByText('De outra linha').query()).toBeNull()
  await expect.poll(() => fakeSocket.connectionCount()).toBe(1)
  await expectAccessible()
  fakeSocket.emit('botMensagem', { ...makeMensagemBot(3, { conteudo: 'Nova de outra' }), userId: CONTA_ID })
  fakeSocket.emit('botMensagem', { ...known, conteudo: 'Mudou', userId: CONTA_ID })
  await expect.element(page.getByText('Mudou')).toBeVisible()
  expect(page.getByText('Nova de outra').query()).toBeNull()
  await userEvent.selectOptions(choice, SITE.nome)
  await expect.element(page.getByText('Nenhuma mensagem nesta linha')).toBeVisible()
  await button('Ver todas as linhas').click()
  await expect.element(page.getByText('De outra linha')).toBeVisible()
})
