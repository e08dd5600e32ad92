import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { novoTotpSchema } from '@balcao/contract/entities/identidade'
import { SEALED_PLACES } from '#db/sealed-values.ts'
import { createTestApp, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { codeAt } from '#test/auth/code-at.ts'
import { enrolTotp, openDesafio } from '#test/auth/identity.ts'
import { connectBot, givenConta } from '#test/builders.ts'
import { createFakeMeta, type FakeMeta } from '#test/oficial/fake-meta.ts'
import { createMetaCustomer, type MetaLoja, saveMetaNumber, startMetaLoja } from '#test/oficial/meta-loja.ts'
import { createPushService, type PushService } from '#test/push/push-service.ts'

const configResponseSchema = z.object({ config: z.looseObject(configSchema.shape) })

/** Nothing decrypts this text, as after a damage of its row. */
const UNREADABLE = `selado:k1:${Buffer.alloc(60).toString('base64')}`

let app: TestApp
let meta: FakeMeta
let push: PushService
let loja: MetaLoja
let healthy: TestUser
let damaged: TestUser
let official: TestUser
let customers = 0
beforeAll(async () => {
  meta = await createFakeMeta()
  push = await createPushService()
  app = await createTestApp({ oficialUrl: meta.url, pushLoopback: true })
  ;[healthy, damaged, official] = [await givenConta(app), await givenConta(app), await givenConta(app)]
  for (const user of [healthy, damaged]) await connectBot(user)
  loja = await startMetaLoja(official, meta)
})
afterAll(async () => {
  await app.close()
  await meta.close()
  push.close()
})

const newPhone = (): string => `55119770${String((customers += 1)).padStart(5, '0')}`
const write = async ({ request }: TestUser): Promise<number> =>
  (await request('POST', '/simulador/mensagens', { telefone: newPhone(), nome: 'Bia', texto: 'oi' })).status
const statusOf = async ({ request }: TestUser): Promise<unknown> => (await request('GET', '/bot/status')).body['status']

async function damage(table: string, { contaId }: TestUser): Promise<void> {
  const places = SEALED_PLACES.filter((place) => place.table === table)
  for (const { assignment } of places)
    await app.sql(`update ${table} set ${assignment} where conta_id = $2`, [UNREADABLE, contaId])
}

describe('a sealed value that cannot be read', () => {
  it('counts as a missing key of the assistant, which the owner saves again', async () => {
    const stored = async () => configResponseSchema.parse((await damaged.request('GET', '/config')).body).config
    await damage('configuracoes', damaged)
    await app.sql('update contas set versao_contexto = versao_contexto + 1')
    const statuses = await Promise.all([damaged, healthy, damaged, healthy].map(write))
    expect(statuses).toEqual([202, 202, 202, 202])
    const config = await stored()
    expect(config.gemini.apiKey).toBe('')
    const saved = { ...config, gemini: { apiKey: 'AIza-nova-chave-da-loja-0123456789' } }
    expect((await damaged.request('PUT', '/config', saved)).status).toBe(200)
    expect((await stored()).gemini.apiKey).toMatch(/6789$/)
  })

  it('pairs the bot of its conta again, and no other', async () => {
    await damage('linhas_bots', damaged)
    for (const act of ['parar', 'iniciar']) expect((await damaged.request('POST', `/bot/${act}`)).status).toBe(200)
    await waitUntil(async () => (await statusOf(damaged)) === 'AGUARDANDO_QR')
    expect(await statusOf(healthy)).toBe('CONECTADO')
    expect(await write(healthy)).toBe(202)
  })

  it('removes the browser of its conta from the list, and notifies the others', async () => {
    for (const user of [damaged, healthy]) {
      expect((await user.request('POST', '/push/inscricoes', push.subscription(user.contaId))).status).toBe(201)
    }
    await damage('push_inscricoes', damaged)
    for (const user of [damaged, healthy]) expect((await user.request('POST', '/push/teste')).status).toBe(202)
    await waitUntil(() => push.received.length === 1)
    const left = async (): Promise<unknown[]> =>
      (await app.sql('select conta_id from push_inscricoes')).map((row) => row['conta_id'])
    await expect.poll(left).toEqual([healthy.contaId])
  })

  it('delivers the messages behind one of the official line that cannot be read', async () => {
    const [first, second] = ['Rui', 'Eva'].map((name) =>
      createMetaCustomer({ app: () => app, loja: () => loja, meta, name, number: newPhone() }),
    )
    await official.request('POST', '/bot/parar')
    expect(await first?.says('primeira')).toBe(200)
    await damage('linhas_oficial_chegadas', official)
    expect(await second?.says('segunda')).toBe(200)
    await official.request('POST', '/bot/iniciar')
    await waitUntil(() => (second?.received() ?? []).length > 0)
    expect(first?.received()).toEqual([])
    const tries = async (): Promise<unknown[]> =>
      (
        await app.sql(
          `select tentativas as times, round(extract(epoch from tentar_em - now()) / 60)::int as minutes
           from oficial_chegadas where conta_id = $1`,
          [official.contaId],
        )
      ).map(({ times, minutes }) => [times, minutes])
    await expect.poll(tries).toEqual([[1, 1]])
    await app.sql('update oficial_chegadas set tentar_em = now() where conta_id = $1', [official.contaId])
    await expect.poll(tries, { timeout: 10_000 }).toEqual([[2, 2]])
    await app.sql('delete from oficial_chegadas where conta_id = $1', [official.contaId])
  })

  it('acknowledges no webhook of its conta until the owner saves the keys again', async () => {
    const customer = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Rui', number: newPhone() })
    expect(await customer.says('oi')).toBe(200)
    await damage('linhas_oficial', official)
    expect(await customer.says('oi')).toBe(500)
    expect(await write(healthy)).toBe(202)
    loja = await saveMetaNumber(official, meta)
    expect(await customer.says('oi')).toBe(200)
    const question = { 'hub.mode': 'subscribe', 'hub.verify_token': loja.verifyToken, 'hub.challenge': 'pergunta' }
    const asked = await fetch(`${loja.webhook(app)}?${new URLSearchParams(question).toString()}`)
    expect([loja.verifyToken === '', asked.status, await asked.text()]).toEqual([false, 200, 'pergunta'])
  })

  it('refuses codes of an app and accepts a recovery code, after which the app is enrolled again', async () => {
    const person = await givenConta(app)
    const { recuperacao } = await enrolTotp(app.send, person.token, () => new Date())
    await damage('usuarios', person)
    const { desafio } = await openDesafio(app.send, { email: person.usuario.email, senha: PASSWORD })
    const finish = (proof: object) => app.send('POST', '/auth/segundo-fator', { body: { desafio, ...proof } })
    expect((await finish({ codigo: '123456' })).status).toBe(403)
    const { status, body } = await finish({ recuperacao: recuperacao[0] })
    expect(status).toBe(200)
    const token = String(body['token'])
    const confirm = async (codigo: string) =>
      (await app.send('POST', '/auth/totp/confirmar', { token, body: { codigo } })).status
    expect((await app.send('POST', '/auth/totp', { token })).status).toBe(200)
    await damage('usuarios', person)
    expect(await confirm('123456')).toBe(409)
    const { segredo } = novoTotpSchema.parse((await app.send('POST', '/auth/totp', { token })).body)
    expect(await confirm(codeAt(segredo, new Date()))).toBe(200)
  })

  it('replaces the keys for push services, and browsers that subscribe again get notices', async () => {
    const readKey = async () => (await healthy.request('GET', '/push/chave')).body['chavePublica']
    const old = await readKey()
    await app.sql('update configuracoes_admin set vapid_privada = $1', [UNREADABLE])
    const keys = await Promise.all([readKey(), readKey()])
    expect([new Set(keys).size, keys.includes(old), await readKey()]).toEqual([1, false, keys[0]])
    const { status } = await healthy.request('POST', '/push/inscricoes', push.subscription(`${healthy.contaId}-novo`))
    expect(status).toBe(201)
    const count = push.received.length
    expect((await healthy.request('POST', '/push/teste')).status).toBe(202)
    await waitUntil(() => push.received.length > count)
  })

  it('leaves a mail unsent, and the list of mails readable', async () => {
    expect((await app.send('POST', '/auth/esqueci-senha', { body: { email: healthy.usuario.email } })).status).toBe(202)
    await app.sql('update emails set texto = $1', [UNREADABLE])
    const { status, body } = await app.admin.request('GET', '/admin/emails')
    expect([status, JSON.stringify(body).includes('selado:')]).toEqual([200, false])
  })
})
