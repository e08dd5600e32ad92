import { beforeAll, describe, expect, it } from 'vitest'

let urls: readonly string[] = []
const calls: string[] = []

// In this page the worker's `self` is the window.
beforeAll(async () => {
  const matchAll = () =>
    Promise.resolve(
      urls.map((url) => ({
        url,
        postMessage: (message: unknown) => calls.push(`${url} ${JSON.stringify(message)}`),
        focus: () => calls.push(`focus ${url}`),
      })),
    )
  Object.assign(window, { VERSION: '1', FILES: [], PAGES: [] })
  Object.assign(window, { clients: { matchAll, openWindow: (url: string) => calls.push(`open ${url}`) } })
  await import(/* @vite-ignore */ new URL('../../scripts/worker.mjs', import.meta.url).href)
})

async function click(id: string, windows: readonly string[]): Promise<string[]> {
  urls = windows
  calls.length = 0
  let work: unknown
  const notification = { data: id, close: () => void calls.push('close') }
  const waitUntil = (promise: unknown): unknown => (work = promise)
  window.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
  await work
  return calls
}

describe('Service worker: click on a notification', () => {
  it('opens the conversa in the panel’s window', async () => {
    const panel = 'https://loja.test/dashboard?aba=mensagens'
    expect(await click('c1', ['https://loja.test/ajuda', panel])).toEqual([
      'close',
      `${panel} {"abrirConversa":"c1"}`,
      `focus ${panel}`,
    ])
  })

  it('opens a new window without a panel', async () => {
    const opened = await click('c&1', ['https://loja.test/ajuda'])
    expect(opened).toEqual(['close', 'open /dashboard?aba=atendimento&c=c%261'])
  })
})
