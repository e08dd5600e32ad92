import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PREFERENCIAS_PUSH_PADRAO } from '@balcao/contract/entities/push'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConversa, makeMensagem, minutesAgo } from './sample-conversas.ts'
import { button, chat, conversaList, conversaRow, listFrame, searchBox, setupAtendimento } from './tab.ts'

const open = setupAtendimento(() => localStorage.removeItem('avisos-no-aparelho'))
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator.serviceWorker, 'getRegistration')
})

const results = page.getByRole('list', { name: 'Mensagens encontradas' })
const TORTAS_LIMAO: readonly [number, number][] = [
  [5, 11],
  [15, 20],
]
const found = (conversaId: string, mensagemId: string, trecho: string, marcas: readonly [number, number][] = []) => ({
  ...{
    conversaId,
    mensagemId,
    trecho,
    marcas,
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

const many = Array.from({ length: 40 }, (_, n) =>
  makeConversa({ id: `x${n}`, nome: `Cliente ${String(n).padStart(2, '0')}`, aguardandoDesde: minutesAgo(100 - n) }),
)

describe('Message search', () => {
  it('marks the found words and opens the chat at the message', async () => {
    const { api } = open({ open: [longChat] })
    api.on('GET /atendimento/busca', ({ url }) => {
      const more = url.searchParams.get('cursor') === null
      const one = more ? found('c9', 'm4', 'duas tortas de limão', TORTAS_LIMAO) : found('c9', 'm5', 'mais torta')
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

  it('keeps the list mounted at its place while a search begins, shows results and ends', async () => {
    const { api } = open({ open: many })
    api.on('GET /atendimento/busca', () => ok({ resultados: [], proximoCursor: null }))
    await expect.element(conversaRow('Cliente 00')).toBeVisible()
    const list = conversaList.element()
    const frame = listFrame()
    frame.scrollTo({ top: 900 })
    await expect.element(conversaRow('Cliente 16')).toBeVisible()
    const position = frame.scrollTop
    await searchBox.fill('Cliente 3')
    await expect.element(conversaRow('Cliente 30')).toBeVisible()
    expect(frame.scrollTop).toBe(0)
    await expect.element(button('Buscar “Cliente 3” nas mensagens')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Nenhuma mensagem encontrada')).toBeVisible()
    await expect.element(searchBox).toHaveFocus()
    await expect.element(conversaList).not.toBeInTheDocument()
    await searchBox.fill('')
    await expect.poll(() => frame.scrollTop).toBe(position)
    await expect.element(searchBox).toHaveFocus()
    expect(conversaList.element()).toBe(list)
  })

  it('moves by keyboard from the field through the results and back', async () => {
    const { api } = open({ open: [longChat] })
    const resultados = [found('c9', 'm4', 'torta um'), found('c9', 'm5', 'torta dois')]
    api.on('GET /atendimento/busca', () => ok({ resultados, proximoCursor: null }))
    await expect.element(conversaList).toBeVisible()
    await searchBox.fill('torta')
    await expect.element(button('Buscar “torta” nas mensagens')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('status').getByText('2 resultados')).toBeInTheDocument()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(results.getByRole('button').first()).toHaveFocus()
    await userEvent.keyboard('j')
    await expect.element(results.getByRole('button').last()).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect.element(searchBox).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}{Escape}')
    await expect.element(searchBox).toHaveFocus()
    await expect.element(results).toBeVisible()
    await expectAccessible()
  })

  it('says that the server is away, and tries a further page again', async () => {
    const { api } = open({ open: [longChat] })
    let answer = (): ReturnType<typeof ok> => {
      throw new TypeError('Failed to fetch')
    }
    api.on('GET /atendimento/busca', () => answer())
    await expect.element(conversaList).toBeVisible()
    await searchBox.fill('torta')
    await button('Buscar “torta” nas mensagens').click()
    await expect.element(page.getByText('Sem conexão com o servidor')).toBeVisible()
    answer = () => ok({ resultados: [found('c9', 'm4', 'torta um')], proximoCursor: 'm4' })
    await button('Tentar de novo').click()
    await expect.element(results).toBeVisible()
    answer = () => refusal(503, 'servidorOcupado', 'A busca demorou demais.')
    await button('Mais resultados').click()
    await expect.element(page.getByText('Os outros resultados não chegaram.')).toBeVisible()
    await expect.element(results).toBeVisible()
    await expect.element(button('Tentar de novo')).toBeVisible()
  })

  it('shows an empty result and an error with a retry', async () => {
    const { api } = open()
    let fails = true
    api.on('GET /atendimento/busca', ({ url }) =>
      fails
        ? refusal(503, 'servidorOcupado', 'A busca demorou demais.')
        : ok({ resultados: [], proximoCursor: url.searchParams.has('cursor') ? null : 'm4' }),
    )
    await searchBox.fill('xyz')
    await button('Buscar “xyz” nas mensagens').click()
    await expect.element(page.getByText('A busca demorou demais.')).toBeVisible()
    fails = false
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Nenhuma mensagem encontrada')).toBeVisible()
    await button('Mais resultados').click()
    await expect.element(page.getByText(/^Todas as palavras/)).toBeVisible()
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
  const active = Object.assign(new EventTarget(), { state: 'activated' })
  const registration: unknown = { active, pushManager, getNotifications: () => Promise.resolve([]) }
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

  it('shows why the server refuses the push service of this browser', async () => {
    const browser = givePushBrowser()
    const { api } = open()
    const text = 'O servidor não aceita o serviço de avisos deste navegador.'
    api.on('GET /push/chave', () => ok({ chavePublica: 'chave' }))
    api.on('POST /push/inscricoes', () => refusal(400, 'dadosInvalidos', text))
    await expect.element(conversaList).toBeVisible()
    await button('Opções de notificação').click()
    const main = page.getByRole('switch', { name: /^Avisar com o painel fechado/ })
    await main.click()
    await expect.element(page.getByText(text)).toBeVisible()
    await expect.element(main).not.toBeChecked()
    expect(browser.subscribed()).toBe(false)
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
