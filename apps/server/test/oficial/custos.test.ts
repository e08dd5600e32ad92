import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CustosOficiais, Tarifa } from '@balcao/contract/entities/custos'
import { avisosRoute } from '@balcao/contract/routes/avisos'
import { custosOficiaisRoute } from '@balcao/contract/routes/custos'
import { linhaRoute } from '@balcao/contract/routes/linhas'
import { deleteExpired } from '#modules/retencao/delete-expired.ts'
import { uuidAt } from '#lib/time.ts'
import { createFakeMeta, deliverWebhook, type FakeMeta, webhookBody } from './fake-meta.ts'
import { type MetaLoja, saveMetaNumber } from './meta-loja.ts'
import { CHARGED, FREE, pricedStatus } from './priced-status.ts'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { givenConta, givenOperador } from '#test/builders.ts'

/** The costs as Meta's statuses tell them, with a stopped bot. Noon of 2026-11-10 in São Paulo. */

const TODAY = '2026-11-10'
const NOW = `${TODAY}T15:00:00.000Z`
const SERVICE: Tarifa = {
  ...{ vigenteDesde: '2026-10-01', categoria: 'service', pais: 'BR', milionesimos: 34_500, moeda: 'BRL' },
}

let meta: FakeMeta
let app: TestApp
let dona: TestUser
let loja: MetaLoja

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url, now: NOW, background: false })
})
afterAll(async () => {
  await app.close()
  await meta.close()
})
beforeEach(async () => {
  app.setNow(NOW)
  dona = await givenConta(app)
  loja = await saveMetaNumber(dona, meta)
  await saveRates([SERVICE])
})

const saveRates = (tarifas: readonly object[], user: Pick<TestUser, 'request'> = app) =>
  user.request('PUT', '/admin/tarifas', { tarifas })

async function deliver(statuses: readonly object[], to = loja, telefoneId = meta.number.telefoneId): Promise<void> {
  const body = webhookBody(meta, { statuses }, telefoneId)
  expect(await deliverWebhook(to.webhook(app), body, meta.secret)).toBe(200)
}

const status = (fields: Parameters<typeof pricedStatus>[0] = {}): object =>
  pricedStatus({ at: NOW, mark: uuidAt(Date.parse(NOW)), ...fields })

async function costs(user: TestUser = dona, query = `mes=${TODAY.slice(0, 7)}`): Promise<CustosOficiais> {
  const { body } = await user.request('GET', `/oficial/custos?${query}`)
  return custosOficiaisRoute.response.parse(body)
}

const NOTHING = {
  ...{ mensagens: { cobradas: 0, gratuitas: 0, anuncio: 0 }, valorCentavos: 0, moeda: 'BRL', estimativa: true },
  ...{ previsaoCentavos: 0, porDia: [], porOrigem: [] },
}

