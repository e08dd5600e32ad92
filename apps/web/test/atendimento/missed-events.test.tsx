import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ok } from '#test/fake-api.ts'
import { makeConversa, makeConversas } from './sample-conversas.ts'
import { conversaList, conversaRow, setupAtendimento, waitForSocket } from './tab.ts'

const MINUTE_MS = 60_000
const SPREAD_MS = 15_000
const FACTOR = 200

const open = setupAtendimento()

let fired = 0

/** The timers of the check fire after a fraction of their time. */
beforeEach(() => {
  fired = 0
  const { setTimeout: real } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, delay = 0, ...args) => {
    const isCheck = delay >= MINUTE_MS && delay <= MINUTE_MS + SPREAD_MS
    if (!isCheck || typeof run !== 'function') return real(run, delay, ...args)
    return real(() => {
      fired += 1
      run()
    }, delay / FACTOR)
  })
})
afterEach(() => void Reflect.deleteProperty(document, 'visibilityState'))

const show = (visibilityState: DocumentVisibilityState): void => {
  Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
}

function openTab() {
  const { api, conversaServer } = open()
  const count = (route: string): number => api.calls.filter((call) => call.route === route).length
  const checks = () => count('GET /atendimento/revisoes')
  return {
    ...{ api, conversaServer, checks, lists: () => count('GET /atendimento/conversas') },
    checked: async (times: number) => {
      const before = checks()
      await expect.poll(checks).toBeGreaterThanOrEqual(before + times)
    },
  }
}

it('shows a conversa whose event was lost, and reads the list only after a difference', async () => {
  const { conversaServer, lists, checked } = openTab()
  await expect.element(conversaList).toBeVisible()
  await waitForSocket()
  await checked(1)
  const read = lists()
  await checked(3)
  expect(lists()).toBe(read)
  conversaServer.open = [...makeConversas(), makeConversa({ id: 'p1', nome: 'Perdida na queda' })]
  await expect.element(conversaRow('Perdida na queda')).toBeVisible()
  const [first] = conversaServer.open
  if (first === undefined) throw new Error('conversa missing')
  const taken = { ...first, status: 'em_atendimento', operadorId: 'u2', operador: 'Bruno', revisao: 7 } as const
  conversaServer.open = [taken, ...conversaServer.open.slice(1)]
  await expect.element(conversaRow(first.cliente.nome).getByText('Bruno')).toBeVisible()
})

it('reads the list once when the numbers of the server never fit', async () => {
  const { api, lists, checked } = openTab()
  await expect.element(conversaList).toBeVisible()
  await waitForSocket()
  await checked(1)
  const read = lists()
  api.on('GET /atendimento/revisoes', () => ok({ total: 99, revisoes: 1 }))
  await checked(4)
  await expect.poll(lists).toBe(read + 1)
})

it('compares only the latest conversas of a longer list', async () => {
  const { conversaServer, lists, checked } = openTab()
  const hour = Date.parse('2026-11-20T12:00:00.000Z')
  conversaServer.open = Array.from({ length: 260 }, (_, n) =>
    makeConversa({
      ...{
        id: `l${n}`,
        nome: `Cliente ${n}`,
        status: 'em_atendimento',
        operadorId: 'u2',
        operador: 'Bruno',
        revisao: 1,
      },
      ultimaAtividade: new Date(hour - n * 1_000).toISOString(),
    }),
  )
  await expect.element(conversaRow('Cliente 0')).toBeVisible()
  await waitForSocket()
  await checked(1)
  const read = lists()
  await checked(3)
  expect(lists()).toBe(read)
  conversaServer.open = conversaServer.open.map((one) => (one.id === 'l1' ? { ...one, revisao: 2 } : one))
  await expect.poll(lists).toBeGreaterThan(read)
})

it('asks nothing while the window is hidden', async () => {
  const { checks, checked } = openTab()
  await expect.element(conversaList).toBeVisible()
  await waitForSocket()
  await checked(1)
  show('hidden')
  const before = checks()
  const timers = fired
  await expect.poll(() => fired).toBeGreaterThanOrEqual(timers + 3)
  expect(checks()).toBe(before)
  show('visible')
  await checked(1)
})
