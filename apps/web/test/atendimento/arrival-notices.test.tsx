import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { claimNotice } from '#features/atendimento/avisos/leader-tab.ts'
import { clearPersonState } from '#shared/storage.ts'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { shortenWaits } from '#test/short-waits.ts'
import { makeConversa, makeConversas } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  composer,
  emitCustomerMensagem,
  waitForSocket,
  conversaRow,
  conversaList,
  openName,
  serveConversa,
  setupAtendimento,
} from './tab.ts'

const MENTION: NotaConversa = {
  ...{ id: 'n1', texto: '@Ana Ribeiro veja', autor: 'Bruno', autorId: 'u2', mencoes: ['u1'] },
  criadaEm: new Date().toISOString(),
}

const open = setupAtendimento(() => localStorage.removeItem('notificacoes'))

const icon = (): string | null | undefined => document.querySelector('link[rel=icon]')?.getAttribute('href')
const setPreferences = (escolhas: object): void => localStorage.setItem('notificacoes', JSON.stringify(escolhas))

function newConversa(fields: Parameters<typeof makeConversa>[0]): void {
  fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: makeConversa(fields) })
}

describe('Arrival notices', () => {
  it('shows on every tab, links to the conversa and counts in title and icon', async () => {
    const { conversaServer } = open({}, '/dashboard?aba=mensagens')
    await waitForSocket()
    await expect.poll(() => document.title).toBe('(3) Mensagens · Balcão')
    await expect.poll(icon).toBe('/icon-aviso.svg')
    conversaServer.open = [...conversaServer.open, makeConversa({ id: 'c9', nome: 'Dona Neide' })]
    newConversa({ id: 'c9', nome: 'Dona Neide' })
    await expect.element(aviso('Nova conversa: Dona Neide')).toBeVisible()
    await expect.poll(() => document.title).toBe('(4) Mensagens · Balcão')
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.element(aviso('Marina Duarte: Alguém aí?')).toBeVisible()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Abrir' }).last().click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Atendimento' })).toBeVisible()
    await expect.element(composer).toHaveFocus()
  })

  it('shows each notice in only one tab of the browser', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await waitForSocket()
    let release = (): void => undefined
    const other = new Promise<void>((resolve) => (release = resolve))
    const taken = new Promise<void>((resolve) => {
      void navigator.locks.request('aviso:nova:d8', async () => {
        resolve()
        await other
      })
    })
    await taken
    newConversa({ id: 'd8', nome: 'Contada ali' })
    newConversa({ id: 'd9', nome: 'Contada aqui' })
    await expect.element(aviso('Nova conversa: Contada aqui')).toBeVisible()
    await expect.element(conversaRow('Contada ali')).toBeVisible()
    await expect.poll(() => aviso('Nova conversa: Contada ali').query()).toBeNull()
    release()
  })

  it('claims a notice once, and again for the next person', async () => {
    expect([await claimNotice('x'), await claimNotice('x')]).toEqual([true, false])
    clearPersonState()
    await expect.poll(() => claimNotice('x')).toBe(true)
  })

  it('skips conversas on screen and those of another operador', async () => {
    const deBruno = makeConversa({ id: 'c7', nome: 'Com Bruno', status: 'em_atendimento', operadorId: 'u2' })
    open({ open: [...makeConversas(), deBruno] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await waitForSocket()
    emitCustomerMensagem('c1', { texto: 'Estou na tela' })
    emitCustomerMensagem('c7', { remetente: 'Com Bruno', texto: 'Para o Bruno' })
    emitCustomerMensagem('c2', { remetente: 'João', texto: 'Para mim' })
    await expect.element(aviso('João: Para mim')).toBeVisible()
    await expect.poll(() => aviso(/Estou na tela/).query()).toBeNull()
    await expect.poll(() => aviso(/Para o Bruno/).query()).toBeNull()
  })

  it('notifies only about waiting conversas at level aguardando', async () => {
    setPreferences({ nivel: 'aguardando', som: false })
    open()
    await expect.element(conversaList).toBeVisible()
    await waitForSocket()
    emitCustomerMensagem('c2', { remetente: 'João', texto: 'Já atendido' })
    emitCustomerMensagem('c1', { texto: 'Ainda espero' })
    await expect.element(aviso('Marina Duarte: Ainda espero')).toBeVisible()
    await expect.poll(() => aviso(/Já atendido/).query()).toBeNull()
  })

  it('stores the preferences chosen in the dialog', async () => {
    open()
    await button('Opções de notificação').click()
    const dialogo = page.getByRole('dialog', { name: 'Notificações' })
    await dialogo.getByRole('radio', { name: /Só quem está aguardando/ }).click()
    await dialogo.getByRole('switch', { name: /^Repetir a cada 30 segundos/ }).click()
    await dialogo.getByRole('slider', { name: 'Volume' }).fill('0.8')
    expect(JSON.parse(localStorage.getItem('notificacoes') ?? '')).toEqual({
      nivel: 'aguardando',
      som: true,
      volume: 0.8,
      repetir: true,
    })
    await expectAccessible()
  })
})

