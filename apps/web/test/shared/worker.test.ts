import { describe, expect, it } from 'vitest'
import source from '../../scripts/worker.mjs?raw'

/** Runs the worker in a fake scope. Returns the dispatch function and the calls to the browser. */
function startWorker(urls: readonly string[]) {
  const listeners = new Map<string, (event: unknown) => void>()
  const calls: string[] = []
  const self = {
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    clients: {
      matchAll: () =>
        Promise.resolve(
          urls.map((url) => ({
            url,
            postMessage: (message: unknown) => calls.push(`${url} ${JSON.stringify(message)}`),
            focus: () => calls.push(`focus ${url}`),
          })),
        ),
      openWindow: (url: string) => calls.push(`open ${url}`),
    },
  }
  new Function('self', 'VERSION', 'FILES', 'PAGES', source)(self, '1', [], [])
  const click = async (data: string): Promise<void> => {
    let work: unknown
    const close = (): void => void calls.push('close')
    listeners.get('notificationclick')?.({
      notification: { close, data },
      waitUntil: (promise: unknown) => (work = promise),
    })
    await work
  }
  return { click, calls }
}

describe('Service worker: click on a notification', () => {
  it('opens the conversa in the panel’s window', async () => {
    const panel = 'https://loja.test/dashboard?aba=mensagens'
    const { click, calls } = startWorker(['https://loja.test/ajuda', panel])
    await click('c1')
    expect(calls).toEqual(['close', `${panel} {"abrirConversa":"c1"}`, `focus ${panel}`])
  })

  it('opens a new window without a panel', async () => {
    const { click, calls } = startWorker(['https://loja.test/ajuda'])
    await click('c&1')
    expect(calls).toEqual(['close', 'open /dashboard?aba=atendimento&c=c%261'])
  })
})
