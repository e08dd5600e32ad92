import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import {
  startMetaLoja,
  type MetaCustomer,
  deliverStatus,
  createMetaCustomer,
  type MetaLoja,
  saveMetaNumber,
} from './meta-loja.ts'
import { webhookBody, createFakeMeta, deliverWebhook, type FakeMetaMessage, type FakeMeta } from './fake-meta.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { PNG } from '#test/builders.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let clientes = 0

beforeAll(async () => {
  meta = await createFakeMeta()
  // Longer than any wait in these tests, so every status arrives in time.
  const temposOficial = { confirmationMs: 20_000, checkMs: 1_000, reconnectDelay: () => 50 }
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: temposOficial })
  loja = await startMetaLoja(app, meta)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

const sides = {
  app: () => app,
  loja: () => loja,
  get meta() {
    return meta
  },
}
function cliente(nome: string): MetaCustomer {
  clientes += 1
  return createMetaCustomer({ ...sides, name: nome, number: `551192000${String(clientes).padStart(4, '0')}` })
}

const stored = async (numero: string): Promise<Record<string, unknown>[]> =>
  app.sql(
    `select m.texto, m.midia, m.estado, m.erro from mensagens m
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where c.telefone = '${numero}' and m.direcao = 'entrada' order by m.id`,
  )
/** Ignores changes whose target message never arrives. */
const tudoLido = () =>
  waitUntil(async () => (await app.sql(`select 1 from oficial_chegadas where id not like '%:SEM-ALVO%'`)).length === 0)
const tudoSaiu = () => waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
async function comPessoas(quem: MetaCustomer): Promise<string> {
  await quem.says('atendente')
  const found = await waitUntil(async () => {
    const rows = await app.sql(
      `select v.id from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
       where c.telefone = '${quem.number}' and v.protocolo is not null`,
    )
    return rows[0] ?? null
  })
  await quem.hasRead(2)
  await tudoSaiu()
  return String(found['id'])
}
const dizer = async (conversaId: string, mensagem: string): Promise<Record<string, unknown>> =>
  (await app.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem })).body
async function chegou(quem: MetaCustomer, texto: string): Promise<FakeMetaMessage> {
  return waitUntil(() => quem.received().find(({ text }) => text?.body === texto) ?? null)
}
const estadoDe = async (texto: string): Promise<unknown> =>
  (await app.sql(`select estado, erro from mensagens where texto = '${texto}'`))[0]