describe('GET /oficial/custos', () => {
  it('counts a message once, for all its statuses, repeated and out of order', async () => {
    const wamid = 'wamid.UMA'
    const mark = uuidAt(Date.parse(NOW))
    await deliver([status({ wamid, mark, status: 'read' }), status({ wamid, mark, status: 'delivered' })])
    await deliver([status({ wamid, mark, status: 'sent' })])
    await Promise.all([1, 2, 3].map(() => deliver([status({ wamid, mark, status: 'read' })])))
    expect(await costs()).toEqual({
      mensagens: { cobradas: 1, gratuitas: 0, anuncio: 0 },
      ...{ valorCentavos: 3, moeda: 'BRL', estimativa: true, previsaoCentavos: 10 },
      porDia: [{ dia: TODAY, mensagens: 1, valorCentavos: 3 }],
      porOrigem: [{ origem: 'outros', mensagens: 1, valorCentavos: 3 }],
    })
  })

  it('counts parallel deliveries of many messages exactly', async () => {
    const all = Array.from({ length: 20 }, () => status({ wamid: `wamid.${randomUUID()}` }))
    await Promise.all([all, all.toReversed(), all.slice(5), all.slice(0, 15).toReversed()].map((some) => deliver(some)))
    expect(await costs()).toMatchObject({ mensagens: { cobradas: 20 }, valorCentavos: 69 })
  })

  it('counts the webhooks of the other contas when one fails, and that one when Meta repeats it', async () => {
    const other = await givenConta(app)
    const lojas = [loja, await saveMetaNumber(other, meta)] as const
    const bodies = Array.from({ length: 6 }, () => webhookBody(meta, { statuses: [status()] }))
    const deliverAll = () =>
      Promise.all(
        lojas.map((to) => Promise.all(bodies.map((body) => deliverWebhook(to.webhook(app), body, meta.secret)))),
      )
    const broken = `add constraint quebrada check (conta_id <> '${other.contaId}') not valid`
    await app.sql(`alter table oficial_custos ${broken}`)
    expect(await deliverAll()).toEqual([bodies.map(() => 200), bodies.map(() => 500)])
    await app.sql('alter table oficial_custos drop constraint quebrada')
    expect(await deliverAll()).toEqual([bodies.map(() => 200), bodies.map(() => 200)])
    for (const user of [dona, other]) expect((await costs(user)).mensagens.cobradas).toBe(bodies.length)
  })

  it('separates charged, free and advertisement messages', async () => {
    await deliver([
      status(),
      status({ pricing: FREE }),
      status({ pricing: { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'service' } }),
      status({ pricing: FREE, conversation: { id: 'c', origin: { type: 'referral_conversion' } } }),
      status({ status: 'failed' }),
      { id: 'wamid.SEM_PRECO', status: 'sent', timestamp: '1760000000', biz_opaque_callback_data: randomUUID() },
    ])
    expect(await costs()).toMatchObject({ mensagens: { cobradas: 1, gratuitas: 1, anuncio: 2 }, valorCentavos: 3 })
  })

  it('groups by the local day and keeps other months apart', async () => {
    await deliver([
      status({ at: '2026-11-09T02:59:00Z' }),
      status({ at: '2026-11-09T03:00:00Z' }),
      status({ at: '2026-11-01T02:00:00Z' }),
      // Meta's clock is ahead. Then a message from before the first tariff.
      status({ at: '2027-05-01T12:00:00Z' }),
      status({ at: '2026-09-30T12:00:00Z' }),
    ])
    expect((await costs()).porDia).toEqual([
      { dia: '2026-11-08', mensagens: 1, valorCentavos: 3 },
      { dia: '2026-11-09', mensagens: 1, valorCentavos: 3 },
      { dia: TODAY, mensagens: 1, valorCentavos: 3 },
    ])
    expect(await costs()).toMatchObject({ valorCentavos: 10, previsaoCentavos: 31 })
    expect(await costs(dona, 'mes=2026-10')).toMatchObject({ valorCentavos: 3, previsaoCentavos: 3 })
    expect(await costs(dona, 'mes=2026-09')).toMatchObject({ mensagens: { cobradas: 1 }, valorCentavos: 0 })
    expect(await costs(dona, 'mes=2026-12')).toEqual(NOTHING)
  })

  it('counts messages of other programs, until their delivery', async () => {
    await deliver([
      status({ mark: null }),
      status({ mark: null, status: 'read' }),
      status({ mark: 'de outro programa' }),
    ])
    expect(await costs()).toMatchObject({ mensagens: { cobradas: 2 }, porOrigem: [{ origem: 'outros', mensagens: 2 }] })
  })

  it('separates lines', async () => {
    const { body } = await dona.request('POST', '/linhas', { nome: 'Entrega', conector: 'oficial' })
    const { id } = linhaRoute.response.parse(body).linha
    const number = { telefoneId: '206540352242922', contaWhatsappId: meta.number.contaWhatsappId }
    const entrega = await saveMetaNumber(dona, { ...meta, number }, `/linhas/${id}/oficial`)
    await deliver([status(), status()])
    await deliver([status()], entrega, number.telefoneId)
    // Of the other number.
    await deliver([status()], entrega)
    const ofLine = async (linha: string) => (await costs(dona, `mes=2026-11&linha=${linha}`)).mensagens.cobradas
    expect((await costs()).mensagens.cobradas).toBe(3)
    expect([await ofLine(dona.contaId), await ofLine(id), await ofLine('outra')]).toEqual([2, 1, 0])
  })

  it('shows nothing to another account and refuses people without the component', async () => {
    await deliver([status()])
    expect(await costs(await givenConta(app))).toEqual(NOTHING)
    const operador = await givenOperador(app, dona)
    expect((await operador.request('GET', '/oficial/custos?mes=2026-11')).status).toBe(403)
  })

  it('rejects a wrong month with 400', async () => {
    const months = ['2026-13', '2026-00', '2026-1', '202611', '2026-11-01', 'x', '', '1999-01']
    for (const mes of months) {
      const { body } = await dona.request('GET', `/oficial/custos?mes=${mes}`)
      expect([mes, body['codigo']]).toEqual([mes, 'dadosInvalidos'])
    }
    expect((await dona.request('GET', '/oficial/custos')).status).toBe(400)
  })

  it('stores no number and no id of a message, and forgets the digests after 60 days', async () => {
    const wamid = 'wamid.HBgNNTUxMTk4ODg4Nzc3NxU'
    const old = uuidAt(Date.parse(NOW))
    await deliver([status({ wamid, mark: old })])
    const rows = async () => app.sql('select * from oficial_custos_vistos where conta_id = $1', [dona.contaId])
    const kept = [
      ...(await rows()),
      ...(await app.sql('select * from oficial_custos where conta_id = $1', [dona.contaId])),
    ]
    expect(JSON.stringify(kept)).not.toMatch(/HBgN|988887777/)
    app.advance(61 * 86_400_000)
    await deleteExpired(app.deps)
    expect(await rows()).toEqual([])
    await deliver([status({ wamid, mark: old, status: 'read' })])
    const sums = 'select mensagens from oficial_custos where conta_id = $1'
    expect(await app.sql(sums, [dona.contaId])).toEqual([{ mensagens: 1 }])
  })
})

