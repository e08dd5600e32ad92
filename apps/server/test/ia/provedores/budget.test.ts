import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { tellMissedBudgets } from '#modules/ia/index.ts'
import { chatOf, givenConta, saveConfig, sendAsCustomer, startBot } from '#test/builders.ts'
import { createFakeVendor, type FakeVendor, vendorKey } from './fake-vendors.ts'

/** The monthly budget of the AI. claude-haiku-5-5 costs 60 cents for a million tokens of input, and 300 of output. */

const MENU = /^MENU/
let fake: FakeVendor
let app: TestApp
beforeAll(async () => {
  fake = await createFakeVendor('anthropic')
  // 19:00 of the last day of November in São Paulo.
  app = await createTestApp({ anthropicUrl: fake.url, now: '2026-11-30T22:00:00.000Z' })
})
afterAll(async () => {
  await app.close()
  await fake.close()
})

beforeEach(() => fake.reset())

const withBudget =
  (orcamentoCentavosMes: number | null) =>
  (config: Config): Config => ({
    ...config,
    menu: { ...config.menu, menuPrincipal: 'MENU' },
    ia: {
      ...config.ia,
      ...{ ativa: true, provedor: 'anthropic', modeloGemini: 'claude-haiku-5-5', esperaSegundos: 0 },
      ...{ orcamentoCentavosMes, chaves: { ...config.ia.chaves, anthropic: vendorKey('anthropic') } },
      respostasPredefinidas: { ...config.ia.respostasPredefinidas, naoEntendi: 'NAO ENTENDI' },
    },
  })

async function givenShop(budget: number | null): Promise<TestUser> {
  const shop = await givenConta(app)
  await saveConfig(shop, withBudget(budget))
  await startBot(shop)
  return shop
}

let phones = 0
function newCustomer(shop: TestUser) {
  const telefone = `5511983${String((phones += 1)).padStart(6, '0')}`
  const received = async (): Promise<string[]> =>
    (await chatOf(shop, telefone)).filter(({ de }) => de === 'bot').map(({ texto }) => texto)
  return {
    says: (texto: string) => sendAsCustomer(shop, telefone, { nome: 'Ana', texto }),
    waitsFor: (last: string | RegExp) =>
      waitUntil(async () => {
        const said = (await received()).at(-1) ?? ''
        return typeof last === 'string' ? said === last : last.test(said)
      }),
  }
}

const versionOf = async ({ contaId }: TestUser): Promise<number> =>
  Number((await app.sql('select versao_contexto from contas where id = $1', [contaId]))[0]?.['versao_contexto'])

/** Waits until the bot reads the settings again, shortly after the answer that used the budget up. */
async function untilPaused(shop: TestUser, work: () => Promise<unknown>): Promise<void> {
  const before = await versionOf(shop)
  await work()
  await waitUntil(async () => (await versionOf(shop)) > before)
}

const monthOf = async (shop: TestUser) => (await shop.request('GET', '/gemini/uso')).body['mes']
const notices = async ({ contaId }: TestUser): Promise<Record<string, unknown>[]> =>
  app.sql(
    `select (select count(*)::int from logs where conta_id = $1 and mensagem like 'O orçamento da IA%') as logs,
       (select count(*)::int from emails where conta_id = $1 and assunto like 'O orçamento da IA%') as mails,
       (select count(*)::int from avisos where conta_id = $1 and texto like 'A IA gastou%') as avisos`,
    [contaId],
  )

const CANCEL_WAITING = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

