import axe from 'axe-core'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeMensagem, minutesAgo } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  composer,
  conversaRow,
  listedNames,
  searchBox,
  sentBodies,
  setupAtendimento,
  waitForSocket,
} from './tab.ts'

const open = setupAtendimento()

const FICHA = { anteriores: [], totalAnteriores: 0, avaliacoes: { total: 0, notaMedia: null } }
const MODELO = {
  ...{ nome: 'pedido_pronto', idioma: 'pt_BR', categoria: 'utilidade' },
  ...{ texto: 'Oi, {{1}}! Seu {{produto}} está pronto.', lacunas: ['1', 'produto'] },
}

describe('Official API: 24-hour window', () => {
  it('shows the window sent by the server and refetches it on each mensagem', async () => {
    await page.viewport(1600, 900)
    const { api } = open({ open: [makeConversa({ mensagens: [makeMensagem()] })] }, '/dashboard?aba=atendimento&c=c1')
    api.on('GET /atendimento/conversas/c1/cliente', () => ok({ ...FICHA, janelaAte: minutesAgo(60) }))
    const details = page.getByRole('complementary', { name: 'Detalhes' })
    await expect.element(details.getByText(/^Fechada/)).toBeVisible()
    api.on('GET /atendimento/conversas/c1/cliente', () => ok({ ...FICHA, janelaAte: minutesAgo(-60) }))
    await waitForSocket()
    fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: 'c1', mensagem: makeMensagem() })
    await expect.element(details.getByText(/^Aberta até/)).toBeVisible()
    await page.viewport(1366, 800)
  })

  it('shows the closed window and sends an approved modelo', async () => {
    await page.viewport(1600, 900)
    const old = makeMensagem({ timestamp: minutesAgo(60 * 30) })
    const aberta = makeConversa({
      status: 'em_atendimento',
      operadorId: 'u1',
      operador: 'Ana Ribeiro',
      mensagens: [old],
    })
    const { api } = open({ open: [aberta] }, '/dashboard?aba=atendimento&c=c1')
    const sent: unknown[] = []
    api.on('GET /atendimento/conversas/c1/cliente', () => ok({ ...FICHA, janelaAte: minutesAgo(60 * 6) }))
    api.on('GET /atendimento/modelos-oficiais', () => refusal(403, 'semPermissao', 'Sem modelos agora'))

    const details = page.getByRole('complementary', { name: 'Detalhes' })
    await expect.element(details.getByText('Fechada: só um modelo de mensagem aprovado chega ao cliente')).toBeVisible()
    await details.getByRole('button', { name: 'Enviar modelo' }).click()
    const dialogo = page.getByRole('dialog', { name: 'Enviar modelo de mensagem' })
    await expect.element(dialogo.getByText('Sem modelos agora')).toBeVisible()
    api.on('GET /atendimento/modelos-oficiais', () => ok({ modelos: [MODELO] }))
    await dialogo.getByRole('button', { name: 'Tentar de novo' }).click()
    await dialogo.getByRole('button', { name: /pedido pronto/ }).click()
    await expect.element(dialogo.getByText('Oi, [Dado 1]! Seu [produto] está pronto.')).toBeVisible()
    const send = dialogo.getByRole('button', { name: 'Enviar modelo' })
    await expect.element(send).toBeDisabled()
    await dialogo.getByLabelText('Dado 1').fill('Marina')
    await dialogo.getByLabelText('produto').fill('bolo')
    await expect.element(dialogo.getByText('Oi, Marina! Seu bolo está pronto.')).toBeVisible()
    // Only the dialog: its opener is visible on wide screens only, and axe here runs at one width.
    expect((await axe.run('dialog[open]')).violations).toEqual([])

    api.on('POST /atendimento/conversas/c1/modelo', ({ body }) => {
      sent.push(body)
      return refusal(503, 'servidorOcupado', 'Tente de novo')
    })
    await send.click()
    await expect.poll(() => sent.length).toBe(1)
    await expect.element(send).toBeEnabled()
    await send.click()
    await expect.poll(() => sent.length).toBe(2)
    await expect.element(send).toBeEnabled()
    await dialogo.getByLabelText('produto').fill('pão')
    api.on('POST /atendimento/conversas/c1/modelo', ({ body }) => {
      sent.push(body)
      const enviada = makeMensagem({ texto: 'Oi, Marina! Seu bolo está pronto.', tipo: 'enviada', origem: 'operador' })
      return ok({ mensagem: enviada, conversaId: 'c1' })
    })
    await send.click()
    await expect.element(aviso(/Modelo enviado!/)).toBeVisible()
    const corpo = { nome: 'pedido_pronto', idioma: 'pt_BR', idTemporario: expect.any(String) }
    const bolo = { ...corpo, valores: ['Marina', 'bolo'] }
    expect(sent).toEqual([bolo, bolo, { ...corpo, valores: ['Marina', 'pão'] }])
    // A retry keeps the id; changed values get a new one.
    const ids = sent.map((enviado) => /"idTemporario":"([^"]+)"/.exec(JSON.stringify(enviado))?.[1])
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    await expect.poll(() => dialogo.query()).toBeNull()
    await page.viewport(1366, 800)
  })
})

