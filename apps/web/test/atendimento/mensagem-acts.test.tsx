import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeBotStatus } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeProduto } from '#test/loja/tab.ts'
import { makeConversa, makeMensagem, makeSentMensagem, minutesAgo } from './sample-conversas.ts'
import { type AtendimentoTestApp, aviso, chat, sentBodies, setupAtendimento } from './tab.ts'

const ANA = 'Ana Ribeiro'

const openTab = setupAtendimento()
const THEIRS = makeMensagem({ id: 'j1', texto: 'Fica na Rua A, 10', timestamp: minutesAgo(12) })
const OURS = makeSentMensagem('Sai as 9h', { id: 'j2', estado: 'lida', timestamp: minutesAgo(5), remetente: ANA })
const CUSTOMERS = ['Bia', 'Caio', 'Davi', 'Eva', 'Fábio', 'Gil']

function open(): AtendimentoTestApp {
  const mine = { operadorId: 'u1', operador: ANA, status: 'em_atendimento' } as const
  const others = CUSTOMERS.map((nome, index) =>
    makeConversa({ ...mine, id: `d${index}`, cliente: { nome, telefone: `551190000000${index}` }, mensagens: [] }),
  )
  const bot = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true, conector: 'whatsapp' })
  const served = makeConversa({ ...mine, id: 'c2', mensagens: [THEIRS, OURS] })
  return openTab({ open: [served, ...others] }, '/dashboard?aba=atendimento&c=c2', { bot })
}

const menu = page.getByRole('menu', { name: 'Ações da mensagem' })
const triggers = chat.getByRole('button', { name: 'Ações da mensagem' })
const openMenu = async (index: number): Promise<void> => {
  await expect.poll(() => triggers.elements().length).toBe(2)
  const trigger = triggers.nth(index).element()
  if (trigger instanceof HTMLElement) trigger.focus()
  await userEvent.keyboard('{Enter}')
}
const chooseOf = async (index: number, act: string): Promise<void> => {
  await openMenu(index)
  await menu.getByRole('menuitem', { name: act }).click()
}

describe('Menu of a mensagem', () => {
  beforeEach(() => page.viewport(360, 740))

  it('forwards to at most five conversas and names the refused ones', async () => {
    const painel = open()
    painel.api.on('POST /atendimento/mensagens/j1/encaminhar', () =>
      ok({ feitas: ['d1'], recusadas: [{ id: 'd4', codigo: 'janelaFechada' }] }),
    )
    await chooseOf(0, 'Encaminhar')
    const dialog = page.getByRole('dialog', { name: 'Encaminhar mensagem' })
    await expect.element(dialog.getByRole('searchbox')).toHaveFocus()
    await expectAccessible()
    for (const nome of ['Bia', 'Caio', 'Davi', 'Eva', 'Fábio']) {
      await dialog.getByRole('checkbox', { name: new RegExp(`^${nome}`) }).click()
    }
    await expect.element(dialog.getByRole('checkbox', { name: /^Gil/ })).toBeDisabled()
    await dialog.getByRole('searchbox').fill('fabio')
    await expect.poll(() => dialog.getByRole('checkbox').elements().length).toBe(1)
    await dialog.getByRole('button', { name: 'Encaminhar para 5 conversas' }).click()
    await expect.element(aviso('Encaminhada para Caio.')).toBeVisible()
    await expect.element(aviso(/Fábio: sem mensagem do cliente há 24 horas/)).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    const bodies = sentBodies(painel, 'POST /atendimento/mensagens/j1/encaminhar')
    expect(bodies).toEqual([{ conversaIds: ['d0', 'd1', 'd2', 'd3', 'd4'] }])
  })

  it('edits an own text, shows the refusal and then the new text', async () => {
    const painel = open()
    const edited = { ...OURS, revisao: 1, editada: true, edicao: 'Sai às 9h' }
    painel.api.on('PUT /atendimento/mensagens/j2', () => refusal(409, 'prazoDaMensagem', 'Passou o tempo.'))
    await chooseOf(1, 'Editar')
    const field = page.getByRole('textbox', { name: 'Texto' })
    await expect.element(field).toHaveFocus()
    await expectAccessible()
    await field.fill('Sai às 9h')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(aviso('Erro ao editar mensagem: Passou o tempo.')).toBeVisible()
    painel.api.on('PUT /atendimento/mensagens/j2', () => ok({ conversaId: 'c2', mensagem: edited }))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(chat.getByText('Sai às 9h')).toBeVisible()
    await expect.element(chat.getByText('editada')).toBeVisible()
    await expect.element(field).not.toBeInTheDocument()
  })

  it('deletes an own mensagem after a confirmation', async () => {
    const painel = open()
    const deleted = { ...OURS, revisao: 1, apagada: true }
    painel.api.on('DELETE /atendimento/mensagens/j2', () => ok({ conversaId: 'c2', mensagem: deleted }))
    await chooseOf(1, 'Apagar para todos')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Apagar' }).click()
    await expect.element(chat.getByText('Apagada para todos')).toBeVisible()
  })

  it('offers neither edit nor deletion for a customer’s mensagem', async () => {
    open()
    await openMenu(0)
    await expect.element(menu.getByRole('menuitem', { name: 'Copiar' })).toBeVisible()
    expect(
      menu
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent.trim()),
    ).toEqual([...['Responder', 'Copiar', 'Encaminhar']])
  })
})

describe('Produto from the chat', () => {
  it('finds a produto by price and sends it with one press', async () => {
    const painel = open()
    const produtos = [
      makeProduto({ id: 'p1', nome: 'Bolo de cenoura', preco: 35 }),
      makeProduto({ id: 'p2', nome: 'Café', preco: 6.5 }),
    ]
    painel.api.on('GET /atendimento/produtos', () => ok({ produtos }))
    const sent = makeSentMensagem('*Café*', { id: 'p' })
    painel.api.on('POST /atendimento/conversas/c2/produto', () => ({ ...ok({ conversaId: 'c2', mensagem: sent }) }))
    await page.getByRole('button', { name: 'Enviar produto' }).click()
    const dialog = page.getByRole('dialog', { name: 'Enviar produto' })
    await expect.element(dialog.getByRole('searchbox')).toHaveFocus()
    await expect.poll(() => dialog.getByRole('listitem').elements().length).toBe(2)
    await expectAccessible()
    await dialog.getByRole('searchbox').fill('6,50')
    await dialog.getByRole('button', { name: /^Café/ }).click()
    await expect.element(chat.getByText('Café', { exact: true })).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(sentBodies(painel, 'POST /atendimento/conversas/c2/produto')).toEqual([{ produtoId: 'p2' }])
  })
})