describe('budget of the month', () => {
  it('lets no question pass after the answers in flight used it up', async () => {
    const shop = await givenShop(10)
    const customers = Array.from({ length: 6 }, () => newCustomer(shop))
    const dear = { tipo: 'texto', texto: 'CARA', entrada: 1_000_000, saida: 0 } as const
    fake.answerNext(...customers.map(() => dear))
    const before = fake.requests.length
    await untilPaused(shop, async () => {
      for (const customer of customers) await customer.says('assistente')
    })
    for (const customer of customers) await customer.waitsFor(/^CARA$|^NAO ENTENDI$|^MENU/)
    // At most four questions of an account are asked at the same time.
    const inFlight = fake.requests.length - before
    expect(inFlight).toBeLessThanOrEqual(6)
    const late = newCustomer(shop)
    await late.says('assistente')
    await late.waitsFor(MENU)
    expect(fake.requests.length - before).toBe(inFlight)
    expect(await notices(shop)).toEqual([{ logs: 1, mails: 1, avisos: 1 }])
    expect(await monthOf(shop)).toMatchObject({ custoCentavos: inFlight * 60 })
  })

  it('counts the cost without a budget and never pauses', async () => {
    const shop = await givenShop(null)
    fake.answerNext({ tipo: 'texto', texto: 'CARA', entrada: 9_000_000, saida: 0 })
    expect((await shop.request('POST', '/gemini/testar', { pergunta: 'oi' })).status).toBe(200)
    expect(await monthOf(shop)).toEqual({ mes: '2026-11', custoCentavos: 540, orcamentoCentavos: null })
    expect((await shop.request('POST', '/gemini/testar', { pergunta: 'oi' })).status).toBe(200)
    expect(await notices(shop)).toEqual([{ logs: 0, mails: 0, avisos: 0 }])
  })

  it('notifies the owner later when the process could not after the last answer', async () => {
    const shop = await givenShop(50)
    const ana = newCustomer(shop)
    // The answer is stored, but the transaction of the notice waits for this lock until it is cancelled.
    const lock = await app.database.owner.connect()
    await lock.query('begin')
    await lock.query('select 1 from contas where id = $1 for share', [shop.contaId])
    fake.answerNext({ tipo: 'texto', texto: 'CARA', entrada: 1_000_000, saida: 0 })
    await ana.says('assistente')
    await ana.waitsFor('CARA')
    await waitUntil(async () => (await app.sql(CANCEL_WAITING)).length > 0)
    await lock.query('rollback')
    lock.release()
    expect(await notices(shop)).toEqual([{ logs: 0, mails: 0, avisos: 0 }])

    await tellMissedBudgets(app.deps)
    expect(await notices(shop)).toEqual([{ logs: 0, mails: 0, avisos: 0 }])
    app.setNow('2026-11-30T22:01:00.000Z')
    await tellMissedBudgets(app.deps)
    await tellMissedBudgets(app.deps)
    expect(await notices(shop)).toEqual([{ logs: 1, mails: 1, avisos: 1 }])
  })

  it('switches the AI off at the cap, notifies the owner once and returns with the next month', async () => {
    const shop = await givenShop(100)
    const ana = newCustomer(shop)
    await ana.says('oi')
    fake.answerNext({ tipo: 'texto', texto: 'BARATA', entrada: 500_000, saida: 100_000 })
    await ana.says('assistente')
    await ana.waitsFor('BARATA')
    expect(await monthOf(shop)).toEqual({ mes: '2026-11', custoCentavos: 60, orcamentoCentavos: 100 })
    expect(await notices(shop)).toEqual([{ logs: 0, mails: 0, avisos: 0 }])

    fake.answerNext({ tipo: 'texto', texto: 'CARA', entrada: 1_000_000, saida: 0 })
    await untilPaused(shop, () => ana.says('e agora?'))
    await ana.waitsFor('CARA')
    expect(await monthOf(shop)).toEqual({ mes: '2026-11', custoCentavos: 120, orcamentoCentavos: 100 })
    expect(await notices(shop)).toEqual([{ logs: 1, mails: 1, avisos: 1 }])

    const asked = fake.requests.length
    await ana.says('e depois?')
    await ana.waitsFor(MENU)
    expect(fake.requests).toHaveLength(asked)
    const test = await shop.request('POST', '/gemini/testar', { pergunta: 'oi' })
    expect(test).toMatchObject({ status: 409, body: { codigo: 'iaSemOrcamento' } })

    // A greater budget counts immediately, and the owner is not notified twice in a month.
    await saveConfig(shop, withBudget(150))
    fake.answerNext({ tipo: 'texto', texto: 'MAIS UMA', entrada: 1_000_000, saida: 0 })
    await untilPaused(shop, () => ana.says('assistente'))
    await ana.waitsFor('MAIS UMA')
    await ana.says('assistente')
    await ana.waitsFor(MENU)
    expect(await notices(shop)).toEqual([{ logs: 1, mails: 1, avisos: 1 }])

    // 23:59 of November 30 in São Paulo, then December.
    app.setNow('2026-12-01T02:59:00.000Z')
    const bia = newCustomer(shop)
    await bia.says('assistente')
    await bia.waitsFor(MENU)
    app.setNow('2026-12-01T03:00:00.000Z')
    const cris = newCustomer(shop)
    fake.answerNext({ tipo: 'texto', texto: 'DEZEMBRO', entrada: 1_000, saida: 10 })
    await cris.says('assistente')
    await cris.waitsFor('DEZEMBRO')
    expect(await monthOf(shop)).toEqual({ mes: '2026-12', custoCentavos: 0, orcamentoCentavos: 150 })
  })
})
