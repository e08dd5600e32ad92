import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta, saveConfig } from '#test/builders.ts'

const MINUTE = 60_000
const SHOP = ['oi', '3', '2 coxinhas'] as const
let app: TestApp
let dona: TestUser
let customers = 0

beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', timings: { retryWaitsMs: [20, 40], pollMs: 20 } })
  dona = await givenConta(app)
  await connectBot(dona, (config) => ({
    ...config,
    loja: { pedidos: true, lembreteMinutos: 60, pagamentos: ['cartao'] },
  }))
  await dona.request('POST', '/produtos', { nome: 'Coxinha', descricao: 'De frango', preco: 5 })
})
afterAll(() => app?.close())

const remindAfter = (lembreteMinutos: number): Promise<void> =>
  saveConfig(dona, (config) => ({ ...config, loja: { ...config.loja, lembreteMinutos } }))
const phone = (): string => `55119777600${String((customers += 1)).padStart(2, '0')}`
const waiting = () => app.sql('select vence_em from carrinhos_parados')
/** The clock moves, and all reminders that are due then were handled. */
async function pass(minutes: number): Promise<void> {
  app.advance(minutes * MINUTE)
  await waitUntil(
    async () =>
      (await app.sql('select 1 from carrinhos_parados where vence_em <= $1', [app.deps.clock.now()])).length === 0,
  )
  await app.idle()
}
const reminders = async (telefone: string): Promise<number> =>
  (await chatOf(dona, telefone)).filter(({ texto }) => texto.includes('pedido começado')).length

describe('the reminder of a cart', () => {
  it('leaves once, an hour after the last change, and the order goes on', async () => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP)
    await pass(50)
    await customerSays(dona, telefone, '1 coxinha')
    await pass(50)
    expect(await reminders(telefone)).toBe(0)
    await pass(10)
    await waitUntil(async () => (await reminders(telefone)) === 1)
    await customerSays(dona, telefone, 'fechar', 'confirmar')
    await waitUntil(async () => (await chatOf(dona, telefone)).some(({ texto }) => texto.includes('recebido')))
    await pass(600)
    expect(await reminders(telefone)).toBe(1)
  })

  it('does not leave a second time for a cart that goes on', async () => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP)
    await pass(61)
    await waitUntil(async () => (await reminders(telefone)) === 1)
    await customerSays(dona, telefone, 'mais uma coxinha')
    expect(await waiting()).toEqual([])
    await pass(120)
    expect(await reminders(telefone)).toBe(1)
  })

  it.each([
    ['after PARAR', ['PARAR']],
    ['while a person serves', ['0', 'atendente']],
    ['of an emptied cart', ['limpar']],
  ])('does not leave %s', async (_, texts) => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP, ...texts)
    await pass(61)
    expect(await reminders(telefone)).toBe(0)
    expect(await waiting()).toEqual([])
  })

  it('does not leave for a made order, nor with the time switched off', async () => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP, 'fechar', 'confirmar')
    await pass(61)
    expect(await reminders(telefone)).toBe(0)
    const other = phone()
    await customerSays(dona, other, ...SHOP)
    await remindAfter(0)
    await pass(61)
    expect(await reminders(other)).toBe(0)
    await remindAfter(60)
  })

  it('leaves once when the server fails before the commit', async () => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP)
    const crash = vi.spyOn(app.deps, 'crashPoint').mockImplementation((point) => {
      if (point !== 'lembrete.antes-commit') return
      crash.mockRestore()
      throw new Error('died')
    })
    await pass(61)
    await waitUntil(async () => (await reminders(telefone)) === 1)
    await pass(61)
    expect(await reminders(telefone)).toBe(1)
  })

  it('goes with its customer', async () => {
    const telefone = phone()
    await customerSays(dona, telefone, ...SHOP)
    expect(await waiting()).toHaveLength(1)
    // A new login confirms the person.
    const again = await app.login(dona.usuario.email)
    const { status } = await again.request('DELETE', `/lgpd/titulares/${telefone}`)
    expect(status).toBeLessThan(300)
    expect(await waiting()).toEqual([])
  })
})