describe('Automatic distribution', () => {
  const give = (conversaId: string, operadorId: string, operador: string): void => {
    const ultimaAtividade = new Date().toISOString()
    const fields = { operadorId, operador, naoLidas: 1 }
    const situacao = { revisao: 9, status: 'em_atendimento', setor: 'vendas', ...fields, ultimaAtividade }
    fakeSocket.emit('conversaAssumida', { userId: CONTA_ID, conversaId, ...fields, automatica: true, situacao })
  }

  it('names the customer to the person who gets the conversa, and to all only one that still waits', async () => {
    setPreferences({ nivel: 'aguardando', som: false })
    const screen = open()
    const { api, conversaServer } = screen
    for (const id of ['d1', 'd2', 'd3']) serveConversa(screen, conversaServer, id)
    api.on('GET /operadores/eu/disponibilidade', () => ok({ disponivel: true, automatica: true }))
    await expect.element(conversaList).toBeVisible()
    await expect.poll(icon).toBe('/icon-aviso.svg')
    await waitForSocket()
    const arrives = (id: string, nome: string): void => {
      conversaServer.open = [...conversaServer.open, makeConversa({ id, nome })]
      newConversa({ id, nome })
    }
    arrives('d1', 'Para a Ana')
    arrives('d2', 'Para o Bruno')
    emitCustomerMensagem('d2', { remetente: 'Para o Bruno', texto: 'Oi?' })
    arrives('d3', 'Sem pessoa livre')
    give('d1', 'u1', 'Ana Ribeiro')
    give('d2', 'u2', 'Bruno')
    await expect.element(aviso('Você recebeu a conversa de Para a Ana.')).toBeVisible()
    await expect.element(aviso('Nova conversa: Sem pessoa livre')).toBeVisible()
    expect(aviso(/Nova conversa: Para/).query()).toBeNull()
    expect(aviso(/Oi/).query()).toBeNull()
  })
})

describe('A person who is Ausente', () => {
  it('gets no notice of waiting customers until available, but those of own conversas', async () => {
    shortenWaits()
    setPreferences({ nivel: 'tudo', som: false })
    const screen = open()
    const { api, conversaServer } = screen
    api.on('GET /operadores/eu/disponibilidade', () => ok({ disponivel: false, automatica: true }))
    api.on('PUT /operadores/eu/disponibilidade', () => ({ status: 204 }))
    const arrives = (id: string, nome: string): void => {
      conversaServer.open = [...conversaServer.open, makeConversa({ id, nome })]
      serveConversa(screen, conversaServer, id)
      api.on('GET /operadores/eu/disponibilidade', () => ok({ disponivel: false, automatica: true }))
      newConversa({ id, nome })
    }
    const away = page.getByRole('switch', { name: 'Ausente' })
    await expect.element(away).toBeVisible()
    await waitForSocket()
    arrives('d7', 'Espera')
    emitCustomerMensagem('c1', { texto: 'Ainda espero' })
    emitCustomerMensagem('c2', { remetente: 'João', texto: 'Já atendido' })
    await expect.element(aviso('João: Já atendido')).toBeVisible()
    await away.click()
    await expect.element(page.getByRole('switch', { name: 'Disponível' })).toBeVisible()
    arrives('d8', 'Chegou depois')
    await expect.element(aviso('Nova conversa: Chegou depois')).toBeVisible()
    expect(aviso(/Nova conversa: Espera|Ainda espero/).query()).toBeNull()
  })
})

