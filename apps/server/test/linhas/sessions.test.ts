import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConnectorFactory, SessionHost } from '@balcao/connector/port'
import type { Linha } from '@balcao/contract/entities/linha'
import { linhaRoute, linhasRoute } from '@balcao/contract/routes/linhas'
import { firstLine } from '#db/statement/line.ts'
import type { LineKey } from '#ports/bots.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { connectBot, givenConta, givenOperador } from '#test/builders.ts'

let app: TestApp
const hosts = new Map<string, SessionHost>()

/** A phone that reports a connection when the test says so. */
const navegador: ConnectorFactory = (host) => ({
  silenceMs: () => 0,
  start: () => {
    // Known only from now on: a connection reported before the start would be followed by 'conectando'.
    hosts.set(host.linhaId, host)
    return host.linkState({ tipo: 'conectando' })
  },
  stop: () => Promise.resolve(),
  logout: () => Promise.resolve(),
  send: () => Promise.resolve(),
  typing: () => undefined,
})

beforeAll(async () => {
  app = await createTestApp({ connectors: { navegador } })
})
afterAll(() => app.close())
beforeEach(() => hosts.clear())

const list = async ({ request }: TestUser): Promise<Linha[]> =>
  linhasRoute.response.parse((await request('GET', '/linhas')).body).linhas

async function addLine(dona: TestUser, conector: string): Promise<LineKey> {
  const { body } = await dona.request('POST', '/linhas', { nome: 'Filial', conector })
  return { contaId: dona.contaId, linhaId: linhaRoute.response.parse(body).linha.id }
}

const order = async ({ request }: TestUser, { linhaId }: LineKey, act: string): Promise<void> =>
  expect((await request('POST', `/linhas/${linhaId}/${act}`)).status).toBe(200)

/** Starts the line and waits for its new phone: the one of an earlier start reports nothing more. */
async function start(dona: TestUser, line: LineKey): Promise<void> {
  hosts.delete(line.linhaId)
  await order(dona, line, 'iniciar')
  await waitUntil(() => hosts.has(line.linhaId))
}

async function open(dona: TestUser): Promise<LineKey> {
  const line = await addLine(dona, 'navegador')
  await start(dona, line)
  return line
}

const report = async ({ linhaId }: LineKey, numero: string): Promise<void> =>
  hosts.get(linhaId)?.linkState({ tipo: 'conectado', como: 'Loja', numero })

const lineOf = async (dona: TestUser, { linhaId }: LineKey) => (await list(dona)).find(({ id }) => id === linhaId)

describe('a number that two lines connect', () => {
  const people = async (): Promise<[TestUser, TestUser]> => [await givenConta(app), await givenConta(app)]

  it('stays with the first line, also of another conta, and ends the second', async () => {
    const [ana, bia] = await people()
    const [first, second] = [await open(ana), await open(bia)]
    await report(first, '+55 11 98765-4321')
    await report(second, '5511987654321')
    await waitUntil(async () => (await lineOf(bia, second))?.status === 'ERRO')
    expect(await lineOf(bia, second)).toMatchObject({ status: 'ERRO', motivo: 'numeroEmUso' })
    expect(await lineOf(ana, first)).toMatchObject({ status: 'CONECTADO', conectadoComo: 'Loja' })
    await order(ana, first, 'parar')
    await start(bia, second)
    await waitUntil(async () => (await lineOf(bia, second))?.status === 'INICIALIZANDO')
    await report(second, '5511987654321')
    expect(await lineOf(bia, second)).toMatchObject({ status: 'CONECTADO' })
  })

  it('is kept by exactly one of two that connect at the same moment', async () => {
    const [ana, bia] = await people()
    const lines = [await open(ana), await open(bia)]
    await Promise.all(lines.map((line) => report(line, '5511911112222')))
    const states = await waitUntil(async () => {
      const both = [await lineOf(ana, lines[0] ?? firstLine('')), await lineOf(bia, lines[1] ?? firstLine(''))]
      return both.every((line) => line?.status !== 'INICIALIZANDO') ? both.map((line) => line?.status) : null
    })
    expect(new Set(states)).toEqual(new Set(['CONECTADO', 'ERRO']))
  })
})

describe('/linhas/:id/status', () => {
  it('shows the state of that line, its QR code only to people who may pair it', async () => {
    const dona = await givenConta(app)
    const line = await addLine(dona, 'simulador')
    const path = `/linhas/${line.linhaId}/status`
    expect((await dona.request('GET', path)).body).toMatchObject({ status: 'PARADO', qrCode: null, modoTeste: true })
    await order(dona, line, 'iniciar')
    await waitUntil(async () => typeof (await dona.request('GET', path)).body['qrCode'] === 'string')
    const operador = await givenOperador(app, dona)
    expect((await operador.request('GET', path)).body).toMatchObject({ status: 'AGUARDANDO_QR', qrCode: null })
    expect((await operador.request('POST', `/linhas/${line.linhaId}/parar`)).status).toBe(403)
    expect((await (await givenConta(app)).request('GET', path)).status).toBe(404)
    await order(dona, line, 'limpar-sessao')
    expect((await dona.request('GET', path)).body).toMatchObject({ status: 'PARADO' })
    expect((await dona.request('GET', '/bot/status')).body).toMatchObject({ status: 'PARADO' })
  })
})

describe('/simulador with linhaId', () => {
  it('plays the phone of that line, and refuses a line of another conta', async () => {
    const dona = await givenConta(app)
    const line = await addLine(dona, 'simulador')
    await connectBot(dona)
    await order(dona, line, 'iniciar')
    await waitUntil(async () => (await lineOf(dona, line))?.status === 'AGUARDANDO_QR')
    expect((await dona.request('POST', '/simulador/escanear')).status).toBe(409)
    expect((await dona.request('POST', '/simulador/escanear', { linhaId: line.linhaId })).status).toBe(200)
    await waitUntil(async () => (await lineOf(dona, line))?.status === 'CONECTADO')
    expect((await dona.request('POST', `/simulador/desconectar?linhaId=${line.linhaId}`)).status).toBe(200)
    await waitUntil(async () => (await lineOf(dona, line))?.status === 'PARADO')
    expect((await dona.request('GET', '/bot/status')).body['status']).toBe('CONECTADO')
    const outra = await givenConta(app)
    expect((await outra.request('POST', '/simulador/escanear', { linhaId: line.linhaId })).status).toBe(404)
    expect((await dona.request('POST', '/simulador/escanear', { linhaId: 'x' })).status).toBe(400)
  })
})
