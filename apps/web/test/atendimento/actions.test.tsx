import { makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { defaultConfig } from '@balcao/contract/defaults'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { shortenWaits } from '#test/short-waits.ts'
import { makeConversa, makeSentMensagem, makeConversas } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  emitCustomerMensagem,
  composer,
  sentBodies,
  waitForSocket,
  conversaRow,
  conversaList,
  openName,
  setupAtendimento,
  openFilters,
} from './tab.ts'

const open = setupAtendimento()

const WITHOUT_SUPORTE = defaultConfig()
  .atendimento.setores.filter(({ id }) => id !== 'suporte')
  .map((setor) => (setor.id === 'vendas' ? { ...setor, nome: 'Balcão' } : setor))

describe('Conversa actions', () => {
  it('transfers to another setor and undoes it', async () => {
    const screen = open({}, '/dashboard?aba=atendimento&c=c2')
    await button('Transferir').click()
    await page
      .getByRole('dialog', { name: 'Transferir a conversa com João Pedro Alves' })
      .getByRole('button', { name: 'Vendas' })
      .click()
    await expect.element(aviso('João Pedro Alves foi para o setor Vendas.')).toBeVisible()
    await expect.element(conversaRow('João').getByText('Vendas')).toBeVisible()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(conversaRow('João').getByText('Suporte')).toBeVisible()
    expect(sentBodies(screen, 'POST /atendimento/conversas/c2/transferir')).toEqual([{ setor: 'vendas' }])
    expect(sentBodies(screen, 'POST /atendimento/conversas/c2/desfazer')).toHaveLength(1)
  })

  it('returns a conversa to the bot', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await button('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Devolver ao bot' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Devolver ao bot' }).click()
    await expect.element(aviso('João Pedro Alves voltou a falar com o bot.')).toBeVisible()
    await expect.poll(() => conversaRow('João').query()).toBeNull()
  })

  it('resends a failed mensagem', async () => {
    const failed = makeSentMensagem('Seu pedido saiu', { id: 'f1', estado: 'falhou', erro: 'O celular está sem rede.' })
    const { api } = open({ open: [makeConversa({ mensagens: [failed] })] }, '/dashboard?aba=atendimento&c=c1')
    const other = { ...failed, estado: 'pendente', erro: undefined }
    api.on('POST /atendimento/mensagens/f1/reenviar', () => ok({ mensagem: other, conversaId: 'c1' }))
    await expect.element(chat.getByText('O celular está sem rede.')).toBeVisible()
    await button('Tentar de novo').click()
    await expect.poll(() => chat.getByText('O celular está sem rede.').query()).toBeNull()
    await expect.poll(() => chat.getByText('Seu pedido saiu').elements()).toHaveLength(1)
  })

  it('shows only the owner why the AI answered', async () => {
    const daIa = makeSentMensagem('Temos de fubá e de cenoura.', { id: 'ia1', origem: 'ia', remetente: 'Bot' })
    const queue = { open: [makeConversa({ mensagens: [daIa] })] }
    const { api } = open(queue, '/dashboard?aba=atendimento&c=c1')
    api.on('GET /gemini/respostas/ia1', () => refusal(404, 'naoEncontrado', 'Não existe mais.'))
    await button('Por que respondeu isto?').click()
    await expect.element(page.getByRole('dialog', { name: 'Por que respondeu isto?' })).toBeVisible()
    open(queue, '/dashboard?aba=atendimento&c=c1', {
      usuario: makeUsuario({ id: 'u9', tipo: 'operador', setores: [] }),
    })
    await expect.element(chat.getByText('Temos de fubá e de cenoura.')).toBeVisible()
    await expect.poll(() => button('Por que respondeu isto?').query()).toBeNull()
  })

  it('keeps a draft per conversa and marks it in the list', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await composer.fill('Estou vendo')
    await conversaRow('Marina').click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await expect.element(composer).toHaveValue('')
    await expect.element(conversaRow('João').getByText('Rascunho:')).toBeVisible()
    await conversaRow('João').click()
    await expect.element(composer).toHaveValue('Estou vendo')
  })

  it('works without a mouse: J, K, Enter, A, T, E and Esc', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await expect.poll(() => userEvent.keyboard('j').then(() => document.activeElement?.textContent)).toContain('Studio')
    const comFoco = () => document.activeElement?.getAttribute('data-conversa')
    await userEvent.keyboard('j')
    await expect.poll(comFoco).toBe('c4')
    await userEvent.keyboard('j')
    await expect.poll(comFoco).toBe('c1')
    await userEvent.keyboard('k')
    await expect.poll(comFoco).toBe('c4')
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(openName('Rafa')).toHaveFocus()
    await userEvent.keyboard('a')
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    await userEvent.keyboard('t')
    await expect.element(page.getByRole('dialog', { name: 'Transferir a conversa com Rafa' })).toBeVisible()
    const motivo = page.getByRole('dialog').getByLabelText('Motivo (opcional)')
    await expect.element(motivo).toHaveFocus()
    await expect.element(motivo).toHaveValue('')
    await userEvent.keyboard('Nota{Tab}')
    await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Vendas' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('e')
    await expect.element(page.getByRole('alertdialog', { name: 'Finalizar a conversa com Rafa?' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(openName('Rafa')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('a')
    await expect.element(composer).toHaveValue('a')
    await userEvent.keyboard('{Escape}')
    await expect.element(openName('Rafa')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(conversaRow('Rafa')).toHaveFocus()
  })
})

describe('Atendimento toolbar', () => {
  it('creates a test conversa and lists it a second later', async () => {
    shortenWaits()
    const { api, conversaServer } = open({ open: [] })
    api.on('POST /atendimento/teste-conversa', () => {
      conversaServer.open = [makeConversa({ nome: 'Cliente de teste', teste: true })]
      return ok({ conversa: conversaServer.open[0] })
    })
    await page
      .getByRole('region', { name: 'Lista de conversas' })
      .getByRole('button', { name: 'Testar conversa' })
      .click()
    await page.getByRole('menuitem', { name: 'Suporte' }).click()
    await expect.element(aviso('Conversa de teste criada no setor Suporte!')).toBeVisible()
    await expect.element(conversaRow('Cliente de teste')).toBeVisible()
  })

  it.for([320, 768, 1024])('offers the three test conversas in one menu at %i px', async (width) => {
    await page.viewport(width, 740)
    open({ setores: WITHOUT_SUPORTE })
    await expect.element(conversaList).toBeVisible()
    if (width < 1024) await openFilters()
    await button('Testes').click()
    const items = page.getByRole('menu', { name: 'Testes' }).getByRole('menuitem')
    await expect
      .poll(() => items.elements().map((item) => item.textContent))
      .toEqual(['Balcão', 'SuporteEste setor foi removido.', 'Financeiro'])
    await expect.element(items.nth(1)).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible()
  })

  it('shows three test buttons with their names from 1280 px', async () => {
    await page.viewport(1280, 740)
    open({ setores: WITHOUT_SUPORTE })
    const buttons = page.getByRole('group', { name: 'Testar conversa' }).getByRole('button')
    await expect
      .poll(() => buttons.elements().map((one) => one.textContent))
      .toEqual(['Balcão', 'Suporte Este setor foi removido.', 'Financeiro'])
    await expectAccessible()
  })

  it('creates a test conversa for an operador by keyboard', async () => {
    const screen = open({ setores: WITHOUT_SUPORTE }, undefined, { usuario: makeUsuario({ tipo: 'operador' }) })
    screen.api.on('POST /atendimento/teste-conversa', () =>
      ok({ conversa: makeConversa({ nome: 'Cliente de teste' }) }),
    )
    await page.viewport(1024, 740)
    await expect.element(button('Testes')).toBeVisible()
    button('Testes').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('menuitem', { name: 'Balcão' })).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}{Enter}{ArrowDown}{Enter}')
    await expect.element(aviso('Conversa de teste criada no setor Financeiro!')).toBeVisible()
    expect(sentBodies(screen, 'POST /atendimento/teste-conversa')).toEqual([{ setor: 'financeiro' }])
  })

  it('renames one of several test setores with the same name', async () => {
    await page.viewport(1024, 740)
    const setores = defaultConfig().atendimento.setores.map((setor) => ({ ...setor, nome: 'Loja' }))
    const { api } = open({ setores })
    const vendas = setores.find(({ id }) => id === 'vendas')
    api.on('PUT /atendimento/setores/vendas', () => ok({ setor: { ...vendas, nome: 'Balcão' } }))
    const items = page.getByRole('menuitem', { includeHidden: true })
    const names = () =>
      items
        .elements()
        .flatMap(({ parentElement, textContent }) => (parentElement?.ariaLabel === 'Testes' ? [textContent] : []))
    await expect.poll(names).toEqual(['Loja', 'Loja', 'Loja'])
    await button('Configurar setores').click()
    await page
      .getByRole('textbox', { name: 'Nome do setor Loja' })
      .nth(setores.findIndex(({ id }) => id === 'vendas'))
      .fill('Balcão')
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso('Setor atualizado com sucesso')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(names).toEqual(['Balcão', 'Loja', 'Loja'])
  })

  it('adds, renames and removes setores', async () => {
    const { api, conversaServer } = open()
    const [vendas] = conversaServer.setores
    api.on('PUT /atendimento/setores/vendas', () => ok({ setor: { ...vendas, nome: 'Balcão' } }))
    api.on('POST /atendimento/setores', () => ok({ setor: { ...vendas, id: 'entregas', nome: 'Entregas' } }))
    api.on('DELETE /atendimento/setores/suporte', () => refusal(409, 'conflito', 'Não agora.'))
    await button('Configurar setores').click()
    await page.getByRole('textbox', { name: 'Nome do setor Vendas' }).fill('Balcão')
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso('Setor atualizado com sucesso')).toBeVisible()
    await page.getByRole('textbox', { name: 'Novo setor' }).fill('Entregas')
    await page.getByRole('button', { name: 'Adicionar setor' }).click()
    await expect.element(aviso('Setor adicionado com sucesso')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Nome do setor Entregas' })).toBeVisible()
    await page.getByRole('button', { name: 'Remover Suporte' }).click()
    const question = page.getByRole('alertdialog')
    await expect.element(question.getByText(/^As conversas abertas e as opções do menu deste setor/)).toBeVisible()
    await question.getByRole('button', { name: 'Remover' }).click()
    await expect.element(aviso('Erro ao salvar setores: Não agora.')).toBeVisible()
    await expect.poll(() => page.getByRole('button', { name: 'Remover Geral' }).query()).toBeNull()
  })

  it('requires the name of a setor, by keyboard', async () => {
    const { api } = open()
    const missing = page.getByText('Nome do setor é obrigatório')
    const field = page.getByRole('textbox', { name: 'Novo setor' })
    const vendas = page.getByRole('textbox', { name: 'Nome do setor Vendas' })
    await button('Configurar setores').click()
    await field.fill('   ')
    button('Adicionar setor').element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveAccessibleDescription('Nome do setor é obrigatório')
    await userEvent.keyboard('E')
    await expect.poll(() => missing.query()).toBeNull()
    await vendas.fill(' ')
    await userEvent.keyboard('{Enter}')
    await expect.element(vendas).toHaveAccessibleDescription('Nome do setor é obrigatório')
    await userEvent.keyboard('{Tab}')
    await expect.element(vendas).toHaveAccessibleDescription('Nome do setor é obrigatório')
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Escape}')
    await expect.element(vendas).toHaveFocus()
    await expect.element(vendas).toHaveValue('Vendas')
    await expect.poll(() => missing.query()).toBeNull()
    expect(api.calls.filter(({ route }) => /^(PUT|POST) .*setores/.test(route))).toEqual([])
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
  })

  it('switches a setor off and on, but not Geral', async () => {
    const screen = open()
    const { api, conversaServer } = screen
    const [vendas] = conversaServer.setores
    api.on('PUT /atendimento/setores/vendas', ({ body }) => ok({ setor: { ...vendas, ...Object(body) } }))
    await button('Filtros').click()
    await button('Configurar setores').click()
    const control = page.getByRole('switch', { name: /^Ativo \(setor Vendas\)/ })
    await expect.element(control).toBeChecked()
    await expect.poll(() => page.getByRole('switch', { name: /^Ativo \(setor Geral/ }).query()).toBeNull()
    control.element().focus()
    await userEvent.keyboard(' ')
    await expect.element(aviso('Setor atualizado com sucesso')).toBeVisible()
    await expect.element(control).not.toBeChecked()
    await expect.element(control).toHaveFocus()
    await expect.element(control).toHaveAccessibleDescription('Quem escolhe este setor vai para o Geral.')
    const card = page
      .getByRole('group', { name: 'Setores', includeHidden: true })
      .getByRole('button', { name: /Vendas/, includeHidden: true })
    await expect.element(card).toMatchTextContent('inativo')
    await userEvent.keyboard(' ')
    await expect.element(control).toBeChecked()
    await expect.element(card).not.toMatchTextContent('inativo')
    expect(sentBodies(screen, 'PUT /atendimento/setores/vendas')).toEqual([{ ativo: false }, { ativo: true }])
  })

  it('notifies about new conversas and messages elsewhere until switched off', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await waitForSocket()
    const fresh = makeConversa({ id: 'c9', nome: 'Dona Neide' })
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: fresh })
    await expect.element(aviso('Nova conversa: Dona Neide')).toBeVisible()
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.element(aviso('Marina Duarte: Alguém aí?')).toBeVisible()
    await button('Opções de notificação').click()
    await page.getByRole('switch', { name: /^Receber notificações/ }).click()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('switch', { name: 'Notificações' })).not.toBeChecked()
    emitCustomerMensagem('c1', { texto: 'Oi?' })
    await expect.element(conversaRow('Marina').getByText('Oi?')).toBeVisible()
    await expect.poll(() => aviso('Marina Duarte: Oi?').query()).toBeNull()
  })
})

describe('Atendimento: accessibility', () => {
  it('passes axe with list and chat in both themes and widths', async () => {
    open({ open: makeConversas() })
    await conversaRow('Marina').click()
    await expect.element(composer).toBeVisible()
    await expectAccessible()
  })

  it('passes axe with the list alone', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await expect.element(button('Configurar setores')).toBeVisible()
    await expectAccessible()
  })
})