describe('Reminders and transfers', () => {
  it('show as a notice that opens the conversa', async () => {
    setPreferences({ nivel: 'aguardando', som: false })
    open()
    await expect.element(conversaList).toBeVisible()
    await waitForSocket()
    const kept = (id: string, tipo: string, texto: string, conversaId?: string): void =>
      fakeSocket.emit('avisoNovo', {
        userId: CONTA_ID,
        aviso: {
          id,
          tipo,
          texto,
          criadoEm: new Date().toISOString(),
          ...(conversaId === undefined ? {} : { conversaId }),
        },
      })
    kept('a1', 'limite', 'Limite diário atingido')
    kept('a2', 'mencao', 'Bruno mencionou você', 'c2')
    kept('a3', 'transferida', 'Bruno transferiu uma conversa para você.', 'c2')
    await expect.element(aviso('Bruno transferiu uma conversa para você.')).toBeVisible()
    expect(aviso(/Limite diário|mencionou/).query()).toBeNull()
    kept('a4', 'lembrete', 'Você pediu para lembrar de Marina Duarte.', 'c1')
    await expect.element(aviso('Você pediu para lembrar de Marina Duarte.')).toBeVisible()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Abrir' }).first().click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
  })
})

describe('Mentions', () => {
  const mention = (nota: Partial<NotaConversa>): void =>
    fakeSocket.emit('notaConversa', { userId: CONTA_ID, conversaId: 'c7', nota: { ...MENTION, ...nota } })

  it('announces a mention in a conversa of another operador and opens it at the nota', async () => {
    const deBruno = makeConversa({ id: 'c7', nome: 'Com Bruno', status: 'em_atendimento', operadorId: 'u2' })
    setPreferences({ nivel: 'aguardando', som: false })
    open({ open: [...makeConversas(), deBruno], notas: { c7: [MENTION] } })
    await expect.element(conversaRow('Com Bruno')).toBeVisible()
    await waitForSocket()
    mention({ id: 'n2', autorId: 'u1' })
    mention({ id: 'n3', mencoes: ['u9'] })
    mention({ id: 'n4', autor: 'Bia', mencoes: [] })
    mention({})
    await expect.element(aviso('Bruno mencionou você em uma nota.')).toBeVisible()
    await expect.poll(() => aviso(/mencionou você/).elements().length).toBe(1)
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Abrir' }).click()
    await expect.element(openName('Com Bruno')).toBeVisible()
    await expect.poll(() => document.activeElement?.getAttribute('data-mensagem')).toBe('n1')
    mention({ id: 'n5', texto: 'Na tela' })
    await expect.element(chat.getByText('Na tela')).toBeVisible()
    await expect.poll(() => aviso(/mencionou você/).elements().length).toBe(0)
  })
})

describe('Notification switch', () => {
  const control = page.getByRole('switch', { name: 'Notificações', exact: true })

  it('turns notices off and on, keeps the choice and returns to the last level', async () => {
    setPreferences({ nivel: 'aguardando', som: false })
    open()
    await expect.element(control).toBeChecked()
    control.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(control).not.toBeChecked()
    await waitForSocket()
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.element(conversaRow('Marina').getByText('Alguém aí?')).toBeVisible()
    await expect.poll(() => aviso(/Alguém aí/).query()).toBeNull()

    open()
    await expect.element(control).not.toBeChecked()
    await control.click()
    await expect.element(control).toBeChecked()
    await waitForSocket()
    emitCustomerMensagem('c2', { remetente: 'João', texto: 'Já atendido' })
    emitCustomerMensagem('c1', { texto: 'Ainda espero' })
    await expect.element(aviso('Marina Duarte: Ainda espero')).toBeVisible()
    await expect.poll(() => aviso(/Já atendido/).query()).toBeNull()
    await page.viewport(320, 640)
    await button('Buscar e filtrar').click()
    await expect.element(button('Opções de notificação')).toBeInViewport({ ratio: 1 })
    await expect.element(control).toBeInViewport({ ratio: 1 })
    await expectAccessible()
  })
})

