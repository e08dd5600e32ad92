import { makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { ComponentesPermitidos } from '@balcao/contract/entities/usuario'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { prefetchMensagens } from '#features/atendimento/conversa/use-mensagens.ts'
import { storeConversas } from '#shared/data/conversas/known-conversas.ts'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeConversas } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  button,
  conversaList,
  conversaRow,
  emitCustomerMensagem,
  listedNames,
  openName,
  sentBodies,
  setupAtendimento,
  waitForSocket,
  openFilters,
  viewTab,
} from './tab.ts'

/** An operador in the panel: own setores, Geral, and what they serve. The server sends nothing else. */

const open = setupAtendimento()

const ONLY_ATENDIMENTO: ComponentesPermitidos = {
  configuracaoGeral: false,
  mensagensMenus: false,
  iaChatbot: false,
  logsStatus: false,
  atendimentoHumano: true,
  lojaWhatsapp: false,
}

const operador = (setores: string[]) =>
  makeUsuario({ id: 'u9', nome: 'Bruno', tipo: 'operador', setores, componentesPermitidos: ONLY_ATENDIMENTO })

const asOperador = (...setores: string[]) => open({}, '/dashboard', { usuario: operador(setores) })
const LEFT = 'Esta conversa foi para outro setor.'
const cards = page.getByRole('group', { name: 'Setores' }).getByRole('button')
const setorNames = (): string[] => cards.elements().map((card) => card.querySelector('.font-bold')?.textContent ?? '')

/** Another person transfers the conversa. */
function transferElsewhere({ conversaServer }: AtendimentoTestApp, id: string, novoSetor: string): void {
  conversaServer.open = conversaServer.open.map((uma) => (uma.id === id ? { ...uma, setor: novoSetor } : uma))
  fakeSocket.emit('conversaTransferida', { userId: CONTA_ID, conversaId: id, novoSetor })
}

describe('Atendimento for an operador', () => {
  it('shows the own setores with Geral and hides what the operador may not change', async () => {
    asOperador('vendas')
    await expect.poll(listedNames).toEqual(['Rafa', 'Marina Duarte'])
    await openFilters()
    await expect.poll(setorNames).toEqual(['Vendas', 'Geral'])
    await expect.poll(() => page.getByRole('link', { name: 'Loja' }).query()).toBeNull()
    await expect.poll(() => page.getByRole('button', { name: 'Setup Rápido' }).query()).toBeNull()
    await expect.poll(() => button('Configurar setores').query()).toBeNull()
    await viewTab('Fila').click()
    await expect.poll(listedNames).toEqual(['Rafa', 'Marina Duarte'])
    await page.viewport(360, 740)
    const shortTabs = page.getByRole('navigation', { name: 'Abas' }).getByRole('link')
    await expect
      .poll(() => shortTabs.elements().map((tab) => tab.getAttribute('title')))
      .toEqual(['Atendimento', 'Contatos'])
    await expect.poll(() => shortTabs.elements()[0]?.textContent).toBe('2Atendimento, 2 aguardando')
    await expectAccessible()
  })

  it('counts active conversas only for an operador of all setores', async () => {
    localStorage.setItem('menu-do-painel', 'aberto')
    asOperador('vendas', 'geral')
    await expect.element(page.getByText('Tempo real', { exact: true })).toBeVisible()
    expect(page.getByText('Conversas ativas').query()).toBeNull()
    asOperador()
    await expect.poll(() => listedNames().length).toBe(4)
    await expect.element(page.getByText('Conversas ativas')).toBeVisible()
  })

  it('shows a conversa that they serve in another setor, with its setor', async () => {
    const conversas = makeConversas().map((uma) => (uma.id === 'c2' ? { ...uma, operadorId: 'u9' } : uma))
    open({ open: conversas }, '/dashboard', { usuario: operador(['vendas']) })
    await expect.poll(listedNames).toEqual(['Rafa', 'Marina Duarte', 'João Pedro Alves'])
    await openFilters()
    await expect.poll(setorNames).toEqual(['Vendas', 'Suporte', 'Geral'])
    await conversaRow('João Pedro').click()
    await expect.element(openName('João Pedro Alves')).toBeVisible()
  })

  it('creates test conversas only where they may read', async () => {
    asOperador('vendas')
    const tests = page.getByRole('group', { name: 'Testar conversa' })
    const refused = tests.getByRole('button', { name: 'Financeiro Você não atende este setor.' })
    await expect.element(refused).toHaveAttribute('aria-disabled', 'true')
    await expect.element(tests.getByRole('button', { name: 'Vendas' })).toHaveAttribute('aria-disabled', 'false')
    await page.viewport(1024, 768)
    await button('Testes').click()
    await expect.element(page.getByRole('menuitem', { name: 'Vendas' })).toHaveAttribute('aria-disabled', 'false')
  })

  it('announces waiting customers of the own setores and of Geral', async () => {
    asOperador('vendas')
    await expect.element(conversaList).toBeVisible()
    await waitForSocket()
    for (const [id, nome, setor] of [
      ['e7', 'Do suporte', 'suporte'],
      ['e8', 'Da Geral', 'geral'],
      ['e9', 'De vendas', 'vendas'],
    ] as const) {
      fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: makeConversa({ id, nome, setor }) })
    }
    await expect.element(aviso('Nova conversa: De vendas')).toBeVisible()
    await expect.element(aviso('Nova conversa: Da Geral')).toBeVisible()
    expect(aviso('Nova conversa: Do suporte').query()).toBeNull()
  })
})

