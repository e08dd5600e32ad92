import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { makeConversa, makeConversas, minutesAgo } from './sample-conversas.ts'
import {
  button,
  conversaRow,
  emitCustomerMensagem,
  listedNames,
  openFilters,
  openName,
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
