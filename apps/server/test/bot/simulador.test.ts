import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { botStatusSchema } from '@balcao/contract/entities/bot-status'
import { configSchema } from '@balcao/contract/entities/config'
import { mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const listaSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

async function conversa(telefone: string): Promise<string[]> {
  const { body } = await app.request('GET', `/simulador/mensagens?telefone=${encodeURIComponent(telefone)}`)
  return listaSchema.parse(body).mensagens.map(({ de, texto }) => `${de}: ${texto}`)
}

async function quantas(telefone: string, n: number): Promise<string[]> {
  return waitUntil(async () => {
    const parsed = await conversa(telefone)
    return parsed.length >= n ? parsed : null
  })
}

async function conectar(): Promise<void> {
  await app.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  expect((await app.request('POST', '/simulador/escanear')).status).toBe(200)
}

describe('bot and simulador over HTTP', () => {
  it('requires a Client ID to start the bot', async () => {
    expect((await app.request('GET', '/bot/status')).body).toMatchObject({
      status: 'PARADO',
      isRunning: false,
      qrCode: null,
      modoTeste: true,
    })
    const { status, body } = await app.request('POST', '/bot/iniciar')
    expect({ status, body }).toEqual({
      status: 400,
      body: { erro: 'Configure o Client ID antes de iniciar o bot', codigo: 'clientIdObrigatorio' },
    })
    expect((await app.request('POST', '/simulador/escanear')).status).toBe(409)
    const mensagem = await app.request('POST', '/simulador/mensagens', {
      telefone: '11912345678',
      nome: 'A',
      texto: 'oi',
    })
    expect(mensagem).toMatchObject({ status: 409, body: { codigo: 'botDesconectado' } })
  })

  it('reports the test mode of the saved connector while no session runs', async () => {
    const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
    const { versao: _, ...anyVersion } = config
    const save = (conector: string) =>
      app.request('PUT', '/config', { ...anyVersion, whatsapp: { ...config.whatsapp, conector } })
    const modoTeste = async () => (await app.request('GET', '/bot/status')).body['modoTeste']
    expect((await save('oficial')).status).toBe(200)
    expect(await modoTeste()).toBe(false)
    expect((await save('simulador')).status).toBe(200)
    expect(await modoTeste()).toBe(true)
  })

  it('shows a QR code, connects when scanned, answers and stores the messages', async () => {
    const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
    const fresh = {
      ...config,
      whatsapp: { ...config.whatsapp, clientId: 'loja' },
      menu: { ...config.menu, digitando: false },
    }
    expect((await app.request('PUT', '/config', fresh)).status).toBe(200)
    expect((await app.request('POST', '/bot/iniciar')).status).toBe(200)
    const comCodigo = await waitUntil(async () => {
      const { body } = await app.request('GET', '/bot/status')
      return body['status'] === 'AGUARDANDO_QR' ? body : null
    })
    expect(comCodigo['qrCode']).toEqual(expect.any(String))
    expect(comCodigo['qr']).toBe(comCodigo['qrCode'])
    expect((await app.request('POST', '/simulador/escanear')).body).toEqual({ sucesso: true })
    expect((await app.request('GET', '/bot/status')).body).toMatchObject({
      status: 'CONECTADO',
      isRunning: true,
      modoTeste: true,
      qrCode: null,
      configuracao: (await app.request('GET', '/config')).body['config'],
    })
    expect((await app.request('POST', '/simulador/escanear')).status).toBe(409)

    const accepted = await app.request('POST', '/simulador/mensagens', {
      telefone: '(11) 98765-4321',
      nome: 'Ana',
      texto: 'oi',
      id: 'primeira',
    })
    expect(accepted).toEqual({ status: 202, body: { id: 'primeira' } })
    const parsed = await quantas('11987654321', 3)
    expect(parsed[0]).toBe('cliente: oi')
    expect(parsed).toHaveLength(3)
    // The number may be given with or without country code and ninth digit.
    expect(await conversa('+55 11 8765-4321')).toEqual(parsed)
    const ativas = await waitUntil(async () => {
      const { conversasAtivas } = botStatusSchema.parse((await app.request('GET', '/bot/status')).body)
      return conversasAtivas.length > 0 ? conversasAtivas : null
    })
    expect(ativas).toMatchObject([{ nome: 'Ana', telefone: '5511987654321', etapa: 'menu' }])
  })

  it('accepts a form with yes-or-no words as text', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({
      telefone: '11922220001',
      nome: 'true',
      texto: 'false',
      deMim: 'false',
    }))
      form.append(name, value)
    expect((await app.request('POST', '/simulador/mensagens', form)).status).toBe(202)
    expect((await quantas('11922220001', 3))[0]).toBe('cliente: false')
  })

  it('stores a repeated message id once, also for twenty parallel requests', async () => {
    const respostas = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.request('POST', '/simulador/mensagens', {
          telefone: '11955554444',
          nome: 'Bia',
          texto: 'oi',
          id: 'mesma',
        }),
      ),
    )
    expect(new Set(respostas.map(({ status, body }) => `${status} ${String(body['id'])}`))).toEqual(
      new Set(['202 mesma']),
    )
    await quantas('11955554444', 3)
    await app.idle()
    expect(await conversa('11955554444')).toHaveLength(3)
  })

  it('ignores groups and stays silent after the owner writes from the phone', async () => {
    const group = { telefone: '11944443333', nome: 'Grupo', texto: 'oi', grupo: true }
    expect((await app.request('POST', '/simulador/mensagens', group)).status).toBe(202)
    expect(await conversa('11944443333')).toEqual([])
    const telefone = '11933332222'
    await app.request('POST', '/simulador/mensagens', { telefone, nome: 'Caio', texto: 'oi' })
    await quantas(telefone, 3)
    await app.request('POST', '/simulador/mensagens', {
      telefone,
      nome: 'Dona',
      texto: 'Já te respondo!',
      deMim: true,
      id: 'm',
    })
    await app.request('POST', '/simulador/mensagens', {
      telefone,
      nome: 'Dona',
      texto: 'Já te respondo!',
      deMim: true,
      id: 'm',
    })
    await app.request('POST', '/simulador/mensagens', { telefone, nome: 'Caio', texto: '4' })
    await app.idle()
    expect((await conversa(telefone)).slice(3)).toEqual(['bot: Já te respondo!', 'cliente: 4'])
  })

  it('rejects a message without text and file with 400', async () => {
    const sem = await app.request('POST', '/simulador/mensagens', { telefone: '11922221111', texto: '' })
    expect(sem).toMatchObject({ status: 400, body: { codigo: 'dadosInvalidos' } })
  })

  it('delivers all messages after failing sends', async () => {
    expect((await app.request('POST', '/simulador/falhas', { envios: 2 })).body).toEqual({ envios: 2 })
    await app.request('POST', '/simulador/mensagens', { telefone: '11911110000', nome: 'Eva', texto: 'oi' })
    expect(await quantas('11911110000', 3)).toHaveLength(3)
  })

  it('unlinks on the phone, restarts without a scan and pairs again after clearing', async () => {
    expect((await app.request('POST', '/simulador/desconectar')).status).toBe(200)
    expect((await app.request('GET', '/bot/status')).body).toMatchObject({
      status: 'PARADO',
      motivo: 'desconectadoNoCelular',
      inicializado: false,
    })
    expect((await app.request('POST', '/simulador/desconectar')).status).toBe(409)
    await conectar()
    const stopped = await app.request('POST', '/bot/parar')
    expect(stopped.body).toMatchObject({ status: 'PARADO', mensagem: 'Bot parado' })
    await app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === 'CONECTADO')
    await app.request('POST', '/bot/limpar-sessao')
    await conectar()
    expect((await app.request('GET', '/bot/status')).body['status']).toBe('CONECTADO')
  })
})