describe('GET /oficial/preco', () => {
  it('answers the price of an answer in Brazil today', async () => {
    const price = async () => (await dona.request('GET', '/oficial/preco')).body
    await saveRates([])
    expect(await price()).toEqual({ milionesimos: null, moeda: 'BRL' })
    const other = { ...SERVICE, pais: '*', milionesimos: 90_000, vigenteDesde: '2026-11-01' }
    const next = { ...SERVICE, milionesimos: 40_000, vigenteDesde: '2026-11-11' }
    await saveRates([SERVICE, other, next])
    expect(await price()).toEqual({ milionesimos: 34_500, moeda: 'BRL' })
    app.setNow('2026-11-11T15:00:00.000Z')
    expect(await price()).toEqual({ milionesimos: 40_000, moeda: 'BRL' })
  })
})

describe('/admin/tarifas', () => {
  it('prices later messages only, by category, country and day', async () => {
    await deliver([status()])
    await saveRates([
      { ...SERVICE, milionesimos: 100_000 },
      { ...SERVICE, pais: '*', milionesimos: 500_000 },
      { ...SERVICE, vigenteDesde: TODAY, milionesimos: 200_000 },
      { ...SERVICE, vigenteDesde: '2026-11-11', milionesimos: 900_000 },
      { ...SERVICE, categoria: 'marketing', milionesimos: 1_000_000 },
    ])
    expect((await costs()).valorCentavos).toBe(3)
    await deliver([
      status(),
      status({ at: '2026-11-09T15:00:00Z' }),
      status({ to: '12025550123' }),
      status({ pricing: { ...CHARGED, category: 'MARKETING' } }),
      status({ pricing: { ...CHARGED, category: 'utility' } }),
      status({ pricing: FREE }),
    ])
    expect(await costs()).toMatchObject({
      mensagens: { cobradas: 6, gratuitas: 1 },
      // 0.0345 + 0.20 + 0.10 + 0.50 + 1.00 + no rate
      valorCentavos: 183,
    })
  })

  it('answers in the currency of the newest prices', async () => {
    await deliver([status({ at: '2026-11-01T15:00:00Z' })])
    await saveRates([{ ...SERVICE, moeda: 'USD', milionesimos: 10_000 }])
    await deliver([status()])
    expect(await costs()).toMatchObject({ mensagens: { cobradas: 2 }, moeda: 'USD', valorCentavos: 1 })
  })

  it('returns the saved table and records the change', async () => {
    const { status: code, body } = await saveRates([SERVICE])
    expect([code, body]).toEqual([200, { tarifas: [SERVICE] }])
    expect((await app.request('GET', '/admin/tarifas')).body).toEqual({ tarifas: [SERVICE] })
    const [act] = await app.sql('select acao, detalhe from auditoria order by em desc, id desc limit 1')
    expect(act).toEqual({ acao: 'tarifasSalvas', detalhe: '1 tarifa' })
    expect((await saveRates([])).body).toEqual({ tarifas: [] })
  })

  it('rejects wrong rows with 400 and other people with 403', async () => {
    const wrong = [
      [{ ...SERVICE, vigenteDesde: '2026-02-30' }],
      [{ ...SERVICE, categoria: '' }],
      [{ ...SERVICE, pais: 'Brasil' }],
      [{ ...SERVICE, milionesimos: -1 }],
      [{ ...SERVICE, milionesimos: 1.5 }],
      [{ ...SERVICE, moeda: 'R$' }],
      [SERVICE, SERVICE],
    ]
    for (const tarifas of wrong) expect((await saveRates(tarifas)).body).toMatchObject({ codigo: 'dadosInvalidos' })
    expect((await saveRates([], dona)).status).toBe(403)
    expect((await dona.request('GET', '/admin/tarifas')).status).toBe(403)
    expect((await app.request('GET', '/admin/tarifas')).body).toEqual({ tarifas: [SERVICE] })
  })
})

describe('notice about the free messages', () => {
  const free = (count: number, at = NOW): object[] => Array.from({ length: count }, () => status({ pricing: FREE, at }))
  const notices = async (): Promise<string[]> =>
    avisosRoute.response.parse((await dona.request('GET', '/avisos')).body).avisos.map(({ texto }) => texto)
  const EIGHTY = 'Conexão padaria-aurora: Foram usadas 80% das 1000 mensagens grátis da Meta neste mês.'
  const ALL = 'Conexão padaria-aurora: As 1000 mensagens grátis da Meta deste mês acabaram. As próximas são cobradas.'

  it('reaches the owner once at 80 and once at 100 percent of each month', async () => {
    await deliver(free(799))
    expect(await notices()).toEqual([])
    await deliver(free(1))
    await deliver(free(199))
    expect(await notices()).toEqual([EIGHTY])
    await deliver(free(3))
    expect(await notices()).toEqual([ALL, EIGHTY])
    const december = '2026-12-01T15:00:00.000Z'
    app.setNow(december)
    await deliver(free(800, december))
    expect(await notices()).toEqual([EIGHTY, ALL, EIGHTY])
  })
})
