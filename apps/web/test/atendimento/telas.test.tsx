import { socketDeMentira } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA, umUsuario } from '../dashboard/painel.tsx'
import {
  aviso,
  botao,
  chat,
  chegar,
  compositor,
  conversa,
  enviada,
  enviadas,
  esperarSocket,
  linha,
  lista,
  nomeAberto,
  umaFila,
  usarAtendimento,
} from './aba.ts'

const abrir = usarAtendimento()

describe('Conversa actions', () => {
  it('transfers to another setor and undoes it', async () => {
    const teste = abrir({}, '/dashboard?aba=atendimento&c=c2')
    await botao('Transferir').click()
    await page
      .getByRole('dialog', { name: 'Transferir João Pedro Alves' })
      .getByRole('button', { name: 'Vendas' })
      .click()
    await expect.element(aviso('João Pedro Alves foi para o setor Vendas.')).toBeVisible()
    await expect.element(linha('João').getByText('Vendas')).toBeVisible()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(linha('João').getByText('Suporte')).toBeVisible()
    const pedidos = enviadas(teste, 'POST /atendimento/conversas/c2/transferir')
    expect(pedidos).toEqual([{ setor: 'vendas' }, { setor: 'suporte' }])
  })

  it('returns a conversa to the bot', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await botao('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Devolver ao bot' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Devolver ao bot' }).click()
    await expect.element(aviso('João Pedro Alves voltou a falar com o bot.')).toBeVisible()
    await expect.poll(() => linha('João').query()).toBeNull()
  })

  it('resends a failed mensagem', async () => {
    const falhou = enviada('Seu pedido saiu', { id: 'f1', estado: 'falhou', erro: 'O celular está sem rede.' })
    const { api } = abrir({ abertas: [conversa({ mensagens: [falhou] })] }, '/dashboard?aba=atendimento&c=c1')
    const outra = { ...falhou, estado: 'pendente', erro: undefined }
    api.on('POST /atendimento/mensagens/f1/reenviar', () => ok({ mensagem: outra, conversaId: 'c1' }))
    await expect.element(chat.getByText('O celular está sem rede.')).toBeVisible()
    await botao('Tentar de novo').click()
    await expect.poll(() => chat.getByText('O celular está sem rede.').query()).toBeNull()
    await expect.poll(() => chat.getByText('Seu pedido saiu').elements()).toHaveLength(1)
  })

  it('shows only the owner why the AI answered', async () => {
    const daIa = enviada('Temos de fubá e de cenoura.', { id: 'ia1', origem: 'ia', remetente: 'Bot' })
    const fila = { abertas: [conversa({ mensagens: [daIa] })] }
    const { api } = abrir(fila, '/dashboard?aba=atendimento&c=c1')
    api.on('GET /gemini/respostas/ia1', () => refusal(404, 'naoEncontrado', 'Não existe mais.'))
    await botao('Por que respondeu isto?').click()
    await expect.element(page.getByRole('dialog', { name: 'Por que respondeu isto?' })).toBeVisible()
    abrir(fila, '/dashboard?aba=atendimento&c=c1', { usuario: umUsuario({ id: 'u9', tipo: 'operador', setores: [] }) })
    await expect.element(chat.getByText('Temos de fubá e de cenoura.')).toBeVisible()
    await expect.poll(() => botao('Por que respondeu isto?').query()).toBeNull()
  })

  it('keeps a draft per conversa and marks it in the list', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await compositor.fill('Estou vendo')
    await linha('Marina').click()
    await expect.element(nomeAberto('Marina Duarte')).toBeVisible()
    await expect.element(compositor).toHaveValue('')
    await expect.element(linha('João').getByText('Rascunho:')).toBeVisible()
    await linha('João').click()
    await expect.element(compositor).toHaveValue('Estou vendo')
  })

  it('works without a mouse: J, K, Enter, A, T, E and Esc', async () => {
    abrir()
    await expect.element(lista).toBeVisible()
    await expect.poll(() => userEvent.keyboard('j').then(() => document.activeElement?.textContent)).toContain('Studio')
    const comFoco = () => document.activeElement?.getAttribute('data-conversa')
    await userEvent.keyboard('j')
    await expect.poll(comFoco).toBe('c4')
    await userEvent.keyboard('j')
    await expect.poll(comFoco).toBe('c1')
    await userEvent.keyboard('k')
    await expect.poll(comFoco).toBe('c4')
    await userEvent.keyboard('{Enter}')
    await expect.element(nomeAberto('Rafa')).toHaveFocus()
    await userEvent.keyboard('a')
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    await userEvent.keyboard('t')
    await expect.element(page.getByRole('dialog', { name: 'Transferir Rafa' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('e')
    await expect.element(page.getByRole('alertdialog', { name: 'Finalizar a conversa com Rafa?' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(nomeAberto('Rafa')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(compositor).toHaveFocus()
    await userEvent.keyboard('a')
    await expect.element(compositor).toHaveValue('a')
    await userEvent.keyboard('{Escape}')
    await expect.element(nomeAberto('Rafa')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(linha('Rafa')).toHaveFocus()
  })
})

describe('Atendimento toolbar', () => {
  it('creates a test conversa and lists it a second later', async () => {
    const { api, fila } = abrir({ abertas: [] })
    api.on('POST /atendimento/teste-conversa', () => {
      fila.abertas = [conversa({ nome: 'Cliente de teste', teste: true })]
      return ok({ conversa: fila.abertas[0] })
    })
    await botao('Testar conversa').first().click()
    await page.getByRole('menuitem', { name: 'Suporte' }).first().click()
    await expect.element(aviso('Conversa de teste criada no setor Suporte!')).toBeVisible()
    await expect.element(linha('Cliente de teste')).toBeVisible()
  })

  it('adds, renames and removes setores', async () => {
    const { api, fila } = abrir()
    const [vendas] = fila.setores
    api.on('PUT /atendimento/setores/vendas', () => ok({ setor: { ...vendas, nome: 'Balcão' } }))
    api.on('POST /atendimento/setores', () => ok({ setor: { ...vendas, id: 'entregas', nome: 'Entregas' } }))
    api.on('DELETE /atendimento/setores/suporte', () => refusal(409, 'conflito', 'Não agora.'))
    await botao('Configurar setores').click()
    await page.getByRole('textbox', { name: 'Nome do setor Vendas' }).fill('Balcão')
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso('Setor atualizado com sucesso')).toBeVisible()
    await page.getByRole('textbox', { name: 'Novo setor' }).fill('Entregas')
    await page.getByRole('button', { name: 'Adicionar setor' }).click()
    await expect.element(aviso('Setor adicionado com sucesso')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Nome do setor Entregas' })).toBeVisible()
    await page.getByRole('button', { name: 'Remover Suporte' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click()
    await expect.element(aviso('Erro ao salvar setores: Não agora.')).toBeVisible()
    await expect.poll(() => page.getByRole('button', { name: 'Remover Geral' }).query()).toBeNull()
  })

  it('notifies about new conversas and messages elsewhere until switched off', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(nomeAberto('João Pedro Alves')).toBeVisible()
    await esperarSocket()
    const nova = conversa({ id: 'c9', nome: 'Dona Neide' })
    socketDeMentira.emitir('novaConversaHumana', { userId: CONTA, conversa: nova })
    await expect.element(aviso('Nova conversa: Dona Neide')).toBeVisible()
    chegar('c1', { texto: 'Alguém aí?' })
    await expect.element(aviso('Marina Duarte: Alguém aí?')).toBeVisible()
    await botao('Notificações').click()
    await page.getByRole('switch', { name: /^Receber notificações/ }).click()
    await userEvent.keyboard('{Escape}')
    await expect.element(botao('Notificações desligadas')).toBeVisible()
    chegar('c1', { texto: 'Oi?' })
    await expect.element(linha('Marina').getByText('Oi?')).toBeVisible()
    await expect.poll(() => aviso('Marina Duarte: Oi?').query()).toBeNull()
  })
})

describe('Atendimento: accessibility', () => {
  it('passes axe with list and chat in both themes and widths', async () => {
    abrir({ abertas: umaFila() })
    await linha('Marina').click()
    await expect.element(compositor).toBeVisible()
    await expectAccessible()
  })

  it('passes axe with the list alone', async () => {
    abrir()
    await expect.element(lista).toBeVisible()
    await expect.element(botao('Configurar setores')).toBeVisible()
    await expectAccessible()
  })
})