describe('Official API: customers without a number', () => {
  it('finds them by the user name and shows it instead of the number', async () => {
    await page.viewport(1600, 900)
    const cliente = { nome: 'Rosa Lima', telefone: '', nomeUsuario: 'rosa.lima' }
    open({ open: [makeConversa(), makeConversa({ id: 'c2', cliente })] }, '/dashboard?aba=atendimento&c=c2')
    await expect.element(page.getByText(/^Aguardando há .* · Vendas · @rosa\.lima$/)).toBeVisible()
    const details = page.getByRole('complementary', { name: 'Detalhes' })
    await expect.element(details.getByText('Não informado')).toBeVisible()
    await expect.element(details.getByText('@rosa.lima')).toBeVisible()
    await searchBox.fill('@ROSA')
    await expect.poll(listedNames).toEqual(['Rosa Lima'])
    await searchBox.fill('lima')
    await expect.poll(listedNames).toEqual(['Rosa Lima'])
    await searchBox.fill('@lima')
    await expect.poll(listedNames).toEqual([])
    await page.viewport(1366, 800)
  })
})

describe('Official API: Meta’s agent', () => {
  const comAgente = (fields: Partial<Conversa> & { nome?: string } = {}): Conversa =>
    makeConversa({
      ...{ status: 'em_atendimento', agenteMeta: true },
      mensagens: [
        makeMensagem({ texto: 'Vocês abrem domingo?' }),
        makeMensagem({
          ...{ texto: 'Abrimos às 9h.', remetente: 'Agente da Meta', tipo: 'enviada', origem: 'celular' },
          agenteMeta: true,
        }),
      ],
      ...fields,
    })
  const atendidaPeloAgente = page.getByText(/^Atendida pelo agente da Meta · Vendas/)

  it('shows who serves the customer and takes the conversa over with a message', async () => {
    const tab = open({ open: [comAgente()] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(atendidaPeloAgente).toBeVisible()
    await expect.element(conversaRow('Marina').getByText('Atendida pelo Agente da Meta')).toBeVisible()
    await expect.element(chat.getByText(/^Agente da Meta/)).toBeVisible()
    await expect.poll(() => chat.getByText('Pelo celular').query()).toBeNull()
    await expect.element(button('Assumir')).toBeVisible()
    const nota = page.getByRole('note')
    await expect.element(nota).toHaveTextContent('O agente da Meta responde. Escreva para assumir.')
    await expectAccessible()
    await composer.fill('Aqui é a Ana, da loja.')
    await button('Enviar').click()
    await expect.element(page.getByText(/^Em atendimento com você · Vendas/)).toBeVisible()
    expect(sentBodies(tab, 'POST /atendimento/conversas/c1/mensagem')).toHaveLength(1)
    for (const gone of [nota, atendidaPeloAgente, button('Assumir')]) await expect.poll(() => gone.query()).toBeNull()
  })

  it('leaves the agent when another operador takes the conversa', async () => {
    open({ open: [comAgente()] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(atendidaPeloAgente).toBeVisible()
    await waitForSocket()
    const taken = { conversaId: 'c1', operadorId: 'u2', operador: 'Bruno' }
    fakeSocket.emit('conversaAssumida', { userId: CONTA_ID, ...taken })
    await expect.element(page.getByText(/^Em atendimento com Bruno/)).toBeVisible()
    await expect.poll(() => button('Assumir').query()).toBeNull()
  })

  it('notifies about a customer only when the agent hands over', async () => {
    const { conversaServer } = open({ open: [comAgente()] })
    // The panel reads the list again after the connection and after events, so the server has them too.
    const store = (conversa: Conversa): Conversa => {
      conversaServer.open = [comAgente(), conversa]
      return conversa
    }
    await expect.element(conversaRow('Marina')).toBeVisible()
    await waitForSocket()
    const rosa = { id: 'c8', nome: 'Rosa' }
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: store(comAgente(rosa)) })
    await expect.element(conversaRow('Rosa')).toBeVisible()
    const mensagem = makeMensagem({ remetente: 'Rosa', texto: 'E na segunda?', timestamp: new Date().toISOString() })
    const { texto, timestamp } = mensagem
    store(comAgente({ ...rosa, mensagens: [mensagem], ultimaMensagem: { texto, timestamp } }))
    fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: 'c8', mensagem })
    await expect.element(conversaRow('Rosa').getByText('E na segunda?')).toBeVisible()
    const waiting = store(makeConversa({ ...rosa, naoLidas: 1 }))
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: waiting })
    await expect.element(aviso('Nova conversa: Rosa')).toBeVisible()
    expect(aviso(/E na segunda/).query()).toBeNull()
    expect(aviso('Nova conversa: Rosa').elements()).toHaveLength(1)
  })
})
