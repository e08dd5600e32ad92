import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { startMetaLoja, untilConnected, deliverStatus, createMetaCustomer, type MetaLoja } from './meta-loja.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

/** Simulates the table rows that a crashed server leaves behind and starts the next server. */

let database: TestDatabase
let meta: FakeMeta
let app: TestApp
let loja: MetaLoja

// Longer than any status takes to arrive; no test waits for all of it.
const open = () =>
  createTestApp({ database: database, oficialUrl: meta.url, oficialTimings: { confirmationMs: 60_000 } })

beforeAll(async () => {
  database = await createTestDatabase()
  meta = await createFakeMeta()
  app = await open()
  loja = await startMetaLoja(app, meta)
})
afterAll(async () => {
  await app.close()
  await meta.close()
  await database.drop()
})

const sides = {
  app: () => app,
  loja: () => loja,
  get meta() {
    return meta
  },
}
const semSaida = () => waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
const semChegadas = () => waitUntil(async () => (await app.sql('select 1 from oficial_chegadas')).length === 0)

describe('restart of the server', () => {
  it('answers messages kept while stopped, once and in order', async () => {
    const ana = createMetaCustomer({ ...sides, name: 'Ana', number: '5511930000001' })
    await app.request('POST', '/bot/parar')
    expect(await ana.says('oi', 'wamid.PARADO')).toBe(200)
    expect(await ana.says('4')).toBe(200)
    expect(await ana.says('oi', 'wamid.PARADO')).toBe(200)
    expect(ana.received()).toEqual([])
    await app.close()
    app = await open()
    await app.request('POST', '/bot/iniciar')
    await untilConnected(app)
    expect(await ana.hasRead(3)).toHaveLength(3)
    await semChegadas()
    const recebidas = await app.sql(`select texto from mensagens where direcao = 'entrada' order by id`)
    expect(recebidas.map(({ texto }) => texto)).toEqual(['oi', '4'])
  })

  it('ignores a repeated message that was already answered', async () => {
    const ana = createMetaCustomer({ ...sides, name: 'Ana', number: '5511930000001' })
    const before = ana.received().length
    // Received and answered, but the journal entry was not deleted and Meta repeats it.
    await ana.says('oi', 'wamid.PARADO')
    await semChegadas()
    await app.idle()
    expect(ana.received()).toHaveLength(before)
  })

  it('resends immediately when Meta refused the message after the restart', async () => {
    const caio = createMetaCustomer({ ...sides, name: 'Caio', number: '5511930000003' })
    await caio.says('atendente')
    await caio.hasRead(2)
    const [conversa] = await app.sql(`select id from conversas where protocolo is not null`)
    await app.request('POST', `/atendimento/conversas/${String(conversa?.['id'])}/mensagem`, { mensagem: 'chegou?' })
    await semSaida()
    const said = () => caio.received().filter(({ text }) => text?.body === 'chegou?')
    const [sent] = said()
    if (sent === undefined) throw new Error('no message sent')
    await app.close()
    app = await open()
    await untilConnected(app)
    await deliverStatus(sides, sent, { falhou: 131026 })
    const failure = await waitUntil(async () => {
      const [parsed] = await app.sql(`select id from mensagens where texto = 'chegou?' and estado = 'falhou'`)
      return parsed ?? null
    })
    await app.request('POST', `/atendimento/mensagens/${String(failure['id'])}/reenviar`)
    await semSaida()
    expect(said()).toHaveLength(2)
    expect(await app.sql(`select 1 from mensagens where texto = 'chegou?' and estado = 'enviada'`)).toHaveLength(1)
  })

  it('answers while kept files download, at most four at once', async () => {
    await app.request('POST', '/bot/parar')
    const release = meta.holdDownloads()
    const fotos = Array.from({ length: 12 }, (_, n) =>
      createMetaCustomer({ ...sides, name: `Foto ${n}`, number: `55119300001${String(n).padStart(2, '0')}` }),
    )
    for (const [n, cliente] of fotos.entries()) {
      meta.files.set(`${800 + n}`, { bytes: Buffer.from(`%PDF-1.4 ${n}`), mime: 'application/pdf' })
      await cliente.sends({ type: 'document', document: { id: `${800 + n}`, mime_type: 'application/pdf' } })
    }
    await app.request('POST', '/bot/iniciar')
    await untilConnected(app)
    const dora = createMetaCustomer({ ...sides, name: 'Dora', number: '5511930000004' })
    await dora.says('oi')
    await dora.hasRead(2)
    release()
    await semChegadas()
    expect(meta.maxParallelDownloads()).toBeLessThanOrEqual(4)
    expect(await app.sql(`select 1 from mensagens where midia ->> 'url' <> ''`)).toHaveLength(12)
  })

  it('does not resend a message that Meta confirms after the restart', async () => {
    const bia = createMetaCustomer({ ...sides, name: 'Bia', number: '5511930000002' })
    await bia.says('oi')
    await bia.hasRead(2)
    await semSaida()
    const [last] = bia.received().slice(-1)
    if (last === undefined) throw new Error('no message sent')
    await app.close()
    // The process ended after Meta's answer and before the outbox row was deleted.
    await database.owner.query(
      `insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, tentada_por)
       select m.conta_id, m.id, v.contato_id, $1, '{}', m.id::text, 1
       from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id where m.id = $2::uuid`,
      [bia.number, last.biz_opaque_callback_data],
    )
    const jaLidas = bia.received().length
    app = await open()
    await untilConnected(app)
    await deliverStatus(sides, last, 'sent')
    await semSaida()
    expect(bia.received()).toHaveLength(jaLidas)
  })
})