describe('inbound messages', () => {
  it('stores every message type with its content', async () => {
    const quem = cliente('Ana')
    meta.files.set('900', { bytes: PNG, mime: 'image/png' })
    meta.files.set('901', { bytes: PDF, mime: 'application/pdf' })
    await quem.sends({ type: 'image', image: { id: '900', mime_type: 'image/png', caption: 'a foto' } })
    await quem.sends({ type: 'document', document: { id: '901', mime_type: 'application/pdf', filename: 'nota.pdf' } })
    await quem.sends({ type: 'audio', audio: { id: '404', mime_type: 'audio/ogg', voice: true } })
    await quem.sends({ type: 'sticker', sticker: { id: '404', mime_type: 'image/webp' } })
    await quem.sends({ type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } })
    await quem.sends({
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Bia' }, phones: [{ phone: '+55 11 97777-0000' }] }],
    })
    await quem.sends({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: '1', title: 'Sim' } },
    })
    const list_reply = { id: 'opt_sim', title: 'Sim' }
    await quem.sends({ type: 'interactive', interactive: { type: 'list_reply', list_reply } })
    await quem.sends({ type: 'button', button: { text: 'Quero', payload: 'q' } })
    await quem.sends({ type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } }, 'SEM-ALVO')
    await quem.sends({ type: 'text', text: { body: 'fim' } })
    const lines = await waitUntil(async () => {
      const parsed = await stored(quem.number)
      return parsed.some(({ texto }) => texto === 'fim') ? parsed : null
    })
    expect(lines).toMatchObject([
      {
        texto: 'a foto',
        midia: { tipo: 'imagem', url: expect.stringMatching(/^\/api\/midias\//), mimeType: 'image/png' },
      },
      { texto: '', midia: { tipo: 'documento', nomeArquivo: 'nota.pdf', url: expect.any(String) } },
      // Deleted at Meta: the message keeps its media type without a file.
      { texto: '', midia: { tipo: 'audio', mimeType: 'audio/ogg' } },
      { texto: '', midia: { tipo: 'figurinha' } },
      { texto: 'Praça\nhttps://maps.google.com/?q=-23.5,-46.6', midia: { tipo: 'localizacao' } },
      { texto: 'Bia · +55 11 97777-0000', midia: { tipo: 'contato' } },
      { texto: '1' },
      // An id of another program.
      { texto: 'Sim' },
      { texto: 'Quero' },
      { texto: 'fim' },
    ])
  })

  it('keeps the order while the store fails on the first message', async () => {
    const quem = cliente('Rosa')
    // A sequence is not rolled back, so it also counts failed inserts.
    await app.sql(`
      create sequence recusas;
      create function recusar() returns trigger language plpgsql security definer as $$
        begin
          if new.texto = 'quero rosas' and nextval('recusas') <= 2 then raise exception 'not now'; end if;
          return new;
        end $$;
      create trigger recusar before insert on mensagens for each row execute function recusar()`)
    for (const texto of ['quero rosas', 'duas', 'vermelhas']) await quem.says(texto)
    await waitUntil(async () => (await stored(quem.number)).length === 3)
    await app.sql('drop trigger recusar on mensagens')
    expect((await stored(quem.number)).map(({ texto }) => texto)).toEqual(['quero rosas', 'duas', 'vermelhas'])
  })

  it('answers a message whose wake-up is lost', async () => {
    const quem = cliente('Lia')
    const wake = vi.spyOn(app.deps.oficial, 'wake').mockImplementation(() => undefined)
    await quem.says('oi')
    await waitUntil(async () => (await stored(quem.number)).length === 1)
    wake.mockRestore()
  })

  it('stores messages without content or with malformed parts', async () => {
    const quem = cliente('Rui')
    meta.files.set('903', { bytes: PNG, mime: 'image/png' })
    meta.failingDownloads = 2
    await quem.sends({ type: 'unsupported', errors: [{ code: 131051, title: 'Message type unknown' }] })
    await quem.sends({ type: 'image', image: { id: '903', mime_type: 'image/png', caption: 'na terceira\0 vez' } })
    const product_items = [{ product_retailer_id: 'VASO-1', quantity: 2, item_price: 29.9, currency: 'BRL' }]
    await quem.sends({ type: 'order', order: { catalog_id: '1', text: 'para hoje', product_items } })
    const nfm_reply = { name: 'flow', body: 'Enviado', response_json: '{}' }
    await quem.sends({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } })
    await quem.sends({ type: 'location', location: { latitude: '-23.5', longitude: '-46.6', name: 7 } })
    await quem.sends({ type: 'document', document: { id: '404', filename: 'a\0b.pdf' } })
    await quem.sends({ type: 'text', text: { body: 'sem hora' }, timestamp: 'ontem' })
    await quem.sends({ type: 'system', system: { body: 'mudou de número' } })
    await quem.sends({ type: 'poll_creation' })
    await quem.says('fim')
    const lines = await waitUntil(async () => {
      const parsed = await stored(quem.number)
      return parsed.some(({ texto }) => texto === 'fim') ? parsed : null
    })
    const naoMostra = 'Chegou uma mensagem que a API oficial do WhatsApp não mostra. Peça que a pessoa escreva.'
    expect(lines).toMatchObject([
      { texto: naoMostra, midia: { tipo: 'outro' } },
      { texto: 'na terceira vez', midia: { tipo: 'imagem', url: expect.stringMatching(/^\/api\/midias\//) } },
      { texto: 'Pedido pelo catálogo do WhatsApp\n2 × VASO-1 · R$\u00a029,90\npara hoje' },
      { texto: 'Enviado' },
      { texto: 'https://maps.google.com/?q=-23.5,-46.6', midia: { tipo: 'localizacao' } },
      { texto: '', midia: { tipo: 'documento', nomeArquivo: 'ab.pdf' } },
      { texto: 'sem hora' },
      { texto: naoMostra },
      { texto: 'fim' },
    ])
  })

  it('stores the file after a transient store failure', async () => {
    const quem = cliente('Sara')
    meta.files.set('904', { bytes: PNG, mime: 'image/png' })
    await app.sql(`
      create sequence sem_lugar;
      create function sem_lugar() returns trigger language plpgsql security definer as $$
        begin
          if nextval('sem_lugar') <= 1 then raise exception 'not now'; end if;
          return new;
        end $$;
      create trigger sem_lugar before insert on arquivos for each row execute function sem_lugar()`)
    await quem.sends({ type: 'image', image: { id: '904', mime_type: 'image/png' } })
    const [line] = await waitUntil(async () => {
      const parsed = await stored(quem.number)
      return parsed.length > 0 ? parsed : null
    })
    await app.sql('drop trigger sem_lugar on arquivos')
    expect(line?.['midia']).toMatchObject({ tipo: 'imagem', url: expect.stringMatching(/^\/api\/midias\//) })
  })

  it('refuses a download outside Meta, which would expose the token', async () => {
    const quem = cliente('Caio')
    const requests = await createFakeMeta()
    meta.fileHost = requests.url
    meta.files.set('902', { bytes: PNG, mime: 'image/png' })
    requests.files.set('902', { bytes: PNG, mime: 'image/png' })
    await quem.sends({ type: 'image', image: { id: '902', mime_type: 'image/png', caption: 'longe' } })
    const [line] = await waitUntil(async () => {
      const parsed = await stored(quem.number)
      return parsed.length > 0 ? parsed : null
    })
    meta.fileHost = null
    await requests.close()
    expect(line?.['midia']).toEqual({ tipo: 'imagem', mimeType: 'image/png' })
  })

  it('sends read marks and the typing indicator', async () => {
    const quem = cliente('Davi')
    await quem.says('oi', 'wamid.DAVI')
    await quem.hasRead(2)
    const lida = await waitUntil(() => meta.readMarks.find(({ message_id: id }) => id === 'wamid.DAVI') ?? null)
    expect(lida.status).toBe('read')
    const conversaId = await comPessoas(quem)
    await dizer(conversaId, 'um momento')
    await app.request('POST', `/atendimento/conversas/${conversaId}/digitando`, {})
    await waitUntil(() => meta.readMarks.some(({ typing_indicator: typing }) => typing !== undefined))
  })
})

describe('outbound messages', () => {
  it('sends a picture and never moves its status back', async () => {
    const quem = cliente('Eva')
    const conversaId = await comPessoas(quem)
    const form = new FormData()
    form.set('arquivo', new File([PNG], 'foto.png', { type: 'image/png' }))
    form.set('legenda', 'olha só')
    await app.request('POST', `/atendimento/conversas/${conversaId}/midia`, form)
    const foto = await waitUntil(() => quem.received().find(({ image }) => image !== undefined) ?? null)
    expect(foto.image?.caption).toBe('olha só')
    expect(meta.files.get(foto.image?.id ?? '')).toEqual({ bytes: PNG, mime: 'image/png' })

    await tudoSaiu()
    await deliverStatus(sides, foto, 'read')
    await waitUntil(
      async () => (await app.sql(`select 1 from mensagens where texto = 'olha só' and estado = 'lida'`)).length > 0,
    )
    await deliverStatus(sides, foto, 'delivered')
    await app.idle()
    expect(await estadoDe('olha só')).toMatchObject({ estado: 'lida' })
  })

  it('shows why delivery failed and lets an operator resend', async () => {
    const quem = cliente('Fábio')
    const conversaId = await comPessoas(quem)
    await dizer(conversaId, 'chegou?')
    const sent = await chegou(quem, 'chegou?')
    await tudoSaiu()
    await deliverStatus(sides, sent, { falhou: 131026 })
    const line = await waitUntil(async () => {
      const [lida] = await app.sql(`select id, erro from mensagens where texto = 'chegou?' and estado = 'falhou'`)
      return lida ?? null
    })
    expect(line['erro']).toContain('confirme o número')
    // An outdated `sent` status, because Meta delivers statuses in any order.
    await deliverStatus(sides, sent, 'sent')
    await tudoLido()
    await app.request('POST', `/atendimento/mensagens/${String(line['id'])}/reenviar`)
    await waitUntil(() => quem.received().filter(({ text }) => text?.body === 'chegou?').length === 2)
    await tudoSaiu()
    await deliverStatus(sides, sent, { falhou: 131026 })
    await tudoLido()
    expect(await estadoDe('chegou?')).toMatchObject({ estado: 'enviada' })
  })

  it('stops retrying when Meta refuses permanently', async () => {
    const quem = cliente('Gil')
    const conversaId = await comPessoas(quem)
    meta.queueOutcomes({ status: 400, codigo: 131047 })
    await dizer(conversaId, 'fora da janela')
    await waitUntil(
      async () =>
        (await app.sql(`select 1 from mensagens where texto = 'fora da janela' and estado = 'falhou'`)).length > 0,
    )
    expect(await estadoDe('fora da janela')).toMatchObject({
      erro: expect.stringContaining('modelo de mensagem aprovado'),
    })
    expect(meta.attempts.filter((texto) => texto === 'fora da janela')).toHaveLength(1)
  })

  it('waits as long as Meta asks without spending an attempt', async () => {
    const quem = cliente('Hugo')
    const conversaId = await comPessoas(quem)
    meta.queueOutcomes(...Array.from({ length: 6 }, () => ({ status: 429, codigo: 131056, espera: '0.01' })))
    await dizer(conversaId, 'com calma')
    await chegou(quem, 'com calma')
    expect(meta.attempts.filter((texto) => texto === 'com calma')).toHaveLength(7)
  })

  it('sends once when a status confirms an unanswered request', async () => {
    const quem = cliente('Iara')
    const conversaId = await comPessoas(quem)
    meta.queueOutcomes('some')
    await dizer(conversaId, 'uma vez só')
    await deliverStatus(sides, await chegou(quem, 'uma vez só'), 'sent')
    await tudoSaiu()
    await dizer(conversaId, 'e depois')
    await chegou(quem, 'e depois')
    expect(meta.attempts.filter((texto) => texto === 'uma vez só')).toHaveLength(1)
  })

  it('splits a caption that is too long into several messages', async () => {
    const quem = cliente('Júlia')
    const conversaId = await comPessoas(quem)
    const form = new FormData()
    const legenda = `${'palavra '.repeat(200)}fim`
    form.set('arquivo', new File([PNG], 'foto.png', { type: 'image/png' }))
    form.set('legenda', legenda)
    await app.request('POST', `/atendimento/conversas/${conversaId}/midia`, form)
    await chegou(quem, legenda)
    const last = quem.received().slice(-2)
    expect(last.map(({ type }) => type)).toEqual(['image', 'text'])
    expect(last[0]?.image?.caption).toBeUndefined()
  })
})

describe('changes and quotes', () => {
  const noChat = async (conversaId: string): Promise<Mensagem[]> => {
    const { body } = await app.request('GET', `/atendimento/conversas/${conversaId}`)
    return conversaHumanaRoute.response.parse(body).conversa.mensagens
  }
  const said = async (conversaId: string, texto: string): Promise<Mensagem> =>
    waitUntil(async () => (await noChat(conversaId)).find((uma) => uma.texto === texto) ?? null)

  it('shows a customer’s reaction, edit, deletion and quote on its message', async () => {
    const quem = cliente('Lia')
    const conversaId = await comPessoas(quem)
    await dizer(conversaId, 'temos rosas')
    const { wamid } = await chegou(quem, 'temos rosas')
    await tudoSaiu()
    const reagir = (emoji?: string) =>
      quem.sends({ type: 'reaction', reaction: { message_id: wamid, ...(emoji === undefined ? {} : { emoji }) } })
    await reagir('❤️')
    await waitUntil(async () => (await said(conversaId, 'temos rosas')).reacoes?.[0] === '❤️')
    await reagir()
    await waitUntil(async () => (await said(conversaId, 'temos rosas')).reacoes === undefined)
    const comContexto = (id: string, body: string) => quem.sends({ type: 'text', text: { body }, context: { id } })
    await comContexto(wamid, 'quero destas')
    expect((await said(conversaId, 'quero destas')).citada).toEqual({ texto: 'temos rosas', nossa: true })
    const original_message_id = 'wamid.LIA'
    await quem.says('quero dez', original_message_id)
    const editada = { type: 'text', text: { body: 'quero doze' } }
    await quem.sends({ type: 'edit', edit: { original_message_id, message: editada } })
    await waitUntil(async () => (await said(conversaId, 'quero dez')).edicao === 'quero doze')
    await quem.sends({ type: 'revoke', revoke: { original_message_id } })
    await waitUntil(async () => (await said(conversaId, 'quero dez')).apagada === true)
    // A message of another contato cannot be quoted.
    const other = cliente('Malu')
    const outraId = await comPessoas(other)
    await other.sends({ type: 'text', text: { body: 'e eu?' }, context: { id: wamid } })
    expect((await said(outraId, 'e eu?')).citada).toBeUndefined()
  })

  it('applies an early change once and keeps the newest one', async () => {
    const quem = cliente('Íris')
    const conversaId = await comPessoas(quem)
    const original_message_id = 'wamid.IRIS'
    const agora = Math.floor(Date.now() / 1000)
    const editar = (body: string, timestamp: number, id?: string) =>
      quem.sends(
        {
          ...{ type: 'edit', timestamp: String(timestamp) },
          edit: { original_message_id, message: { type: 'text', text: { body } } },
        },
        id,
      )
    const waiting = async (): Promise<unknown[]> =>
      (await app.sql(`select id from oficial_chegadas where id like 'm:IRIS%' order by id`)).map(({ id }) => id)
    await editar('quero lírios', agora - 10, 'IRIS-2')
    await quem.sends(
      { type: 'reaction', reaction: { message_id: original_message_id, emoji: '🌷' }, timestamp: String(agora - 5) },
      'IRIS-3',
    )
    await quem.says('e aí?')
    await said(conversaId, 'e aí?')
    expect(await waiting()).toEqual(['m:IRIS-2', 'm:IRIS-3'])
    await quem.says('quero tulipas', original_message_id)
    await waitUntil(async () => (await waiting()).length === 0)
    expect(await said(conversaId, 'quero tulipas')).toMatchObject({ edicao: 'quero lírios', reacoes: ['🌷'] })
    await editar('quero tulipas brancas', agora - 20, 'IRIS-1')
    await waitUntil(async () => (await waiting()).length === 0)
    expect((await said(conversaId, 'quero tulipas')).edicao).toBe('quero lírios')
  })

  it('drops changes whose message is missing after a week or 200 entries', async () => {
    const quem = cliente('Jonas')
    const reactions = Array.from({ length: 201 }, (_, n) => ({
      ...{ from: quem.number, id: `SEM-ALVO-${n}`, timestamp: String(Math.floor(Date.now() / 1000)), type: 'reaction' },
      reaction: { message_id: `wamid.NUNCA-${n}`, emoji: '🎈' },
    }))
    await deliverWebhook(loja.webhook(app), webhookBody(meta, { messages: reactions }), meta.secret)
    const count = async (): Promise<number> =>
      (await app.sql(`select 1 from oficial_chegadas where id like 'm:SEM-ALVO%'`)).length
    await waitUntil(async () => (await count()) === 200)
    await app.sql(`update oficial_chegadas set chegou_em = now() - interval '8 days'`)
    await waitUntil(async () => (await count()) === 0)
  })

  it('uses Meta’s ids for our quotes and reactions', async () => {
    const quem = cliente('Nina')
    const conversaId = await comPessoas(quem)
    await quem.says('tem girassol?', 'wamid.NINA')
    const deles = await said(conversaId, 'tem girassol?')
    const reply = await app.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, {
      ...{ mensagem: 'temos', citadaId: deles.id },
    })
    expect(reply.status).toBe(200)
    expect(await chegou(quem, 'temos')).toMatchObject({ context: { message_id: 'wamid.NINA' } })
    await tudoSaiu()
    const reagirA = ({ id }: Mensagem, emoji: string | null) =>
      app.request('POST', `/atendimento/conversas/${conversaId}/mensagens/${id}/reacao`, { emoji })
    const ours = await said(conversaId, 'temos')
    for (const [mensagem, emoji] of [
      [deles, '🌻'],
      [ours, '👍'],
      [ours, null],
    ] as const) {
      expect((await reagirA(mensagem, emoji)).status).toBe(200)
    }
    await tudoSaiu()
    const { wamid } = await chegou(quem, 'temos')
    expect(quem.received().flatMap(({ reaction }) => (reaction === undefined ? [] : [reaction]))).toEqual([
      { message_id: 'wamid.NINA', emoji: '🌻' },
      { message_id: wamid, emoji: '👍' },
      { message_id: wamid, emoji: '' },
    ])
    // Meta accepted the reaction and refused it later: the reaction is removed and the log has the reason.
    const reagida = quem.received().find(({ reaction }) => reaction?.emoji === '🌻')
    if (reagida === undefined) throw new Error('no reaction sent')
    await deliverStatus(sides, reagida, { falhou: 131026 })
    await waitUntil(async () => (await said(conversaId, 'tem girassol?')).reacoes === undefined)
    const failures = await app.sql(`select detalhes from logs where detalhes ->> 'mensagemId' = '${deles.id}'`)
    expect(failures).toMatchObject([{ detalhes: { erro: expect.stringContaining('não conseguiu entregar') } }])
    await app.sql(`update mensagens set id_externo = null where texto = 'temos'`)
    expect((await reagirA(ours, '👍')).status).toBe(409)
  })
})

describe('link to Meta', () => {
  it('subscribes to Meta’s webhooks', () => {
    expect(meta.isSubscribed()).toBe(true)
  })

  it('continues with a replaced token when the old one is rejected', async () => {
    const quem = cliente('Tião')
    const conversaId = await comPessoas(quem)
    // Saved while the old one still works: a check that fails before the save ends the session.
    const token = 'EAAG-token-trocado-9876'
    await saveMetaNumber(app, { number: meta.number, secret: meta.secret, token })
    meta.token = token
    await dizer(conversaId, 'com o novo')
    await chegou(quem, 'com o novo')
    expect((await app.request('GET', '/bot/status')).body['status']).toBe('CONECTADO')
  })

  it('retries the webhook subscription until it succeeds', async () => {
    await app.request('POST', '/bot/parar')
    meta.failingSubscriptions = 2
    await app.request('POST', '/bot/iniciar')
    await waitUntil(() => meta.failingSubscriptions === 0)
    await waitUntil(() => meta.isSubscribed())
  })

  it('stays connected when Meta limits the token check', async () => {
    const quem = cliente('Olga')
    const conversaId = await comPessoas(quem)
    meta.numberError = { status: 400, codigo: 80_008 }
    const before = meta.numberRequests()
    await waitUntil(() => meta.numberRequests() > before)
    await dizer(conversaId, 'mesmo assim')
    await chegou(quem, 'mesmo assim')
    meta.numberError = null
  })

  it('keeps pictures until an expired token is replaced', async () => {
    const quem = cliente('Quésia')
    const { token } = meta
    const ficou = (status: string) =>
      waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === status)
    await app.request('POST', '/bot/parar')
    meta.files.set('970', { bytes: PNG, mime: 'image/png' })
    await quem.sends({ type: 'image', image: { id: '970', mime_type: 'image/png', caption: 'este vaso' } })
    meta.token = null
    await app.request('POST', '/bot/iniciar')
    await ficou('erro_auth')
    meta.token = token
    await app.request('POST', '/bot/iniciar')
    await ficou('CONECTADO')
    await tudoLido()
    expect(await stored(quem.number)).toMatchObject([
      { texto: 'este vaso', midia: { tipo: 'imagem', url: expect.stringContaining('/midias/') } },
    ])
  })

  it('keeps queued messages while Meta is unreachable', async () => {
    const quem = cliente('Kátia')
    const conversaId = await comPessoas(quem)
    await meta.goOffline()
    await dizer(conversaId, 'quando der')
    await waitUntil(async () => (await app.request('GET', '/bot/status')).body['motivo'] === 'semRede')
    await meta.goOnline()
    await chegou(quem, 'quando der')
  })
})
