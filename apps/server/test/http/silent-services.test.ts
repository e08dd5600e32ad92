import { afterAll, beforeAll, describe, it } from 'vitest'
import { createSmtpMailer } from '#adapters/smtp/mailer.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { customerSays, givenConta, saveConfig, startBot } from '#test/builders.ts'
import { deliverWebhook, webhookBody } from '#test/oficial/fake-meta.ts'
import { saveMetaNumber, untilConnected } from '#test/oficial/meta-loja.ts'
import { createPushService } from '#test/push/push-service.ts'
import { VALID_KEY } from '#test/ia/fake-gemini.ts'
import { createQuietShop, expectInTime, type QuietShop } from './quiet-shop.ts'
import { createSilentPort, createSilentService, type SilentService } from './silent-service.ts'

/** The service of one conta accepts its requests and never answers. Another conta is served in time. */

const META = { number: { telefoneId: '100200300', contaWhatsappId: '900800700' }, token: 'EAAtoken', secret: 'segredo' }

/** Answers what a session asks at its start, so that the bot connects. No message is answered. */
function answerMeta(url: string): object | null {
  if (url.includes('fields=')) return { display_phone_number: '5511990000001', verified_name: 'Loja' }
  return url.includes('subscribed_apps') ? { success: true } : null
}

let services: Readonly<Record<'s3' | 'gemini' | 'meta' | 'smtp', SilentService>>
let app: TestApp
let loud: TestUser
let shop: QuietShop
let quiet: number
beforeAll(async () => {
  services = {
    // The start reads and writes the marks of erased customers.
    s3: await createSilentService((url) => (url.includes('.webp') ? null : {})),
    gemini: await createSilentService(),
    meta: await createSilentService(answerMeta),
    smtp: await createSilentPort(),
  }
  app = await createTestApp({
    ...{ geminiUrl: services.gemini.url, oficialUrl: services.meta.url, pushLoopback: true },
    mailer: createSmtpMailer({ url: services.smtp.url, de: 'nao-responda@balcao.test' }),
    s3: {
      endpoint: services.s3.url,
      region: 'x',
      bucket: 'b',
      accessKeyId: 'k',
      secretAccessKey: 's',
      pathStyle: true,
    },
  })
  loud = await givenConta(app)
  shop = await createQuietShop(await givenConta(app))
  await app.sql('update contas set limite_mensagens_dia = 1000000')
  await shop.p90(5)
  quiet = await shop.p90()
})
afterAll(async () => {
  for (const service of Object.values(services)) service.close()
  await app?.close()
})

const many = (times: number, work: (n: number) => Promise<unknown>): Promise<unknown>[] =>
  Array.from({ length: times }, (_, n) => work(n).catch(() => undefined))

const phone = (prefix: number, n: number): string => `5511${prefix}${String(n).padStart(7, '0')}`

/** Each attack resolves when its requests wait at the silent service. */
const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a push service': async () => {
    const silent = await createPushService()
    silent.silent = true
    for (const name of ['a', 'b', 'c']) await loud.request('POST', '/push/inscricoes', silent.subscription(name))
    await app.sql(
      `insert into push_avisos (conta_id, usuario_id, chave, tipo, criado_em, proxima_em)
       select $1, $2, 'teste:' || n, 'teste', now(), now() from generate_series(1, 300) n on conflict do nothing`,
      [loud.contaId, loud.usuario.id],
    )
    return waitUntil(() => silent.received.length > 0)
  },
  'the mail server': async () => {
    await app.sql(
      `insert into emails (id, conta_id, tipo, para, assunto, texto, criado_em, proxima_em)
       select gen_random_uuid(), $1, 'convite', 'x@loja.test', 'Convite', 'texto', now(), now()
       from generate_series(1, 100)`,
      [loud.contaId],
    )
    await loud.request('POST', '/auth/esqueci-senha', { email: loud.usuario.email })
    return waitUntil(() => services.smtp.waiting() > 0)
  },
  'the bucket of the files': async () => {
    await app.sql(
      `insert into arquivos (conta_id, nome, uso, tipo, tamanho, nome_original, estado, criado_em)
       values ($1, repeat('a', 32) || '.webp', 'produto', 'image/webp', 10, '', 'pronto', now()) on conflict do nothing`,
      [loud.contaId],
    )
    void many(80, () => fetch(`${app.url}/api/imagens/${'a'.repeat(32)}.webp`))
    return waitUntil(() => services.s3.waiting() > 20)
  },
  'the list of models and the check of keys': async () => {
    const asking = await givenConta(app, 'Modelos')
    await saveConfig(asking, (config) => ({ ...config, gemini: { apiKey: VALID_KEY } }))
    void many(30, () => asking.request('POST', '/gemini/validar', { apiKey: VALID_KEY }))
    void many(40, () => asking.request('GET', '/gemini/modelos'))
    return waitUntil(() => services.gemini.waiting() > 20)
  },
  'the assistant': async () => {
    await saveConfig(loud, (config) => ({
      ...config,
      gemini: { apiKey: VALID_KEY },
      ia: { ...config.ia, ativa: true, apiKey: VALID_KEY, esperaSegundos: 0, promptTreinamento: 'Canecas.' },
      menu: {
        ...config.menu,
        opcoes: [{ numero: '2', titulo: 'Dúvida', tipo: 'ia', resposta: 'PERGUNTE' }],
      },
    }))
    await startBot(loud)
    await Promise.all(many(60, (n) => customerSays(loud, phone(93, n), 'oi', '2', 'quanto custa?')))
    return waitUntil(() => services.gemini.waiting() >= 4)
  },
  Meta: async () => {
    const meta = await givenConta(app, 'Meta')
    await saveConfig(meta)
    const { config } = Object((await meta.request('GET', '/config')).body)
    await meta.request('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, conector: 'oficial' } })
    const loja = await saveMetaNumber(meta, META)
    await meta.request('POST', '/bot/iniciar')
    await untilConnected(meta)
    const say = (n: number): Promise<number> => {
      const from = phone(94, n)
      const text = { type: 'text', text: { body: 'oi' }, timestamp: String(Math.floor(Date.now() / 1_000)) }
      const contacts = [{ profile: { name: 'Bia' }, wa_id: from }]
      const body = webhookBody(META, { contacts, messages: [{ from, id: `wamid.${n}`, ...text }] })
      return deliverWebhook(loja.webhook(app), body, META.secret)
    }
    await Promise.all(many(60, say))
    return waitUntil(() => services.meta.waiting() > 20)
  },
}

describe('a service that accepts and never answers', () => {
  it.each(Object.entries(ATTACKS))('delays no other conta: %s', async (_service, attack) => {
    await attack()
    await expectInTime(shop, quiet)
  })
})
