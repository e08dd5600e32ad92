import { beforeAll, describe, expect, it } from 'vitest'

let urls: readonly string[] = []
const calls: string[] = []

// In this page the worker's `self` is the window.
beforeAll(async () => {
  const matchAll = () =>
    Promise.resolve(
      urls.map((url) => ({
        url,
        focused: url.endsWith('#focused'),
        postMessage: (message: unknown, [port]: readonly MessagePort[]) => {
          calls.push(`${url} ${JSON.stringify(message)}`)
          if (!url.endsWith('#loading')) port?.postMessage(true)
        },
        focus: () => Promise.resolve(calls.push(`focus ${url}`)),
        navigate: (address: string) => Promise.resolve(calls.push(`navigate ${address}`)),
      })),
    )
  Object.assign(window, { VERSION: '1', FILES: [], PAGES: [] })
  Object.assign(window, { clients: { matchAll, openWindow: (url: string) => calls.push(`open ${url}`) } })
  const getNotifications = ({ tag }: { tag: string }) => Promise.resolve(shown.filter((one) => one.tag === tag))
  const showNotification = (title: string, { body = '', tag, data }: { body?: string; tag: string; data: unknown }) => {
    const others = shown.filter((one) => one.tag !== tag)
    shown.splice(0, shown.length, ...others, { title, body, tag, data })
    return Promise.resolve()
  }
  Object.assign(window, { registration: { getNotifications, showNotification } })
  await import(/* @vite-ignore */ new URL('../../scripts/worker.mjs', import.meta.url).href)
})

const shown: { title: string; body: string; tag: string; data?: unknown }[] = []

/** A push of the server arrives while these windows are open. */
async function push(notice: object, windows: readonly string[]): Promise<void> {
  urls = windows
  let work: unknown
  const waitUntil = (promise: unknown): unknown => (work = promise)
  window.dispatchEvent(Object.assign(new Event('push'), { data: { json: () => notice }, waitUntil }))
  await work
}

async function click(data: object, windows: readonly string[]): Promise<string[]> {
  urls = windows
  calls.length = 0
  let work: unknown
  const notification = { data, close: () => void calls.push('close') }
  const waitUntil = (promise: unknown): unknown => (work = promise)
  window.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
  await work
  return calls
}

describe('Service worker: click on a notification', () => {
  it('opens the conversa in the panel’s window', async () => {
    const panel = 'https://loja.test/dashboard?aba=mensagens'
    expect(await click({ conversaId: 'c1' }, ['https://loja.test/ajuda', panel])).toEqual([
      'close',
      `focus ${panel}`,
      `${panel} {"abrirConversa":"c1"}`,
    ])
  })

  it('loads the conversa in a panel that does not answer', async () => {
    const opened = await click({ conversaId: 'c1' }, ['https://loja.test/dashboard#loading'])
    expect(opened.at(-1)).toBe('navigate /dashboard?aba=atendimento&c=c1')
  })

  it('opens a new window without a panel', async () => {
    const opened = await click({ conversaId: 'c&1', mensagemId: 'n1' }, ['https://loja.test/ajuda'])
    expect(opened).toEqual(['close', 'open /dashboard?aba=atendimento&c=c%261&m=n1'])
  })
})

describe('Service worker: push of the server', () => {
  it('shows only the test while a window of the panel has the focus', async () => {
    const panel = ['https://loja.test/dashboard#focused']
    await push({ titulo: 'Um cliente espera', tipo: 'fila', conversaId: 'c9' }, panel)
    await push({ titulo: 'Os avisos funcionam', tipo: 'teste' }, panel)
    expect(shown.splice(0).map(({ tag }) => tag)).toEqual(['teste'])
  })

  it('keeps the text that a hidden panel showed for the same arrival', async () => {
    const panel = ['https://loja.test/dashboard?aba=atendimento']
    shown.push({ title: 'Bia mencionou você', body: '@Ana veja', tag: 'mencao:c1' })
    await push({ titulo: 'Mencionaram você em uma nota', tipo: 'mencao', conversaId: 'c1' }, panel)
    await push({ titulo: 'Um cliente espera', tipo: 'fila', conversaId: 'c1' }, panel)
    expect(shown.map(({ title, tag }) => [title, tag])).toEqual([
      ['Bia mencionou você', 'mencao:c1'],
      ['Um cliente espera', 'conversa:c1'],
    ])
    await push({ titulo: 'Mencionaram você em uma nota', tipo: 'mencao', conversaId: 'c1' }, [])
    expect(shown.at(-1)).toMatchObject({ title: 'Mencionaram você em uma nota', data: { conversaId: 'c1' } })
  })
})