describe('System notifications on a computer', () => {
  const { Notification: original } = window
  const shown: string[] = []
  const closed: string[] = []

  beforeEach(() => {
    for (const list of [shown, closed]) list.length = 0
    class ComputerNotification extends EventTarget {
      static permission = 'granted'
      readonly #title: string
      constructor(title: string) {
        super()
        this.#title = title
        shown.push(title)
      }
      close(): void {
        closed.push(this.#title)
      }
    }
    Object.defineProperty(window, 'Notification', { value: ComputerNotification, configurable: true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
  })
  afterEach(() => {
    Object.defineProperty(window, 'Notification', { value: original, configurable: true })
    Reflect.deleteProperty(document, 'visibilityState')
  })

  it('closes them at the logout', async () => {
    open({}, '/dashboard?aba=mensagens')
    await waitForSocket()
    // The watcher of notices is loaded.
    await expect.poll(icon).toBe('/icon-aviso.svg')
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.poll(() => shown).toEqual(['Marina Duarte'])
    expect(closed).toEqual([])
    await page.getByRole('button', { name: 'Sair' }).click()
    await expect.poll(() => closed).toEqual(['Marina Duarte'])
  })
})

describe('System notifications on a phone', () => {
  const { serviceWorker } = navigator
  const { Notification: original } = window
  const closed: string[] = []
  const shown: { readonly title: string; readonly options: NotificationOptions }[] = []

  beforeEach(() => {
    shown.length = 0
    closed.length = 0
    class PhoneNotification {
      static permission = 'granted'
      constructor() {
        throw new TypeError('Illegal constructor')
      }
    }
    Object.defineProperty(window, 'Notification', { value: PhoneNotification, configurable: true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    const showNotification = (title: string, options: NotificationOptions): void => void shown.push({ title, options })
    const getNotifications = () =>
      Promise.resolve(shown.map(({ title }) => ({ close: (): void => void closed.push(title) })))
    const getRegistration = () => Promise.resolve({ active: {}, showNotification, getNotifications })
    Object.defineProperty(serviceWorker, 'getRegistration', { value: getRegistration, configurable: true })
  })
  afterEach(() => {
    Object.defineProperty(window, 'Notification', { value: original, configurable: true })
    Reflect.deleteProperty(document, 'visibilityState')
    Reflect.deleteProperty(serviceWorker, 'getRegistration')
  })

  it('shows them by the service worker and opens the conversa on a click', async () => {
    open({}, '/dashboard?aba=mensagens')
    await waitForSocket()
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect
      .poll(() => shown)
      .toMatchObject([
        { title: 'Marina Duarte', options: { body: 'Alguém aí?', tag: 'conversa:c1', data: { conversaId: 'c1' } } },
      ])
    const { port1, port2 } = new MessageChannel()
    const answered = new Promise<unknown>((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
    serviceWorker.dispatchEvent(new MessageEvent('message', { data: { abrirConversa: 'c1' }, ports: [port2] }))
    await expect.element(openName('Marina Duarte')).toBeVisible()
    expect(await answered).toBe(true)
  })

  it('closes them at the logout', async () => {
    open({}, '/dashboard?aba=mensagens')
    await waitForSocket()
    // The watcher of notices is loaded.
    await expect.poll(icon).toBe('/icon-aviso.svg')
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.poll(() => shown).toHaveLength(1)
    await page.getByRole('button', { name: 'Sair' }).click()
    await expect.poll(() => closed).toEqual(['Marina Duarte'])
  })

  it('promises notices only while the panel is open', async () => {
    Reflect.deleteProperty(window, 'Notification')
    open()
    await button('Opções de notificação').click()
    const text = 'Este navegador não mostra avisos fora do painel. Os avisos chegam enquanto o painel está aberto.'
    await expect.element(page.getByText(text)).toBeVisible()
  })
})
