import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { conversaSchema } from '@balcao/contract/entities/conversa'
import { configSchema } from '@balcao/contract/entities/config'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import {
  type FakeMediaServer,
  type FakePhone,
  type FakeCustomer,
  createFakeMediaServer,
  createFakePhone,
  createFakeCustomer,
  createFakeServer,
  type FakeServer,
} from '@balcao/whatsapp/rede-falsa'
import { png } from '#test/midias/sample-files.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

/** The whole server with the real library, against a fake WhatsApp network. */

let database: TestDatabase
let network: FakeServer
let celular: FakePhone
let ana: FakeCustomer
let iara: FakeCustomer
let app: TestApp
let store: FakeMediaServer

const conversasSchema = z.object({ conversas: z.array(conversaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const PNG = png()
const PESSOAS = { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' }

beforeAll(async () => {
  database = await createTestDatabase()
  network = await createFakeServer()
  store = await createFakeMediaServer()
  celular = createFakePhone(network, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  ana = createFakeCustomer(network, PESSOAS)
  app = await createTestApp({ database: database, whatsappUrl: network.url, whatsappMidiaUrl: store.url })
  const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
  const fresh = {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja', conector: 'whatsapp' },
    menu: { ...config.menu, digitando: false },
  }
  expect((await app.request('PUT', '/config', fresh)).status).toBe(200)
})
afterAll(async () => {
  await app.close()
  await network.close()
  await store.close()
  await database.drop()
})

// An entry is deleted after the bot has stored the message.
const diarioVazio = () => waitUntil(async () => (await app.sql('select 1 from whatsapp_chegadas')).length === 0)
const status = async (): Promise<Record<string, unknown>> => (await app.request('GET', '/bot/status')).body

async function conectar(): Promise<void> {
  await app.request('POST', '/bot/iniciar')
  const { qrCode } = await waitUntil(async () => {
    const agora = await status()
    return agora['status'] === 'AGUARDANDO_QR' ? agora : null
  })
  await celular.scan(String(qrCode))
  await waitUntil(async () => (await status())['status'] === 'CONECTADO')
}

describe('loja on WhatsApp', () => {
  it('connects by scanning the code in the panel', async () => {
    await conectar()
    expect(await status()).toMatchObject({ isRunning: true, conectadoComo: 'Floricultura', qrCode: null })
  })

  it('greets a customer who writes', async () => {
    await ana.say(celular, 'oi')
    await ana.nth(2)
    expect(ana.received[0]?.text).toContain('Ana')
    expect(await app.sql('select nome, telefone from contatos')).toEqual([{ nome: 'Ana', telefone: '5511987654321' }])
  })

  it('marks mensagens as delivered and read', async () => {
    const caio = createFakeCustomer(network, { numero: '5531977776666', lid: '200000000000003', nome: 'Caio' })
    await caio.say(celular, 'oi')
    await caio.say(celular, '2')
    const protocolo = await caio.nth(3)
    const saidas = (state: string) => app.sql(`select 1 from mensagens where direcao = 'saida' and estado = '${state}'`)
    await waitUntil(async () => (await saidas('entregue')).length > 0)
    caio.markRead(celular, protocolo.id)
    await waitUntil(async () => (await saidas('lida')).length > 0)
  })

  it('shows a customer’s picture to operators and sends one back', async () => {
    const dora = createFakeCustomer(network, { numero: '5541966665555', lid: '200000000000004', nome: 'Dora' })
    await dora.say(celular, 'oi')
    await dora.say(celular, '2')
    await dora.nth(3)
    await dora.sendPicture(celular, store, PNG, 'quero este')
    const midia = await waitUntil(async () => {
      const [line] = await app.sql(`select midia from mensagens where texto = 'quero este'`)
      return line === undefined ? null : midiaSchema.parse(line['midia'])
    })
    expect(midia).toMatchObject({ tipo: 'imagem', mimeType: 'image/png', tamanhoBytes: PNG.length })

    const [conversa] = await app.sql(`select v.conta_id, v.id from conversas v join contatos c
      on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = 'Dora'`)
    const chat = `/atendimento/conversas/${String(conversa?.['id'])}`
    const { body } = await app.request('GET', `${chat}/mensagens`)
    const signed = new RegExp(`${midia.url}\\?[^"]+`).exec(JSON.stringify(body))?.[0]
    const served = await fetch(app.url + String(signed))
    expect(Buffer.from(await served.arrayBuffer()).equals(PNG)).toBe(true)

    expect((await app.request('POST', `${chat}/assumir`)).status).toBe(200)
    const form = new FormData()
    form.append('legenda', 'temos estas')
    form.append('arquivo', new Blob([PNG]), 'rosas.png')
    expect((await app.request('POST', `${chat}/midia`, form)).status).toBeLessThan(300)
    const recebida = await waitUntil(() => dora.received.find(({ message }) => message.imageMessage !== null) ?? null)
    expect((await dora.openPicture(store, recebida)).equals(PNG)).toBe(true)
  })

  it('sends a produto picture as JPEG with caption, because WhatsApp shows no WebP', async () => {
    const form = new FormData()
    const fields = { nome: 'Buquê', descricao: 'Doze rosas', preco: '90' }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('imagem', new Blob([PNG]), 'rosas.png')
    expect((await app.request('POST', '/produtos', form)).status).toBe(200)
    const eva = createFakeCustomer(network, { numero: '5551955554444', lid: '200000000000005', nome: 'Eva' })
    for (const texto of ['oi', '3', '1']) await eva.say(celular, texto)
    const recebida = await waitUntil(() => eva.received.find(({ message }) => message.imageMessage !== null) ?? null)
    expect(recebida.message.imageMessage).toMatchObject({ mimetype: 'image/jpeg' })
    expect(recebida.message.imageMessage?.caption).toMatch(/^\*Buquê\*\n\nDoze rosas\n\n💰 R\$ 90,00/)
    expect((await eva.openPicture(store, recebida)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  })

  it('shows edits, deletions, reactions and quotes of a customer', async () => {
    iara = createFakeCustomer(network, { numero: '5551955553333', lid: '200000000000006', nome: 'Iara' })
    await iara.say(celular, 'oi')
    await iara.say(celular, '2')
    const { id: idDaNossa } = await iara.nth(3)
    const id = await iara.say(celular, 'quero 2 rossas')
    await iara.edit(celular, id, 'quero 2 rosas')
    await iara.react(celular, idDaNossa, '❤️')
    await iara.deleteForAll(celular, idDaNossa)
    await iara.deleteForAll(celular, await iara.say(celular, 'esqueça'))
    await iara.quote(celular, 'Protocolo', 'é este?')
    const mensagens = await waitUntil(async () => {
      const { body } = await app.request('GET', '/atendimento/conversas?mensagens=50')
      const { conversas } = conversasSchema.parse(body)
      const doChat = conversas.find(({ cliente }) => cliente.nome === 'Iara')?.mensagens ?? []
      return doChat.at(-1)?.texto === 'é este?' ? doChat : null
    })
    const said = (texto: string) => mensagens.find((mensagem) => mensagem.texto === texto)
    expect(said('quero 2 rossas')).toMatchObject({ editada: true, edicao: 'quero 2 rosas' })
    expect(said('esqueça')).toMatchObject({ apagada: true })
    expect(said('é este?')).toMatchObject({ citada: { texto: 'Protocolo', nossa: true } })
    expect(mensagens.flatMap(({ reacoes = [] }) => reacoes)).toEqual(['❤️'])
    expect(mensagens.filter(({ apagada: sim }) => sim === true)).toHaveLength(1)
  })

  it('sends quotes and reactions of an operator and removes them', async () => {
    const [conversa] = await app.sql(`select v.id from conversas v join contatos c
      on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = 'Iara' and v.protocolo is not null`)
    const path = `/atendimento/conversas/${String(conversa?.['id'])}`
    const [deles] = await app.sql(`select id, id_externo from mensagens where texto = 'é este?'`)
    const [nosso] = await app.sql(`select id from mensagens where texto like '%Protocolo%' order by id desc limit 1`)
    const sent = await app.request('POST', `${path}/mensagem`, { mensagem: 'é, sim', citadaId: deles?.['id'] })
    expect(sent.body).toMatchObject({ mensagem: { citada: { texto: 'é este?', nossa: false } } })
    for (const [id, emoji] of [
      [deles?.['id'], '🙏'],
      [deles?.['id'], null],
      [nosso?.['id'], '👍'],
    ]) {
      expect((await app.request('POST', `${path}/mensagens/${String(id)}/reacao`, { emoji })).status).toBe(200)
    }
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    const arrivals = iara.received.slice(-4).map(({ message }) => message)
    expect(arrivals[0]?.extendedTextMessage).toMatchObject({
      text: 'é, sim',
      contextInfo: {
        stanzaId: deles?.['id_externo'],
        participant: '200000000000006@lid',
        quotedMessage: { conversation: 'é este?' },
      },
    })
    const reactions = arrivals.slice(1).map((mensagem) => mensagem.reactionMessage)
    expect(reactions.map((reaction) => [reaction?.text, reaction?.key?.fromMe])).toEqual([
      ['🙏', false],
      ['', false],
      ['👍', true],
    ])
    expect(reactions[0]?.key).toMatchObject({ id: deles?.['id_externo'], remoteJid: '200000000000006@lid' })
    expect(iara.received.map(({ id }) => id)).toContain(reactions[2]?.key?.id)
  })

  it('sends edits, deletions and forwards of an operator', async () => {
    const [conversa] = await app.sql(`select v.id from conversas v join contatos c
      on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = 'Iara' and v.protocolo is not null`)
    const path = `/atendimento/conversas/${String(conversa?.['id'])}/mensagem`
    await app.request('POST', path, { mensagem: 'sai as 9h' })
    const [ours] = await app.sql(`select id from mensagens where texto = 'sai as 9h'`)
    const mensagem = `/atendimento/mensagens/${String(ours?.['id'])}`
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    const forward = { conversaIds: [conversa?.['id']] }
    expect((await app.request('PUT', mensagem, { texto: 'sai às 9h' })).status).toBe(200)
    expect((await app.request('POST', `${mensagem}/encaminhar`, forward)).body).toMatchObject({ recusadas: [] })
    expect((await app.request('DELETE', mensagem)).status).toBe(200)
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    const [text, edit, forwarded, deletion] = iara.received.slice(-4)
    expect(edit?.message.protocolMessage).toMatchObject({
      key: { id: text?.id, fromMe: true },
      editedMessage: { extendedTextMessage: { text: 'sai às 9h' } },
    })
    expect(forwarded?.message.extendedTextMessage).toMatchObject({
      ...{ text: 'sai às 9h', contextInfo: { isForwarded: true } },
    })
    expect(deletion?.message.protocolMessage).toMatchObject({ key: { id: text?.id, fromMe: true } })
    // `MESSAGE_EDIT` and `REVOKE` of the protocol.
    expect([edit, deletion].map((one) => one?.message.protocolMessage?.type)).toEqual([14, 0])
  })

  it('shows a contato without name and number as "Cliente sem nome"', async () => {
    const alguem = createFakeCustomer(network, { numero: '5571955554444', lid: '200000000000009', nome: '' })
    for (const texto of ['oi', '2']) await alguem.say(celular, texto, { como: 'lid-oculto' })
    await alguem.nth(3)
    const { conversas } = conversasSchema.parse((await app.request('GET', '/atendimento/conversas')).body)
    expect(conversas.map(({ cliente }) => cliente)).toContainEqual({ nome: 'Cliente sem nome', telefone: '' })
  })

  it('answers a missed call once and shows it silently to operators', async () => {
    const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
    const whatsapp = { ...config.whatsapp, respostaLigacao: 'Aqui só por escrito, {nome}!' }
    expect((await app.request('PUT', '/config', { ...config, whatsapp })).status).toBe(200)
    const lia = createFakeCustomer(network, { numero: '5561944443333', lid: '200000000000007', nome: 'Lia' })
    await lia.say(celular, 'oi')
    await lia.nth(2)
    const id = lia.call(celular)
    lia.endCall(celular, id, 'timeout')
    expect((await lia.nth(3)).text).toBe('Aqui só por escrito, Lia!')
    lia.endCall(celular, lia.call(celular, { id }))
    await lia.say(celular, '2')
    await lia.nth(4)
    lia.endCall(celular, lia.call(celular, { video: true }))
    const conversa = await waitUntil(async () => {
      const { conversas } = conversasSchema.parse((await app.request('GET', '/atendimento/conversas')).body)
      const dela = conversas.find(({ cliente }) => cliente.nome === 'Lia')
      return dela?.mensagens.at(-1)?.ligacao === 'video' ? dela : null
    })
    expect(conversa).toMatchObject({ naoLidas: 2, ultimaMensagem: { texto: 'Ligação de vídeo perdida' } })
    expect(conversa.mensagens.filter(({ ligacao }) => ligacao === 'voz')).toHaveLength(1)
    await app.idle()
    expect(lia.received.filter(({ text: texto }) => texto.includes('por escrito'))).toHaveLength(1)
    await diarioVazio()
  })

  it('seals every session key and empties the journal', async () => {
    const [line] = await app.sql(
      `select count(*)::int as todas, count(*) filter (where valor like 'selado:%')::int as seladas from whatsapp_chaves`,
    )
    expect(line?.['todas']).toBe(line?.['seladas'])
    expect(line?.['todas']).toBeGreaterThan(100)
    await diarioVazio()
  })

  it('leaves the conversa to the owner who types on the phone', async () => {
    await celular.write(ana, 'Oi Ana, aqui é a Rosa')
    await waitUntil(async () => (await app.sql(`select 1 from mensagens where origem = 'telefone'`)).length === 1)
    const before = ana.received.length
    await ana.say(celular, 'quero rosas')
    await waitUntil(async () => (await app.sql(`select 1 from mensagens where texto = 'quero rosas'`)).length === 1)
    await app.idle()
    expect(ana.received).toHaveLength(before)
  })

  it('answers messages of the downtime once without a new scan', async () => {
    const bia = createFakeCustomer(network, { numero: '5521988887777', lid: '200000000000002', nome: 'Bia' })
    await app.close()
    await bia.say(celular, 'tem alguém aí?')
    app = await createTestApp({ database: database, whatsappUrl: network.url })
    await bia.nth(2)
    await waitUntil(async () => (await status())['status'] === 'CONECTADO')
    await app.idle()
    expect(bia.received).toHaveLength(2)
    expect(await app.sql(`select count(*)::int as n from mensagens where texto = 'tem alguém aí?'`)).toEqual([{ n: 1 }])
  })

  it('stops and deletes the keys when the phone removes the device', async () => {
    const device = celular.devices.get(1)
    if (device !== undefined) network.removeDevice(device)
    await waitUntil(async () => (await status())['status'] === 'PARADO')
    expect(await status()).toMatchObject({ motivo: 'desconectadoNoCelular' })
    expect(await app.sql('select 1 from whatsapp_chaves')).toEqual([])
    expect(await app.sql('select credenciais from bots')).toEqual([{ credenciais: null }])
  })

  // The panel stops a running bot before it clears the session.
  it.each([
    ['while the bot runs', []],
    ['after it was stopped', ['/bot/parar']],
  ])('unlinks the phone and deletes all keys when cleared %s', async (_quando, before) => {
    await conectar()
    for (const path of before) await app.request('POST', path)
    const left = once(network.events, 'saiu')
    expect((await app.request('POST', '/bot/limpar-sessao')).status).toBe(200)
    await left
    expect(await app.sql('select 1 from whatsapp_chaves')).toEqual([])
    expect(await status()).toMatchObject({ status: 'PARADO' })
  })

  it('connects by a code typed on the phone', async () => {
    const ask = (telefone: string) => app.request('POST', '/bot/codigo', { telefone })
    expect(await ask('(11) 99000-0001')).toMatchObject({ status: 409, body: { codigo: 'semQrCode' } })
    await app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await status())['status'] === 'AGUARDANDO_QR')
    expect(await ask('(11) 3333-4444')).toMatchObject({
      status: 400,
      body: { detalhes: [{ caminho: 'telefone', mensagem: 'O WhatsApp não aceitou este número.' }] },
    })
    const { codigo, expiraEm } = (await ask('(11) 99000-0001')).body
    expect(Date.parse(String(expiraEm))).toBeGreaterThan(Date.now())
    await celular.typeCode(String(codigo))
    await waitUntil(async () => (await status())['status'] === 'CONECTADO')
    expect(await ask('(11) 99000-0001')).toMatchObject({ status: 409 })
  })
})
