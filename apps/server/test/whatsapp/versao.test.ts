import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createFakeCustomer,
  createFakePhone,
  createFakeServer,
  type FakePhone,
  type FakeServer,
} from '@balcao/whatsapp/rede-falsa'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta, saveConfig } from '#test/builders.ts'
import { createFleet } from '#test/nodes/fleet.ts'

/** The protocol version: tried on one idle session of the fake network, then used by all. */

let network: FakeServer
let app: TestApp
/** Versions of the logins that the server of the network accepted or refused, in order. */
const logins: string[] = []
let refused: readonly string[] = []
let phones = 0

beforeAll(async () => {
  network = await createFakeServer()
  network.faults.refuseVersion = (version) => {
    logins.push(version)
    return refused.includes(version)
  }
  app = await createTestApp({ whatsappUrl: network.url })
})
afterAll(async () => {
  await app.close()
  await network.close()
})

const save = (versao: unknown) => app.request('PUT', '/admin/whatsapp', { versao })
const stored = async () => (await app.request('GET', '/admin/whatsapp')).body
const statusOf = async (shop: TestUser) => (await shop.request('GET', '/bot/status')).body
const until = (shop: TestUser, status: string) => waitUntil(async () => (await statusOf(shop))['status'] === status)

async function givenLinked(place: TestApp = app): Promise<{ readonly shop: TestUser; readonly phone: FakePhone }> {
  const shop = await givenConta(place)
  await saveConfig(shop, (config) => ({ ...config, whatsapp: { ...config.whatsapp, conector: 'whatsapp' } }))
  phones += 1
  const phone = createFakePhone(network, {
    ...{ numero: `551199100000${phones}`, lid: `10000000009000${phones}`, nome: 'Loja' },
  })
  await shop.request('POST', '/bot/iniciar')
  await until(shop, 'AGUARDANDO_QR')
  await phone.scan(String((await statusOf(shop))['qrCode']))
  await until(shop, 'CONECTADO')
  return { shop, phone }
}
const acts = () =>
  app.sql(`select resultado, detalhe from auditoria where acao = 'versaoWhatsappAlterada' order by id desc`)

describe('/admin/whatsapp', () => {
  it('takes three numbers and belongs to administrators', async () => {
    expect(await stored()).toEqual({ versao: null })
    for (const versao of ['2.3000', '2.3000.1.1', 'v2.3000.1', '2.3000.', '2.3000.99999999999', '', 7]) {
      expect((await save(versao)).status).toBe(400)
    }
    const dona = await givenConta(app)
    expect((await dona.request('GET', '/admin/whatsapp')).status).toBe(403)
    expect((await dona.request('PUT', '/admin/whatsapp', { versao: null })).status).toBe(403)
    // Without a linked session no session can break.
    expect(await save('2.3000.10')).toMatchObject({ status: 200, body: { versao: '2.3000.10' } })
    expect(await save(null)).toMatchObject({ status: 200, body: { versao: null } })
    expect(await acts()).toMatchObject([
      { resultado: 'feito', detalhe: 'De 2.3000.10 para automática, sem sessão para testar' },
      { resultado: 'feito', detalhe: 'De automática para 2.3000.10, sem sessão para testar' },
    ])
  })

  it('tries a version on the idle session and uses it for all others afterwards', async () => {
    const [busy, idle] = [await givenLinked(), await givenLinked()]
    const ana = createFakeCustomer(network, { numero: '5511980000001', lid: '200000000090001', nome: 'Ana' })
    await ana.say(busy.phone, 'oi')
    await ana.nth(2)
    await app.idle()
    const [before] = logins.slice(-1)
    logins.length = 0
    expect(await save('2.3000.20')).toMatchObject({ status: 200, body: { versao: '2.3000.20' } })
    expect(logins).toEqual(['2.3000.20'])
    await until(idle.shop, 'CONECTADO')
    // The other session changes with its next connection.
    for (const { connection } of busy.phone.devices.values()) connection?.cut()
    await waitUntil(() => logins.length === 2)
    expect(logins).toEqual(['2.3000.20', '2.3000.20'])
    expect(before).not.toBe('2.3000.20')
    await until(busy.shop, 'CONECTADO')
  })

  it('keeps the old version and names the reason when the test fails', async () => {
    refused = ['2.1.1']
    logins.length = 0
    const { status, body } = await save('2.1.1')
    expect(status).toBe(409)
    expect(body).toMatchObject({ codigo: 'versaoRecusada', erro: expect.stringContaining('não aceita esta versão') })
    expect(logins[0]).toBe('2.1.1')
    expect(await stored()).toMatchObject({
      versao: '2.3000.20',
      recusada: { versao: '2.1.1', motivo: 'O WhatsApp não aceita esta versão.', em: expect.any(String) },
    })
    // The session of the test connects with the old version again.
    await waitUntil(() => logins.length === 2)
    expect(logins).toEqual(['2.1.1', '2.3000.20'])
    await waitUntil(async () => (await app.sql(`select 1 from linhas_bots where status = 'CONECTADO'`)).length === 2)
    expect((await acts())[0]).toMatchObject({ resultado: 'recusado' })
  })

  it('starts sessions that WhatsApp had refused once a version is accepted', async () => {
    refused = ['2.3000.20']
    network.cutAll()
    const outdated = () => app.sql(`select 1 from linhas_bots where motivo = 'clienteDesatualizado'`)
    await waitUntil(async () => (await outdated()).length === 2)
    expect(await save('2.3000.30')).toMatchObject({ status: 200, body: { versao: '2.3000.30' } })
    await waitUntil(async () => (await app.sql(`select 1 from linhas_bots where status = 'CONECTADO'`)).length === 2)
    expect(await stored()).toEqual({ versao: '2.3000.30' })
  })
})

it('tries a version on the session of another node', async () => {
  const fleet = await createFleet(0)
  try {
    const a = await fleet.start({ whatsappUrl: network.url })
    const b = await fleet.start({ whatsappUrl: network.url })
    await waitUntil(() => [a, b].every((node) => node.app.deps.fleet.others().length === 1))
    const { shop } = await givenLinked(a.app)
    const holders = () => a.app.sql('select no, status from linhas_bots where conta_id = $1', [shop.contaId])
    expect(await holders()).toEqual([{ no: a.id, status: 'CONECTADO' }])
    logins.length = 0
    expect((await b.app.request('PUT', '/admin/whatsapp', { versao: '2.3000.40' })).status).toBe(200)
    expect(logins).toEqual(['2.3000.40'])
    expect(await holders()).toMatchObject([{ status: 'CONECTADO' }])
  } finally {
    await fleet.close()
  }
})