describe('a conversa that leaves the setores of the operador', () => {
  it('closes with a sentence and returns with what was said meanwhile', async () => {
    const app = asOperador('vendas')
    await conversaRow('Marina').click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await waitForSocket()
    transferElsewhere(app, 'c1', 'financeiro')
    await expect.element(aviso(LEFT)).toBeVisible()
    await expect.poll(() => openName('Marina Duarte').query()).toBeNull()
    await expect.poll(listedNames).toEqual(['Rafa'])
    expect(location.search).not.toContain('c1')
    await expectAccessible()

    const said = makeConversa({
      mensagens: [],
      ultimaMensagem: { texto: 'Já paguei', timestamp: new Date().toISOString() },
    })
    app.conversaServer.open = app.conversaServer.open.map((uma) => (uma.id === 'c1' ? said : uma))
    transferElsewhere(app, 'c1', 'vendas')
    await expect.element(conversaRow('Marina').getByText('Já paguei')).toBeVisible()
  })

  it('closes when the dono takes the setor away', async () => {
    const app = asOperador('vendas')
    await conversaRow('Marina').click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await waitForSocket()
    app.server.usuario = operador(['financeiro'])
    fakeSocket.drop()
    fakeSocket.restore()
    await expect.element(aviso(LEFT)).toBeVisible()
    await expect.poll(listedNames).toEqual(['Studio Bela Vista', 'Rafa'])
    await openFilters()
    await expect.poll(setorNames).toEqual(['Financeiro', 'Geral'])
  })

  it('closes without a sentence when the operador transfers it, and offers an undo', async () => {
    const app = asOperador('vendas')
    await conversaRow('Marina').click()
    await button('Transferir').click()
    const choice = page.getByRole('dialog').getByRole('button', { name: /Financeiro/ })
    await expect.element(choice.getByText(/sai da sua lista/)).toBeVisible()
    expect(
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Geral/ })
        .getByText(/sai da/)
        .query(),
    ).toBeNull()
    await expectAccessible()
    await choice.click()
    await expect.element(aviso('Marina Duarte foi para o setor Financeiro.')).toBeVisible()
    expect(sentBodies(app, 'POST /atendimento/conversas/c1/transferir')).toEqual([{ setor: 'financeiro' }])
    await expect.poll(listedNames).toEqual(['Rafa'])
    await expect
      .element(page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }))
      .toBeVisible()
    expect(aviso(LEFT).query()).toBeNull()
  })

  it('requests no messages, which would be a 404', async () => {
    const { api } = asOperador('vendas')
    const client = new QueryClient()
    prefetchMensagens(client, 'foi')
    storeConversas(client, [makeConversa({ id: 'c1' })])
    prefetchMensagens(client, 'c1')
    const READ = /conversas\/(foi|c1)\/mensagens$/
    await expect
      .poll(() => api.calls.map(({ route }) => route).filter((route) => READ.test(route)))
      .toEqual(['GET /atendimento/conversas/c1/mensagens'])
  })

  it('stays open for the dono', async () => {
    const app = open()
    await conversaRow('Marina').click()
    await waitForSocket()
    transferElsewhere(app, 'c1', 'financeiro')
    await expect.element(page.getByText(/· Financeiro ·/)).toBeVisible()
    emitCustomerMensagem('c1', { texto: 'Continuo aqui' })
    await expect.element(page.getByRole('log', { name: 'Mensagens' }).getByText('Continuo aqui')).toBeVisible()
    expect(aviso(LEFT).query()).toBeNull()
  })
})
