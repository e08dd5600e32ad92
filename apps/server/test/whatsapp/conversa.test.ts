import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { conversaSchema } from '@balcao/contract/entities/conversa'
import { configSchema } from '@balcao/contract/entities/config'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import {
  type ArmazemFalso,
  type Celular,
  type ClienteFalso,
  createArmazemFalso,
  createCelular,
  createCliente,
  createServidor,
  type ServidorFalso,
} from '@balcao/whatsapp/rede-falsa'
import { type Casa, createCasa } from '#test/bot/casa.ts'
import { ate } from '#test/bot/house.ts'
import { png } from '#test/midias/amostras.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

/** The whole server with the real library, against a fake WhatsApp network. */

let banco: TestDatabase
let rede: ServidorFalso
let celular: Celular
let ana: ClienteFalso
let iara: ClienteFalso
let casa: Casa
let armazem: ArmazemFalso

const conversasSchema = z.object({ conversas: z.array(conversaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })
const PNG = png()
const PESSOAS = { numero: '5511987654321', lid: '200000000000001', nome: 'Ana' }

beforeAll(async () => {
  banco = await createTestDatabase()
  rede = await createServidor()
  armazem = await createArmazemFalso()
  celular = createCelular(rede, { numero: '5511990000001', lid: '100000000000001', nome: 'Floricultura' })
  ana = createCliente(rede, PESSOAS)
  casa = await createCasa({ banco, whatsappUrl: rede.url, whatsappMidiaUrl: armazem.url })
  const { config } = configRespostaSchema.parse((await casa.pedir('GET', '/config')).body)
  const novo = {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja', conector: 'whatsapp' },
    menu: { ...config.menu, digitando: false },
  }
  expect((await casa.pedir('PUT', '/config', novo)).status).toBe(200)
})
afterAll(async () => {
  await casa.close()
  await rede.fechar()
  await armazem.fechar()
  await banco.drop()
})

// An entry is deleted after the bot has stored the message.
const diarioVazio = () => ate(async () => (await casa.sql('select 1 from whatsapp_chegadas')).length === 0)
const status = async (): Promise<Record<string, unknown>> => (await casa.pedir('GET', '/bot/status')).body

async function conectar(): Promise<void> {
  await casa.pedir('POST', '/bot/iniciar')
  const { qrCode } = await ate(async () => {
    const agora = await status()
    return agora['status'] === 'AGUARDANDO_QR' ? agora : null
  })
  await celular.escanear(String(qrCode))
  await ate(async () => (await status())['status'] === 'CONECTADO')
}

describe('loja on WhatsApp', () => {
  it('connects by scanning the code in the panel', async () => {
    await conectar()
    expect(await status()).toMatchObject({ isRunning: true, conectadoComo: 'Floricultura', qrCode: null })
  })

  it('greets a customer who writes', async () => {
    await ana.diz(celular, 'oi')
    await ana.nesima(2)
    expect(ana.recebidas[0]?.texto).toContain('Ana')
    expect(await casa.sql('select nome, telefone from contatos')).toEqual([{ nome: 'Ana', telefone: '5511987654321' }])
  })

  it('marks mensagens as delivered and read', async () => {
    const caio = createCliente(rede, { numero: '5531977776666', lid: '200000000000003', nome: 'Caio' })
    await caio.diz(celular, 'oi')
    await caio.diz(celular, '2')
    const protocolo = await caio.nesima(3)
    const saidas = (estado: string) =>
      casa.sql(`select 1 from mensagens where direcao = 'saida' and estado = '${estado}'`)
    await ate(async () => (await saidas('entregue')).length > 0)
    caio.leu(celular, protocolo.id)
    await ate(async () => (await saidas('lida')).length > 0)
  })

  it('shows a customer’s picture to operators and sends one back', async () => {
    const dora = createCliente(rede, { numero: '5541966665555', lid: '200000000000004', nome: 'Dora' })
    await dora.diz(celular, 'oi')
    await dora.diz(celular, '2')
    await dora.nesima(3)
    await dora.fotografa(celular, armazem, PNG, 'quero este')
    const midia = await ate(async () => {
      const [linha] = await casa.sql(`select midia from mensagens where texto = 'quero este'`)
      return linha === undefined ? null : midiaSchema.parse(linha['midia'])
    })
    expect(midia).toMatchObject({ tipo: 'imagem', mimeType: 'image/png', tamanhoBytes: PNG.length })
    const servida = await fetch(casa.url + String(midia.url))
    expect(Buffer.from(await servida.arrayBuffer()).equals(PNG)).toBe(true)

    const [conversa] = await casa.sql(`select v.conta_id, v.id from conversas v join contatos c
      on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = 'Dora'`)
    expect((await casa.pedir('POST', `/atendimento/conversas/${String(conversa?.['id'])}/assumir`)).status).toBe(200)
    const formulario = new FormData()
    formulario.append('legenda', 'temos estas')
    formulario.append('arquivo', new Blob([PNG]), 'rosas.png')
    const caminho = `/atendimento/conversas/${String(conversa?.['id'])}/midia`
    expect((await casa.pedir('POST', caminho, formulario)).status).toBeLessThan(300)
    const recebida = await ate(() => dora.recebidas.find(({ mensagem }) => mensagem.imageMessage !== null) ?? null)
    expect((await dora.abrir(armazem, recebida)).equals(PNG)).toBe(true)
  })

  it('sends a produto picture as JPEG with caption, because WhatsApp shows no WebP', async () => {
    const formulario = new FormData()
    const campos = { nome: 'Buquê', descricao: 'Doze rosas', preco: '90' }
    for (const [nome, valor] of Object.entries(campos)) formulario.append(nome, valor)
    formulario.append('imagem', new Blob([PNG]), 'rosas.png')
    expect((await casa.pedir('POST', '/produtos', formulario)).status).toBe(200)
    const eva = createCliente(rede, { numero: '5551955554444', lid: '200000000000005', nome: 'Eva' })
    for (const texto of ['oi', '3', '1']) await eva.diz(celular, texto)
    const recebida = await ate(() => eva.recebidas.find(({ mensagem }) => mensagem.imageMessage !== null) ?? null)
    expect(recebida.mensagem.imageMessage).toMatchObject({ mimetype: 'image/jpeg' })
    expect(recebida.mensagem.imageMessage?.caption).toMatch(/^\*Buquê\*\n\nDoze rosas\n\n💰 R\$ 90,00/)
    expect((await eva.abrir(armazem, recebida)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  })

  it('shows edits, deletions, reactions and quotes of a customer', async () => {
    iara = createCliente(rede, { numero: '5551955553333', lid: '200000000000006', nome: 'Iara' })
    await iara.diz(celular, 'oi')
    await iara.diz(celular, '2')
    const { id: idDaNossa } = await iara.nesima(3)
    const id = await iara.diz(celular, 'quero 2 rossas')
    await iara.edita(celular, id, 'quero 2 rosas')
    await iara.reage(celular, idDaNossa, '❤️')
    await iara.apaga(celular, idDaNossa)
    await iara.apaga(celular, await iara.diz(celular, 'esqueça'))
    await iara.cita(celular, 'Protocolo', 'é este?')
    const mensagens = await ate(async () => {
      const { body } = await casa.pedir('GET', '/atendimento/conversas?mensagens=50')
      const { conversas } = conversasSchema.parse(body)
      const doChat = conversas.find(({ cliente }) => cliente.nome === 'Iara')?.mensagens ?? []
      return doChat.at(-1)?.texto === 'é este?' ? doChat : null
    })
    const dita = (texto: string) => mensagens.find((mensagem) => mensagem.texto === texto)
    expect(dita('quero 2 rossas')).toMatchObject({ editada: true, edicao: 'quero 2 rosas' })
    expect(dita('esqueça')).toMatchObject({ apagada: true })
    expect(dita('é este?')).toMatchObject({ citada: { texto: 'Protocolo', nossa: true } })
    expect(mensagens.flatMap(({ reacoes = [] }) => reacoes)).toEqual(['❤️'])
    expect(mensagens.filter(({ apagada: sim }) => sim === true)).toHaveLength(1)
  })

  it('sends quotes and reactions of an operator and removes them', async () => {
    const [conversa] = await casa.sql(`select v.id from conversas v join contatos c
      on c.conta_id = v.conta_id and c.id = v.contato_id where c.nome = 'Iara' and v.protocolo is not null`)
    const caminho = `/atendimento/conversas/${String(conversa?.['id'])}`
    const [deles] = await casa.sql(`select id, id_externo from mensagens where texto = 'é este?'`)
    const [nosso] = await casa.sql(`select id from mensagens where texto like '%Protocolo%' order by id desc limit 1`)
    const enviada = await casa.pedir('POST', `${caminho}/mensagem`, { mensagem: 'é, sim', citadaId: deles?.['id'] })
    expect(enviada.body).toMatchObject({ mensagem: { citada: { texto: 'é este?', nossa: false } } })
    for (const [id, emoji] of [
      [deles?.['id'], '🙏'],
      [deles?.['id'], null],
      [nosso?.['id'], '👍'],
    ]) {
      expect((await casa.pedir('POST', `${caminho}/mensagens/${String(id)}/reacao`, { emoji })).status).toBe(200)
    }
    await ate(async () => (await casa.sql('select 1 from saida')).length === 0)
    const chegadas = iara.recebidas.slice(-4).map(({ mensagem }) => mensagem)
    expect(chegadas[0]?.extendedTextMessage).toMatchObject({
      text: 'é, sim',
      contextInfo: {
        stanzaId: deles?.['id_externo'],
        participant: '200000000000006@lid',
        quotedMessage: { conversation: 'é este?' },
      },
    })
    const reacoes = chegadas.slice(1).map((mensagem) => mensagem.reactionMessage)
    expect(reacoes.map((reacao) => [reacao?.text, reacao?.key?.fromMe])).toEqual([
      ['🙏', false],
      ['', false],
      ['👍', true],
    ])
    expect(reacoes[0]?.key).toMatchObject({ id: deles?.['id_externo'], remoteJid: '200000000000006@lid' })
    expect(iara.recebidas.map(({ id }) => id)).toContain(reacoes[2]?.key?.id)
  })

  it('shows a contato without name and number as "Cliente sem nome"', async () => {
    const alguem = createCliente(rede, { numero: '5571955554444', lid: '200000000000009', nome: '' })
    for (const texto of ['oi', '2']) await alguem.diz(celular, texto, { como: 'lid-oculto' })
    await alguem.nesima(3)
    const { conversas } = conversasSchema.parse((await casa.pedir('GET', '/atendimento/conversas')).body)
    expect(conversas.map(({ cliente }) => cliente)).toContainEqual({ nome: 'Cliente sem nome', telefone: '' })
  })

  it('answers a missed call once and shows it silently to operators', async () => {
    const { config } = configRespostaSchema.parse((await casa.pedir('GET', '/config')).body)
    const whatsapp = { ...config.whatsapp, respostaLigacao: 'Aqui só por escrito, {nome}!' }
    expect((await casa.pedir('PUT', '/config', { ...config, whatsapp })).status).toBe(200)
    const lia = createCliente(rede, { numero: '5561944443333', lid: '200000000000007', nome: 'Lia' })
    await lia.diz(celular, 'oi')
    await lia.nesima(2)
    const id = lia.liga(celular)
    lia.desliga(celular, id, 'timeout')
    expect((await lia.nesima(3)).texto).toBe('Aqui só por escrito, Lia!')
    lia.desliga(celular, lia.liga(celular, { id }))
    await lia.diz(celular, '2')
    await lia.nesima(4)
    lia.desliga(celular, lia.liga(celular, { video: true }))
    const conversa = await ate(async () => {
      const { conversas } = conversasSchema.parse((await casa.pedir('GET', '/atendimento/conversas')).body)
      const dela = conversas.find(({ cliente }) => cliente.nome === 'Lia')
      return dela?.mensagens.at(-1)?.ligacao === 'video' ? dela : null
    })
    expect(conversa).toMatchObject({ naoLidas: 2, ultimaMensagem: { texto: 'Ligação de vídeo perdida' } })
    expect(conversa.mensagens.filter(({ ligacao }) => ligacao === 'voz')).toHaveLength(1)
    await casa.ocioso()
    expect(lia.recebidas.filter(({ texto }) => texto.includes('por escrito'))).toHaveLength(1)
    await diarioVazio()
  })

  it('seals every session key and empties the journal', async () => {
    const [linha] = await casa.sql(
      `select count(*)::int as todas, count(*) filter (where valor like 'selado:%')::int as seladas from whatsapp_chaves`,
    )
    expect(linha?.['todas']).toBe(linha?.['seladas'])
    expect(linha?.['todas']).toBeGreaterThan(100)
    await diarioVazio()
  })

  it('leaves the conversa to the owner who types on the phone', async () => {
    await celular.digitar(ana, 'Oi Ana, aqui é a Rosa')
    await ate(async () => (await casa.sql(`select 1 from mensagens where origem = 'telefone'`)).length === 1)
    const antes = ana.recebidas.length
    await ana.diz(celular, 'quero rosas')
    await ate(async () => (await casa.sql(`select 1 from mensagens where texto = 'quero rosas'`)).length === 1)
    await casa.ocioso()
    expect(ana.recebidas).toHaveLength(antes)
  })

  it('answers messages of the downtime once without a new scan', async () => {
    const bia = createCliente(rede, { numero: '5521988887777', lid: '200000000000002', nome: 'Bia' })
    await casa.close()
    await bia.diz(celular, 'tem alguém aí?')
    casa = await createCasa({ banco, whatsappUrl: rede.url })
    await bia.nesima(2)
    await ate(async () => (await status())['status'] === 'CONECTADO')
    await casa.ocioso()
    expect(bia.recebidas).toHaveLength(2)
    expect(await casa.sql(`select count(*)::int as n from mensagens where texto = 'tem alguém aí?'`)).toEqual([
      { n: 1 },
    ])
  })

  it('stops and deletes the keys when the phone removes the device', async () => {
    const aparelho = celular.aparelhos.get(1)
    if (aparelho !== undefined) rede.remover(aparelho)
    await ate(async () => (await status())['status'] === 'PARADO')
    expect(await status()).toMatchObject({ motivo: 'desconectadoNoCelular' })
    expect(await casa.sql('select 1 from whatsapp_chaves')).toEqual([])
    expect(await casa.sql('select credenciais from bots')).toEqual([{ credenciais: null }])
  })

  // The panel stops a running bot before it clears the session.
  it.each([
    ['while the bot runs', []],
    ['after it was stopped', ['/bot/parar']],
  ])('unlinks the phone and deletes all keys when cleared %s', async (_quando, antes) => {
    await conectar()
    for (const caminho of antes) await casa.pedir('POST', caminho)
    const saiu = once(rede.eventos, 'saiu')
    expect((await casa.pedir('POST', '/bot/limpar-sessao')).status).toBe(200)
    await saiu
    expect(await casa.sql('select 1 from whatsapp_chaves')).toEqual([])
    expect(await status()).toMatchObject({ status: 'PARADO' })
  })

  it('connects by a code typed on the phone', async () => {
    const pedir = (telefone: string) => casa.pedir('POST', '/bot/codigo', { telefone })
    expect(await pedir('(11) 99000-0001')).toMatchObject({ status: 409, body: { codigo: 'semQrCode' } })
    await casa.pedir('POST', '/bot/iniciar')
    await ate(async () => (await status())['status'] === 'AGUARDANDO_QR')
    expect(await pedir('(11) 3333-4444')).toMatchObject({
      status: 400,
      body: { detalhes: [{ caminho: 'telefone', mensagem: 'O WhatsApp não aceitou este número.' }] },
    })
    const { codigo, expiraEm } = (await pedir('(11) 99000-0001')).body
    expect(Date.parse(String(expiraEm))).toBeGreaterThan(Date.now())
    await celular.digitarCodigo(String(codigo))
    await ate(async () => (await status())['status'] === 'CONECTADO')
    expect(await pedir('(11) 99000-0001')).toMatchObject({ status: 409 })
  })
})
