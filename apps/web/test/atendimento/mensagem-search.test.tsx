import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PREFERENCIAS_PUSH_PADRAO } from '@balcao/contract/entities/push'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConversa, makeMensagem } from './sample-conversas.ts'
import { button, chat, conversaList, searchBox, setupAtendimento } from './tab.ts'

const open = setupAtendimento(() => localStorage.removeItem('avisos-no-aparelho'))
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator.serviceWorker, 'getRegistration')
})

const results = page.getByRole('list', { name: 'Mensagens encontradas' })
const found = (conversaId: string, mensagemId: string, trecho: string) => ({
  ...{
    conversaId,
    mensagemId,
    trecho,
    cliente: 'Dona Neide do Rosário Conceição Nascimento da Silva',
    timestamp: '2026-11-20T12:00:00.000Z',
  },
  origem: 'cliente' as const,
})
/** 120 messages, so that the chat loads three pages. */
const longChat = makeConversa({
  id: 'c9',
  nome: 'Dona Neide',
  mensagens: Array.from({ length: 120 }, (_, n) =>
    makeMensagem({ id: `m${n}`, texto: n === 4 ? 'duas tortas' : `linha ${n}` }),
  ),
})

describe('Message search', () => {
  it('marks the found words and opens the chat at the message', async () => {
    const { api } = open({ open: [longChat] })
    api.on('GET /atendimento/busca', ({ url }) => {
      const more = url.searchParams.get('cursor') === null
      const one = more ? found('c9', 'm4', 'duas tortas de limão') : found('c9', 'm5', 'mais torta')
      return ok({ resultados: [one], proximoCursor: more ? 'm4' : null })
    })
    await expect.element(conversaList).toBeVisible()
    await searchBox.fill('torta lim')
    await button('Buscar “torta lim” nas mensagens').click()
    await expect.element(results.getByRole('button', { name: /duas tortas de limão/ })).toBeVisible()
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['tortas', 'limão'])
    expect(results.element().scrollWidth).toBe(results.element().clientWidth)
    await expectAccessible()
    await button('Mais resultados').click()
    await expect.poll(() => results.getByRole('button').elements().length).toBe(2)
    await results.getByRole('button').first().click()
    await expect.element(chat.getByText('duas tortas')).toBeInViewport()
    await expect.poll(() => document.activeElement?.getAttribute('data-mensagem')).toBe('m4')
    await expect.poll(() => location.search).toBe('?aba=atendimento&c=c9')
    await button('Voltar às conversas').click()
    await expect.element(results).not.toBeInTheDocument()
  })

  it('shows an empty result and an error with a retry', async () => {
    const { api } = open()
    let fails = true
    api.on('GET /atendimento/busca', () =>
      fails ? refusal(503, 'servidorOcupado', 'A busca demorou demais.') : ok({ resultados: [], proximoCursor: null }),
    )
    await searchBox.fill('xyz')
    await button('Buscar “xyz” nas mensagens').click()
    await expect.element(page.getByText('A busca demorou demais.')).toBeVisible()
    fails = false
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Nenhuma mensagem encontrada')).toBeVisible()
  })
})

/** A browser with a service worker and a granted permission. */
function givePushBrowser(): { readonly subscribed: () => boolean } {
  let subscription: object | null = null
  const bytes = (length: number) => new Uint8Array(length).fill(4).buffer
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription),
    subscribe: () => {
      subscription = {
        ...{ endpoint: 'https://push.exemplo/x', options: { applicationServerKey: bytes(65) } },
        getKey: (name: string) => bytes(name === 'auth' ? 16 : 65),
        unsubscribe: () => {
          subscription = null
          return Promise.resolve(true)
        },
      }
      return Promise.resolve(subscription)
    },
  }
  const registration: unknown = { pushManager, getNotifications: () => Promise.resolve([]) }
  Object.defineProperty(navigator.serviceWorker, 'getRegistration', {
    configurable: true,
    value: () => Promise.resolve(registration),
  })
  vi.spyOn(Notification, 'requestPermission').mockResolvedValue('granted')
  vi.spyOn(Notification, 'permission', 'get').mockReturnValue('granted')
  return { subscribed: () => subscription !== null }
}

describe('Notices while the panel is closed', () => {
  it('subscribes this device only after the switch, saves kinds, sends a test and unsubscribes', async () => {
    const browser = givePushBrowser()
    const { api } = open()
    let allowed = false
    vi.spyOn(Notification, 'requestPermission').mockImplementation(() =>
      Promise.resolve(allowed ? 'granted' : 'denied'),
    )
    api.on('GET /push/chave', () => ok({ chavePublica: 'chave' }))
    api.on('POST /push/inscricoes', () => ({ status: 201, body: { id: 'i1' } }))
    api.on('DELETE /push/inscricoes/i1', () => ({ status: 204 }))
    api.on('GET /push/preferencias', () => ok(PREFERENCIAS_PUSH_PADRAO))
    api.on('PUT /push/preferencias', ({ body }) => ok({ ...PREFERENCIAS_PUSH_PADRAO, ...Object(body) }))
    api.on('POST /push/teste', () => ({ status: 202, body: { sucesso: true } }))
    await expect.element(conversaList).toBeVisible()
    await button('Opções de notificação').click()
    const main = page.getByRole('switch', { name: /^Avisar com o painel fechado/ })
    await expect.element(main).not.toBeChecked()
    expect(browser.subscribed()).toBe(false)
    await main.click()
    const shown = page.getByRole('dialog', { name: 'Notificações' })
    await expect.element(shown.getByText(/^O navegador não permitiu os avisos/)).toBeVisible()
    await expect.element(main).not.toBeChecked()
    allowed = true
    await main.click()
    await expect.element(main).toBeChecked()
    await expect.element(shown.getByText(/^O navegador não permitiu os avisos/)).not.toBeInTheDocument()
    expect(api.calls.find(({ route }) => route === 'POST /push/inscricoes')?.body).toMatchObject({
      endpoint: 'https://push.exemplo/x',
    })
    const named = page.getByRole('switch', { name: /^Mostrar o nome do cliente/ })
    await expect.element(named).not.toBeChecked()
    await named.click()
    await expect.element(named).toBeChecked()
    await expectAccessible()
    await button('Enviar aviso de teste').click()
    await expect.element(page.getByText('Aviso enviado. Ele chega em alguns segundos.')).toBeVisible()
    await main.click()
    await expect.element(main).not.toBeChecked()
    expect(browser.subscribed()).toBe(false)
    expect(api.calls.some(({ route }) => route === 'DELETE /push/inscricoes/i1')).toBe(true)
    await userEvent.keyboard('{Escape}')
  })

  it.each([
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 5],
    ['an iPad, which calls itself a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5],
  ])('asks for an installed panel on %s', async (_device, userAgent, maxTouchPoints) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(maxTouchPoints)
    const manager = Object.getOwnPropertyDescriptor(window, 'PushManager')
    Reflect.deleteProperty(window, 'PushManager')
    open()
    await button('Opções de notificação').click()
    await expect.element(page.getByText(/primeiro adicione o painel à Tela de Início/)).toBeVisible()
    if (manager !== undefined) Object.defineProperty(window, 'PushManager', manager)
  })
})
