import { afterEach, describe, expect, it } from 'vitest'
import type { ConnectorFactory, SessionHost } from '@balcao/connector/port'
import { createLog } from '#log.ts'
import { type TestAppOptions, waitUntil } from '#test/app.ts'
import { openConversas, saveConfig } from '#test/builders.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'
import { createLossyLine } from './lossy-line.ts'

let fleet: TestFleet | undefined
afterEach(() => fleet?.close())

const botStatus = async ({ app }: FleetNode): Promise<unknown> =>
  (await app.request('GET', '/bot/status')).body['status']

describe('a command for the node with the session', () => {
  it('runs once although its packet and the reply are lost', async () => {
    fleet = await createFleet(0)
    const lines = { a: createLossyLine(fleet.database), b: createLossyLine(fleet.database) }
    const a = await fleet.start({ connectDirect: lines.a.connect })
    const b = await fleet.start({ connectDirect: lines.b.connect, timings: { resendMs: 100 } })
    await saveConfig(a.app)
    await a.app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await botStatus(a)) === 'AGUARDANDO_QR')
    expect(await a.app.sql('select no from bots')).toEqual([{ no: a.id }])
    lines.b.lose(true)
    lines.a.lose(true)
    // A second scan has no QR code and would be refused.
    const scanned = b.app.request('POST', '/simulador/escanear')
    await waitUntil(() => lines.b.lost() > 0)
    expect(await botStatus(a)).toBe('AGUARDANDO_QR')
    lines.b.lose(false)
    await waitUntil(async () => (await botStatus(a)) === 'CONECTADO' && lines.a.lost() > 0)
    lines.a.lose(false)
    expect((await scanned).status).toBe(200)
  })
})

const TEXT = 'Já vou ver'

interface LoggingNode extends FleetNode {
  readonly lines: readonly string[]
}

/** A node that keeps its log lines. */
async function startLogging(started: TestFleet, options: TestAppOptions = {}): Promise<LoggingNode> {
  const lines: string[] = []
  const { log } = createLog('warn', { destination: { write: (line) => void lines.push(line) } })
  return { ...(await started.start({ ...options, log })), lines }
}

/** A browser that gives no pairing code and does not send the text of the operador. */
const createFailingBrowser =
  (opened: (host: SessionHost) => void): ConnectorFactory =>
  (host) => {
    opened(host)
    return {
      silenceMs: () => 0,
      start: () => host.linkState({ tipo: 'conectado', como: 'Loja' }),
      stop: () => Promise.resolve(),
      logout: () => Promise.resolve(),
      send: ({ texto }) => (texto === TEXT ? Promise.reject(new Error('socket closed')) : Promise.resolve()),
      typing: () => undefined,
      pairingCode: () => Promise.reject(new Error('no answer')),
    }
  }

describe('log lines on the node with the session', () => {
  it('carry the id of the request on another node', async () => {
    fleet = await createFleet(0)
    let host: SessionHost | null = null
    const navegador = createFailingBrowser((opened) => (host = opened))
    const a = await startLogging(fleet, { connectors: { navegador } })
    const b = await startLogging(fleet)
    await saveConfig(a.app, (config) => ({ ...config, whatsapp: { ...config.whatsapp, conector: 'navegador' } }))
    await a.app.request('POST', '/bot/iniciar')
    await waitUntil(async () => (await botStatus(a)) === 'CONECTADO')
    const { token } = b.app.admin
    const requestOf = async (path: string, body: object): Promise<string> =>
      (await b.app.send('POST', path, { token, body })).headers.get('x-request-id') ?? 'none'
    const lineOf = (request: string, text: string): Promise<string> =>
      waitUntil(
        () => a.lines.find((line) => line.includes(`"pedido":"${request}"`) && line.includes(text)) ?? null,
        5_000,
      )

    await lineOf(await requestOf('/bot/codigo', { telefone: '11987654321' }), 'command of another node failed')

    const customer = await waitUntil(() => host)
    const telefone = '5511987650001'
    const message = { id: 'm1', endereco: telefone, telefone, nome: 'Bia', texto: 'atendente', enviadaEm: new Date() }
    await customer.receive(message)
    const { id } = await waitUntil(async () => (await openConversas(b.app))[0] ?? null)
    await requestOf(`/atendimento/conversas/${id}/assumir`, {})
    const sent = await requestOf(`/atendimento/conversas/${id}/mensagem`, { mensagem: TEXT })
    expect(await lineOf(sent, 'message not sent')).not.toMatch(/"pedido".*"pedido"/)
    // The link was opened by a request too, and outlives it.
    expect(a.lines.filter((line) => line.includes('message not sent') && !line.includes(sent))).toEqual([])
  })
})
