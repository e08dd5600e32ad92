import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { makeConversas, minutesAgo } from './sample-conversas.ts'
import {
  aviso,
  button,
  conversaList,
  conversaRow,
  listedNames,
  sentBodies,
  setupAtendimento,
  waitForSocket,
  openFilters,
} from './tab.ts'

const open = setupAtendimento()

const VIP: Etiqueta = { id: 'e1', nome: 'VIP', cor: 'purple' }
const ATACADO: Etiqueta = { id: 'e2', nome: 'Atacado', cor: 'orange' }

const contato = (etiquetas: readonly string[]) => ({
  id: 'k1',
  nome: 'Marina Duarte',
  telefone: '5511987654321',
  etiquetas,
  observacao: '',
  criadoEm: minutesAgo(60),
  ultimaAtividade: minutesAgo(3),
})

function openWithEtiquetas(url = '/dashboard?aba=atendimento&c=c1') {
  const conversas = makeConversas().map((one, index) => ({
    ...one,
    contatoId: `k${index + 1}`,
    etiquetas: index === 0 ? ['e1', 'apagada'] : [],
  }))
  const app = open(
    {
      open: conversas,
      etiquetas: [ATACADO, VIP],
      atendentes: [
        { id: 'u1', nome: 'Ana Ribeiro', setores: [], linhas: [] },
        { id: 'u2', nome: 'Bruno Lima', setores: [], linhas: [] },
      ],
    },
    url,
  )
  app.api.on('PUT /contatos/k1', ({ body }: FakeRequest) => ok({ contato: { ...contato([]), ...Object(body) } }))
  return app
}

const details = page.getByRole('complementary', { name: 'Detalhes' })

// Below this width the details are closed.
beforeEach(() => page.viewport(1536, 800))

it('shows etiquetas in list and details, and adds, creates and removes them', async () => {
  await page.viewport(1600, 900)
  const app = openWithEtiquetas()
  await expect.element(conversaRow('Marina').getByText('VIP')).toBeVisible()
  await expect.element(details.getByText('VIP')).toBeVisible()
  app.api.on('POST /etiquetas', ({ body }) => {
    const etiqueta = { id: 'e3', cor: 'blue', ...Object(body) }
    app.conversaServer.etiquetas = [...app.conversaServer.etiquetas, etiqueta]
    return ok({ etiqueta })
  })
  await details.getByRole('button', { name: 'Ver e criar etiquetas' }).click()
  const dialog = page.getByRole('dialog', { name: 'Etiquetas de Marina Duarte' })
  await dialog.getByRole('checkbox', { name: /Atacado/ }).click()
  await expect.element(conversaRow('Marina').getByText('Atacado')).toBeVisible()
  await expect.element(dialog.getByRole('checkbox', { name: /Atacado/ })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Nova etiqueta' }).fill('Aniversário')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('checkbox', { name: /Aniversário/ })).toBeChecked()
  await userEvent.keyboard('{Escape}')
  await details.getByRole('button', { name: 'Tirar a etiqueta VIP' }).click()
  await expect.element(conversaRow('Marina').getByText('VIP')).not.toBeInTheDocument()
  expect(sentBodies(app, 'PUT /contatos/k1')).toEqual([
    { etiquetas: ['e1', 'apagada', 'e2'] },
    { etiquetas: ['e1', 'apagada', 'e2', 'e3'] },
    { etiquetas: ['apagada', 'e2', 'e3'] },
  ])
  app.api.on('PUT /contatos/k1', () => refusal(400, 'dadosInvalidos', 'Etiqueta apagada.'))
  await details.getByRole('button', { name: 'Tirar a etiqueta Atacado' }).click()
  await expect.element(aviso('Erro ao salvar as etiquetas: Etiqueta apagada.')).toBeVisible()
  await expect.element(details.getByText('Atacado')).toBeVisible()
})

it('follows etiquetas that other people set, also new ones', async () => {
  await page.viewport(1600, 900)
  const app = openWithEtiquetas()
  await expect.element(details.getByText('VIP')).toBeVisible()
  await waitForSocket()
  app.conversaServer.etiquetas = [...app.conversaServer.etiquetas, { id: 'e9', nome: 'Revenda', cor: 'green' }]
  fakeSocket.emit('contatoMudou', { userId: CONTA_ID, contato: { ...contato([]), etiquetas: ['e9'] } })
  await expect.element(conversaRow('Marina').getByText('Revenda')).toBeVisible()
  await expect.element(details.getByText('VIP')).not.toBeInTheDocument()
})

it('renames an etiqueta that another window renamed', async () => {
  await page.viewport(1600, 900)
  const app = openWithEtiquetas()
  await expect.element(conversaRow('Marina').getByText('VIP')).toBeVisible()
  await waitForSocket()
  app.conversaServer.etiquetas = app.conversaServer.etiquetas.map((one) =>
    one.nome === 'VIP' ? { ...one, nome: 'Ouro' } : one,
  )
  fakeSocket.emit('contatoMudou', { userId: CONTA_ID, contato: { ...contato([]), etiquetas: ['e1'] } })
  await expect.element(conversaRow('Marina').getByText('Ouro')).toBeVisible()
  await expect.element(details.getByText('Ouro')).toBeVisible()
})

it('narrows the list to an etiqueta and to a person', async () => {
  openWithEtiquetas('/dashboard?aba=atendimento')
  await expect.element(conversaList).toBeVisible()
  await openFilters()
  const person = page.getByRole('combobox', { name: 'Pessoa' })
  await person.selectOptions('Minhas')
  await expect.poll(listedNames).toEqual(['João Pedro Alves'])
  await person.selectOptions('Sem atendente')
  await expect.poll(listedNames).toEqual(['Studio Bela Vista', 'Rafa', 'Marina Duarte'])
  await person.selectOptions('Bruno Lima')
  await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
  await person.selectOptions('Pessoas')
  await page.getByRole('combobox', { name: 'Etiqueta' }).selectOptions('VIP')
  await expect.poll(listedNames).toEqual(['Marina Duarte'])
  await expectAccessible()
})

it('asks the server for finished conversas with the same filters', async () => {
  const app = openWithEtiquetas('/dashboard?aba=atendimento')
  const asked: string[] = []
  await expect.element(conversaList).toBeVisible()
  app.api.on('GET /atendimento/conversas', ({ url }) => {
    asked.push(
      `${url.searchParams.get('status')} ${url.searchParams.get('operador')} ${url.searchParams.get('etiqueta')}`,
    )
    return ok({ conversas: [] })
  })
  await openFilters()
  await page.getByRole('combobox', { name: 'Pessoa' }).selectOptions('Bruno Lima')
  await page.getByRole('combobox', { name: 'Etiqueta' }).selectOptions('VIP')
  await button('Finalizadas').click()
  await expect.poll(() => asked).toContain('finalizada u2 e1')
})
