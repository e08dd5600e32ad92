import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { makeConversa, makeMensagem, minutesAgo } from './sample-conversas.ts'
import { aviso, button, chat, composer, sentBodies, setupAtendimento, waitForSocket } from './tab.ts'

const open = setupAtendimento()

const URL = '/dashboard?aba=atendimento&c=c1'
const ANA = { id: 'u1', nome: 'Ana Ribeiro', setores: [], linhas: [] }
const BRUNO = { id: 'u2', nome: 'Bruno Lima', setores: [], linhas: [] }
const BRUNA = { id: 'u3', nome: 'Bruna', setores: ['vendas'], linhas: [] }
const CAIO = { id: 'u4', nome: 'Caio Reis', setores: ['financeiro'], linhas: [] }

const makeNota = (fields: Partial<NotaConversa> = {}): NotaConversa => ({
  id: 'n1',
  texto: 'Cliente antiga, @Ana Ribeiro cuida.',
  autor: 'Bruno Lima',
  autorId: 'u2',
  mencoes: ['u1'],
  criadaEm: minutesAgo(4),
  ...fields,
})

const notaField = page.getByRole('textbox', { name: 'Nota interna para a equipe' })

function openWithNotas() {
  const mensagens = [
    makeMensagem({ id: 'm1', texto: 'Primeira', timestamp: minutesAgo(6) }),
    makeMensagem({ id: 'm2', texto: 'Segunda', timestamp: minutesAgo(2) }),
  ]
  const app = open(
    {
      open: [makeConversa({ mensagens })],
      notas: { c1: [makeNota({ id: 'n2', texto: 'Depois', mencoes: [], criadaEm: minutesAgo(1) }), makeNota()] },
      atendentes: [ANA, BRUNA, BRUNO, CAIO],
    },
    URL,
  )
  app.api.on('POST /atendimento/conversas/c1/notas', ({ body }: FakeRequest) => {
    const nota = makeNota({
      id: 'n3',
      autorId: 'u1',
      autor: 'Ana Ribeiro',
      criadaEm: new Date().toISOString(),
      ...Object(body),
    })
    fakeSocket.emit('notaConversa', { userId: CONTA_ID, conversaId: 'c1', nota })
    return ok({ nota })
  })
  return app
}

it('shows notas between the messages in another colour, with author and mentions', async () => {
  openWithNotas()
  await expect.element(chat.getByText('Depois')).toBeVisible()
  expect(
    [...chat.element().querySelectorAll('[data-mensagem]')].map((one) => one.getAttribute('data-mensagem')),
  ).toEqual(['m1', 'n1', 'm2', 'n2'])
  const nota = chat.getByRole('listitem').filter({ hasText: 'Cliente antiga' })
  await expect.element(nota.getByText('Nota de Bruno Lima')).toBeVisible()
  await expect.element(nota.getByText('@Ana Ribeiro')).toBeVisible()
  const colour = (element: Element): string => getComputedStyle(element).backgroundColor
  const bubble = chat.getByText('Segunda').element().closest('div')
  expect(colour(nota.element())).not.toBe(colour(bubble ?? document.body))
  await waitForSocket()
  const fresh = makeNota({ id: 'n9', texto: 'Chegou agora', mencoes: [], criadaEm: new Date().toISOString() })
  fakeSocket.emit('notaConversa', {
    userId: 'outra-conta',
    conversaId: 'c1',
    nota: { ...fresh, id: 'x', texto: 'De fora' },
  })
  fakeSocket.emit('notaConversa', { userId: CONTA_ID, conversaId: 'c1', nota: fresh })
  await expect.element(chat.getByText('Chegou agora')).toBeInViewport()
  expect(chat.getByText('De fora').query()).toBeNull()
})

it('writes a nota with mentions of people who may see the conversa, and never a message', async () => {
  const app = openWithNotas()
  await composer.fill('Rascunho ao cliente')
  await button('Nota interna').click()
  await expect.element(notaField).toHaveFocus()
  await expect.element(page.getByText('O cliente não recebe')).toBeVisible()
  expect(button('Enviar').query()).toBeNull()
  await userEvent.keyboard('Ver com @bru')
  const people = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => people.elements().map((one) => one.textContent)).toEqual(['Bruna', 'Bruno Lima'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(notaField).toHaveValue('Ver com @Bruno Lima ')
  await userEvent.keyboard('hoje{Enter}')
  await expect.element(chat.getByText('Nota de você')).toBeVisible()
  await expect.element(notaField).toHaveValue('')
  expect(sentBodies(app, 'POST /atendimento/conversas/c1/notas')).toEqual([
    { texto: 'Ver com @Bruno Lima hoje', mencoes: ['u2'] },
  ])
  expect(sentBodies(app, 'POST /atendimento/conversas/c1/mensagem')).toEqual([])
  await expect.poll(() => chat.getByText('Nota de você').elements()).toHaveLength(1)
  await userEvent.keyboard('{Escape}')
  await expect.element(composer).toHaveValue('Rascunho ao cliente')
})

it('keeps a nota that could not be saved, and offers notas by key in a finished conversa', async () => {
  const fim = makeConversa({ status: 'finalizada', finalizadaEm: minutesAgo(1) })
  const app = open({ open: [], finished: [fim] }, URL)
  app.api.on('POST /atendimento/conversas/c1/notas', () => refusal(400, 'dadosInvalidos', 'Nota recusada.'))
  await expect.element(composer).toBeDisabled()
  await userEvent.keyboard('n')
  await expect.element(notaField).toHaveFocus()
  await userEvent.keyboard('Ligar amanhã{Enter}')
  await expect.element(aviso('Erro ao salvar a nota: Nota recusada.')).toBeVisible()
  await expect.element(notaField).toHaveValue('Ligar amanhã')
})

it('says that the notas did not arrive and passes axe while a nota is written on a phone', async () => {
  await page.viewport(360, 740)
  const app = openWithNotas()
  app.api.on('GET /atendimento/conversas/c1/notas', () => refusal(400, 'x', 'Não.'))
  await expect.element(page.getByText('As notas não chegaram.')).toBeVisible()
  app.api.on('GET /atendimento/conversas/c1/notas', () => ok({ notas: [makeNota()], proximoCursor: null }))
  await button('Tentar de novo').click()
  await expect.element(chat.getByText('Nota de Bruno Lima')).toBeVisible()
  await button('Mais ações').click()
  await page.getByRole('menuitem', { name: 'Escrever nota' }).click()
  await expect.element(notaField).toHaveFocus()
  await notaField.fill('@')
  await expectAccessible()
})
