import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { makeConversa, makeConversas, minutesAgo } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  conversaRow,
  emitCustomerMensagem,
  listedNames,
  openFilters,
  openName,
  sentBodies,
  setupAtendimento,
  viewTab,
  waitForSocket,
} from './tab.ts'

const open = setupAtendimento()

const MINE = { status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' } as const
const LATE = makeConversa({ id: 'c7', nome: 'Bianca Reis', ...MINE, semRespostaDesde: minutesAgo(12) })
const crowd = () => [...makeConversas(), LATE]

it('shows each view with its number, those without an answer first', async () => {
  open({ open: crowd() })
  await expect.element(viewTab('Minhas 2')).toBeVisible()
  await expect.element(viewTab('Fila 3')).toBeVisible()
  await expect.element(viewTab('Todas 5')).toHaveAttribute('aria-pressed', 'true')
  await expect
    .poll(listedNames)
    .toEqual(['Studio Bela Vista', 'Bianca Reis', 'Rafa', 'Marina Duarte', 'João Pedro Alves'])
  await viewTab('Minhas').click()
  await expect.poll(listedNames).toEqual(['Bianca Reis', 'João Pedro Alves'])
  await viewTab('Fila').click()
  await expect.poll(listedNames).toEqual(['Studio Bela Vista', 'Rafa', 'Marina Duarte'])
  await openFilters()
  await button('Sem resposta').click()
  await expect.poll(listedNames).toEqual(['Studio Bela Vista', 'Bianca Reis', 'Rafa', 'Marina Duarte'])
  await expectAccessible()
})

it('says how long a customer has no answer, read or not, and does not repeat the state of its view', async () => {
  open({ open: crowd() })
  const late = conversaRow('Bianca')
  await expect.element(late.getByText('Sem resposta há 12 min')).toBeVisible()
  expect(late.element().querySelector('[data-sem-resposta]')?.getAttribute('data-sem-resposta')).toBe('atencao')
  await expect.element(late.getByText('Você', { exact: true })).toBeVisible()
  await expect.element(conversaRow('Rafa').getByText('Aguardando')).toBeVisible()
  await viewTab('Fila').click()
  await expect.poll(() => conversaRow('Rafa').getByText('Aguardando').query()).toBeNull()
  await viewTab('Todas').click()
  await late.click()
  await expect.element(openName('Bianca Reis')).toBeVisible()
  await expect.element(late.getByText('Sem resposta há 12 min')).toBeVisible()
})

it('follows answers, new messages and numbers by events', async () => {
  open({ open: crowd() })
  await expect.element(conversaRow('Bianca')).toBeVisible()
  await waitForSocket()
  const { id, status, setor, operadorId, operador } = LATE
  const situacao = { revisao: 9, status, setor, naoLidas: 0, ultimaAtividade: minutesAgo(0), semRespostaDesde: null }
  const answered = { userId: CONTA_ID, conversaId: id, operadorId: operadorId ?? '', operador: operador ?? '' }
  fakeSocket.emit('conversaAssumida', { ...answered, situacao: { ...situacao, operadorId, operador } })
  await expect
    .poll(() =>
      conversaRow('Bianca')
        .getByText(/Sem resposta/)
        .query(),
    )
    .toBeNull()
  const contagens = { minhas: 7, minhasSemResposta: 0, fila: 8, mencoes: 9, todas: 10 }
  fakeSocket.emit('contagensMudaram', { userId: 'outra-conta', ...contagens, minhas: 99 })
  fakeSocket.emit('contagensMudaram', { userId: CONTA_ID, ...contagens })
  await expect.element(viewTab('Minhas 7')).toBeVisible()
  await expect.element(viewTab('Menções 9')).toBeVisible()
})

it('hides a conversa with a reminder until the customer writes, but not in Todas', async () => {
  const minha = { naoLidas: 0, marcada: false, fixada: false, lembrarEm: minutesAgo(-60) }
  open({ open: crowd().map((one) => (one.id === 'c7' ? { ...one, minha } : one)) })
  await expect.element(conversaRow('Bianca').getByText('Com lembrete')).toBeInTheDocument()
  await waitForSocket()
  await viewTab('Minhas').click()
  await expect.poll(listedNames).toEqual(['João Pedro Alves'])
  emitCustomerMensagem('c7', { texto: 'Voltei', remetente: 'Bianca Reis' })
  await expect.poll(listedNames).toEqual(['Bianca Reis', 'João Pedro Alves'])
})

it('lists mentions of the server, explains empty views and returns to the last view', async () => {
  const app = open({ open: makeConversas(), mencoes: ['c3'] })
  await viewTab('Menções 1').click()
  await expect.poll(listedNames).toEqual(['Studio Bela Vista'])
  await waitForSocket()
  app.conversaServer.mencoes = []
  const read = { naoLidas: 0, marcada: false, fixada: false }
  fakeSocket.emit('leituraMudou', { userId: CONTA_ID, conversaId: 'c3', minha: read })
  await expect.element(page.getByText('Nenhuma menção')).toBeVisible()
  app.unmount()
  open({ open: [] })
  await expect.element(viewTab('Menções')).toHaveAttribute('aria-pressed', 'true')
  await viewTab('Fila').click()
  await expect.element(page.getByText('Ninguém na fila')).toBeVisible()
  await expectAccessible()
})

it('opens the customer who waits longest, also from another view', async () => {
  open({ open: crowd() })
  await viewTab('Minhas').click()
  await button('Abrir a que espera há mais tempo').click()
  await expect.element(openName('Studio Bela Vista')).toBeVisible()
})

describe('Context menu of a row', () => {
  const choose = async (row: string, item: string): Promise<void> => {
    await conversaRow(row).click({ button: 'right' })
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  it('pins a conversa to the top and reports the limit', async () => {
    const app = open({ open: crowd() })
    await choose('João', 'Fixar no topo')
    await expect.poll(() => listedNames()[0]).toBe('João Pedro Alves')
    expect(sentBodies(app, 'PUT /atendimento/conversas/c2/fixar')).toEqual([{ fixada: true }])
    await expect.element(conversaRow('João').getByText('Fixada no topo')).toBeInTheDocument()
    app.api.on('PUT /atendimento/conversas/c4/fixar', () =>
      refusal(409, 'limiteDeItens', 'Você já fixou 10 conversas.'),
    )
    await choose('Rafa', 'Fixar no topo')
    await expect.element(aviso('Você já fixou 10 conversas.')).toBeVisible()
    await expect.poll(() => conversaRow('Rafa').getByText('Fixada no topo').query()).toBeNull()
  })

  it('sets a reminder, takes it back and marks as unread and read', async () => {
    const app = open({ open: crowd() })
    await viewTab('Minhas').click()
    await choose('Bianca', 'Lembrar amanhã às 8 h')
    await expect.poll(listedNames).toEqual(['João Pedro Alves'])
    const [sent] = sentBodies(app, 'PUT /atendimento/conversas/c7/lembrar')
    expect(sent).toMatchObject({ em: expect.stringMatching(/T11:00:00.000Z$/) })
    await viewTab('Todas').click()
    await choose('Bianca', 'Tirar lembrete')
    await expect.poll(() => conversaRow('Bianca').getByText('Com lembrete').query()).toBeNull()
    await choose('João', 'Marcar como não lida')
    await expect.element(conversaRow('João').getByText('1 não lida')).toBeInTheDocument()
    await choose('João', 'Marcar como lida')
    await expect.poll(() => conversaRow('João').getByText('1 não lida').query()).toBeNull()
    expect(sentBodies(app, 'PUT /atendimento/conversas/c2/leitura')).toEqual([{ marcada: true }, { ate: 'j2' }])
  })

  it('opens by keyboard, passes axe and returns the focus to its row', async () => {
    open({ open: crowd() })
    await conversaRow('Rafa').click({ button: 'right' })
    await expect.element(page.getByRole('menuitem').first()).toHaveFocus()
    await expectAccessible()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByRole('menuitem', { name: 'Fixar no topo' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(conversaRow('Rafa')).toHaveFocus()
  })
})

it('shows that a colleague writes, in the list and in the chat', async () => {
  open({ open: crowd() }, '/dashboard?aba=atendimento&c=c3')
  await expect.element(openName('Studio Bela Vista')).toBeVisible()
  await expect.element(chat).toBeVisible()
  await waitForSocket()
  const typing = { userId: CONTA_ID, conversaId: 'c3', operadorId: 'u1', operador: 'Ana Ribeiro' }
  fakeSocket.emit('colegaDigitando', typing)
  fakeSocket.emit('colegaDigitando', { ...typing, operadorId: 'u2', operador: 'Bruna' })
  await expect.element(conversaRow('Studio').getByText('Bruna está escrevendo…')).toBeVisible()
  await expect.element(chat.getByText('Bruna está escrevendo…')).toBeVisible()
  expect(page.getByText('Ana Ribeiro está escrevendo…').query()).toBeNull()
})

describe('After Finalizar', () => {
  const finish = async (): Promise<void> => {
    await button('Finalizar').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Finalizar' }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
  }

  it('opens the own conversa that has no answer for the longest time', async () => {
    open({ open: crowd() }, '/dashboard?aba=atendimento&c=c2')
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await finish()
    await expect.element(openName('Bianca Reis')).toBeVisible()
  })

  it('opens nothing once it is switched off', async () => {
    open({ open: crowd() }, '/dashboard?aba=atendimento&c=c2')
    await button('Opções de notificação').click()
    await page.getByRole('switch', { name: /^Abrir a próxima ao finalizar/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).click()
    await finish()
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
  })
})
