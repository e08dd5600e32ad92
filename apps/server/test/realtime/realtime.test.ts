import { connect as connectTcp } from 'node:net'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { Log } from '@balcao/contract/entities/log'
import { SERVER_EVENT_NAMES } from '@balcao/contract/realtime'
import { connected, once, eventually, record, refused } from './listen.ts'
import { createTestApp, type TestApp, waitUntil, FIXED_DAY } from '#test/app.ts'
import { endLoginSession, givenPerson, setComponentes } from '#test/builders.ts'
import { readSeries } from '#test/metrics.ts'
import { hashToken } from '#security/token.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
})
afterAll(() => app.close())

function log(id: string, mensagem = id): Log {
  return { id, tipo: 'info', mensagem, timestamp: '2026-03-10T15:00:00.000Z' }
}

function status(qrCode: string | null): BotStatus {
  return {
    status: 'AGUARDANDO_QR',
    isRunning: false,
    inicializado: true,
    qrCode,
    qr: qrCode,
    modoTeste: true,
    conversasAtivas: [],
    logs: [log('l1')],
  }
}

function publishMensagem(contaId: string, id: string, length = 500): void {
  const common = { texto: 'x'.repeat(length), remetente: 'Cliente', timestamp: '2026-03-10T15:00:00.000Z' }
  const mensagem = { id, ...common, tipo: 'recebida' as const }
  const audience = { setores: ['vendas'], linhaId: contaId, operadorId: null }
  const event = { userId: contaId, conversaId: 'c1', mensagem }
  app.deps.realtime.publishConversa(contaId, 'mensagemConversaHumana', event, audience)
}

describe('socket authentication', () => {
  it('refuses a missing, malformed or unknown token', async () => {
    for (const token of [undefined, 'curto', `${'a'.repeat(30)} '`, 'x'.repeat(43)]) {
      const error = await refused(app.openSocket(token))
      expect(error.data).toEqual({ codigo: 'semSessao', erro: 'Sua sessão terminou. Entre novamente.' })
    }
  })

  it("refuses foreign origins and accepts the server's own and the public one", async () => {
    const { token } = await givenPerson(app)
    await expect(connected(app.openSocket(token, { origin: 'https://mau.exemplo' }))).rejects.toThrow()
    await connected(app.openSocket(token, { origin: app.url }))
    await connected(app.openSocket(token, { origin: 'https://balcao.exemplo' }))
  })

  it('accepts twenty sockets per usuario and refuses the next', async () => {
    const { token } = await givenPerson(app)
    for (let i = 0; i < 20; i += 1) await connected(app.openSocket(token))
    const error = await refused(app.openSocket(token))
    expect(error.data).toMatchObject({ codigo: 'muitasTentativas' })
  })

  it('accepts 300 sockets per conta and refuses the next', async () => {
    const { contaId } = await givenPerson(app)
    const opened: Socket[] = []
    for (let person = 0; person < 15; person += 1) {
      const { token } = await givenPerson(app, { contaId })
      const sockets = Array.from({ length: 20 }, () => app.openSocket(token))
      opened.push(...sockets)
      await Promise.all(sockets.map(connected))
    }
    const { token } = await givenPerson(app, { contaId })
    const error = await refused(app.openSocket(token))
    expect(error.data).toMatchObject({ codigo: 'muitasTentativas' })
    await connected(app.openSocket((await givenPerson(app)).token))
    for (const socket of opened) socket.disconnect()
  })

  it('closes the connection of a socket that leaves, so that each connection counts', async () => {
    const { token } = await givenPerson(app)
    const line = new WebSocket(`${app.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const closed = new Promise((resolve) => {
      line.addEventListener('close', resolve)
    })
    line.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text.startsWith('0')) line.send(`40${JSON.stringify({ token })}`)
      if (text.startsWith('40')) line.send('41')
    })
    await closed
  })
})

describe('event recipients', () => {
  it('isolates contas whatever the client requests and sets userId and growing seq', async () => {
    const ana = await givenPerson(app)
    const bia = await givenPerson(app)
    const deAna = app.openSocket(ana.token)
    const deBia = app.openSocket(bia.token)
    const ouvidosBia = record(deBia)
    await Promise.all([connected(deAna), connected(deBia)])
    deBia.emit('join', `conta:${ana.contaId}`)
    deBia.emit('subscribe', { room: `conta:${ana.contaId}`, userId: ana.contaId })

    const first = once(deAna, 'botLog')
    app.deps.realtime.publish(ana.contaId, 'botLog', { ...log('segredo-da-ana'), userId: bia.contaId })
    const received = await first
    expect(received).toMatchObject({ id: 'segredo-da-ana', userId: ana.contaId })
    const second = once(deAna, 'botLog')
    app.deps.realtime.publish(ana.contaId, 'botLog', { ...log('outro'), userId: ana.contaId })
    expect(Number((await second)['seq'])).toBeGreaterThan(Number(received['seq']))

    const milestone = once(deBia, 'botLog')
    app.deps.realtime.publish(bia.contaId, 'botLog', { ...log('da-bia'), userId: bia.contaId })
    await milestone
    expect(JSON.stringify(ouvidosBia)).not.toContain(ana.contaId)
  })

  it('sends events of a component only to usuarios with that permission', async () => {
    const dono = await givenPerson(app)
    const operador = await givenPerson(app, { contaId: dono.contaId, tipo: 'operador' })
    const semAtendimento = await givenPerson(app, { contaId: dono.contaId })
    // Rooms follow the permissions at the moment of the connection.
    await setComponentes(app, dono.contaId, ['atendimentoHumano', 'configuracaoGeral'])
    const outro = app.openSocket(semAtendimento.token)
    const doOutro = record(outro)
    await connected(outro)
    await setComponentes(app, dono.contaId, [])
    const [doDono = [], doOperador = []] = await Promise.all(
      [dono, operador].map(async (person) => (await app.connect(person)).received),
    )
    const { contaId } = dono
    const userId = contaId
    const fim = once(outro, 'botStatusChange')
    publishMensagem(contaId, 'm1')
    app.deps.realtime.publish(contaId, 'botLog', { ...log('l2'), userId })
    app.deps.realtime.publish(contaId, 'botQrCode', { qrCode: 'codigo-secreto', userId })
    app.deps.realtime.publish(contaId, 'botStatus', { ...status('codigo-secreto'), userId })
    await eventually(() => expect(doDono.map(([name]) => name)).toContain('botLog'))
    app.deps.realtime.publish(contaId, 'botStatusChange', { status: 'CONECTADO', userId })
    await fim
    await eventually(() => {
      for (const received of [doDono, doOperador]) expect(received.map(([name]) => name)).toContain('botStatusChange')
    })

    const names = (recebidos: readonly [string, unknown][]): Set<string> =>
      new Set(recebidos.map(([name]) => name).filter((name) => name !== 'operadorStatusChange'))
    expect(names(doDono)).toEqual(
      new Set(['mensagemConversaHumana', 'botLog', 'botQrCode', 'botStatus', 'botStatusChange']),
    )
    expect(names(doOperador)).toEqual(new Set(['mensagemConversaHumana', 'botStatus', 'botStatusChange']))
    expect(names(doOutro)).toEqual(new Set(['botLog', 'botStatus', 'botStatusChange']))
    expect(JSON.stringify([doOperador, doOutro])).not.toContain('codigo-secreto')
    expect(doOperador.find(([name]) => name === 'botStatus')?.[1]).toMatchObject({ qrCode: null, qr: null, logs: [] })
    for (const [name] of doDono) expect(SERVER_EVENT_NAMES).toContain(name)
  })

  it('publishes arrival and departure of an operador once per person', async () => {
    const dono = await givenPerson(app, { nome: 'Dona' })
    const deDono = app.openSocket(dono.token)
    const ouvidosDono = record(deDono)
    await connected(deDono)
    const operador = await givenPerson(app, { contaId: dono.contaId, tipo: 'operador', nome: 'Otto' })
    const deOperador = app.openSocket(operador.token)
    const ouvidos = record(deOperador)
    await connected(deOperador)
    const changed = (pessoa: object): unknown => ['operadorStatusChange', expect.objectContaining(pessoa)]
    await eventually(() => expect(ouvidosDono).toContainEqual(changed({ operador: 'Otto', status: 'online' })))
    await eventually(() => expect(ouvidos).toContainEqual(changed({ operador: 'Dona', status: 'online' })))
    deOperador.disconnect()
    const left = changed({ operadorId: operador.usuarioId, status: 'offline' })
    await eventually(() => expect(ouvidosDono).toContainEqual(left))
    expect(ouvidosDono.filter(([, dados]) => dados['operador'] === 'Otto')).toHaveLength(2)
  })
})

describe('EventThrottle', () => {
  it('keeps the newest hundred entries of a burst in order and the last status', async () => {
    const { token, contaId } = await givenPerson(app)
    const socket = app.openSocket(token)
    const recebidos = record(socket)
    await connected(socket)
    const userId = contaId
    for (let i = 0; i < 5_000; i += 1) {
      app.deps.realtime.publish(contaId, 'botLog', { ...log(`n${i}`), userId })
      app.deps.realtime.publish(contaId, 'botStatus', { ...status(`qr${i}`), userId })
    }
    await eventually(() => expect(recebidos.at(-1)?.[1]['id']).toBe('n4999'))
    const logs = recebidos.filter(([name]) => name === 'botLog').map(([, dados]) => dados['id'])
    expect(logs).toEqual(Array.from({ length: 100 }, (_, i) => `n${4900 + i}`))
    const states = recebidos.filter(([name]) => name === 'botStatus').map(([, dados]) => dados['qrCode'])
    expect(states).toEqual(['qr4999'])
  })

  it('sends the contato that wrote last at the end', async () => {
    const { token, contaId } = await givenPerson(app)
    const socket = app.openSocket(token)
    const recebidos = record(socket)
    await connected(socket)
    for (const [id, nome] of [
      ['a', 'Ana'],
      ['b', 'Bia'],
      ['a', 'Ana Souza'],
    ] as const) {
      app.deps.realtime.publish(contaId, 'botConversaAtiva', { id, nome, telefone: '55', userId: contaId })
    }
    await eventually(() => expect(recebidos.filter(([name]) => name === 'botConversaAtiva')).toHaveLength(2))
    const names = recebidos.filter(([name]) => name === 'botConversaAtiva').map(([, dados]) => dados['nome'])
    expect(names).toEqual(['Bia', 'Ana Souza'])
  })

  it('drops a payload that does not match the contract', async () => {
    const { token, contaId } = await givenPerson(app)
    const socket = app.openSocket(token)
    const recebidos = record(socket)
    await connected(socket)
    app.deps.realtime.publish(contaId, 'botLog', { ...log('torto'), timestamp: 'ontem', userId: contaId })
    const certo = once(socket, 'botLog')
    app.deps.realtime.publish(contaId, 'botLog', { ...log('certo'), userId: contaId })
    expect(await certo).toMatchObject({ id: 'certo' })
    expect(JSON.stringify(recebidos)).not.toContain('torto')
  })
})

describe('Realtime.disconnect', () => {
  it('closes sockets of a revoked token and refuses their reconnect', async () => {
    const { token } = await givenPerson(app)
    const socket = app.openSocket(token)
    await connected(socket)
    await endLoginSession(app, token)
    const refusal = refused(socket)
    await app.deps.realtime.disconnect({ tokenHash: hashToken(token).toString('hex') })
    expect((await refusal).data).toMatchObject({ codigo: 'semSessao' })
    expect(socket.connected).toBe(false)
  })

  it('disconnects other sessions or a whole conta, which reconnect with current permissions', async () => {
    const ana = await givenPerson(app)
    const socket = app.openSocket(ana.token)
    const recebidos = record(socket)
    await connected(socket)
    await app.deps.realtime.disconnect({ usuarioId: ana.usuarioId, exceto: hashToken(ana.token).toString('hex') })
    expect(socket.connected).toBe(true)

    await setComponentes(app, ana.contaId, ['configuracaoGeral', 'logsStatus'])
    const returned = once(socket, 'connect')
    await app.deps.realtime.disconnect({ contaId: ana.contaId })
    await returned
    app.deps.realtime.publish(ana.contaId, 'botLog', { ...log('depois'), userId: ana.contaId })
    const milestone = once(socket, 'mensagemConversaHumana')
    app.deps.realtime.publish(ana.contaId, 'botStatusChange', { status: 'PARADO', userId: ana.contaId })
    await once(socket, 'botStatusChange')
    publishMensagem(ana.contaId, 'm2')
    await milestone
    expect(recebidos.map(([name]) => name)).not.toContain('botLog')
  })

  it('shows in /metrics how much a browser has not read', async () => {
    const ana = await givenPerson(app)
    const waiting = (): Promise<number> => readSeries(app, 'balcao_sockets_nao_lidos')
    expect(await waiting()).toBe(0)
    const before = app.deps.realtime.sockets?.() ?? 0
    const stopped = await openAndStopReading(app.url, ana.token)
    await waitUntil(() => app.deps.realtime.sockets?.() === before + 1)
    let sent = 0
    await waitUntil(async () => {
      sent += 1
      publishMensagem(ana.contaId, `m${sent}`, 200_000)
      return (await waiting()) > 0
    })
    stopped.destroy()
    await waitUntil(async () => (await waiting()) === 0)
  })

  it('disconnects a browser that stops reading and keeps serving others', async () => {
    const ana = await givenPerson(app)
    const outra = await givenPerson(app, { contaId: ana.contaId })
    const leitora = app.openSocket(outra.token)
    await connected(leitora)
    const before = app.deps.realtime.sockets?.() ?? 0
    const stopped = await openAndStopReading(app.url, ana.token)
    await eventually(() => expect(app.deps.realtime.sockets?.()).toBe(before + 1))
    const recebidos = record(leitora)
    let sent = 0
    await eventually(() => {
      for (let i = 0; i < 500; i += 1) {
        sent += 1
        publishMensagem(ana.contaId, `m${sent}`)
      }
      expect(app.deps.realtime.sockets?.()).toBe(before)
    })
    await eventually(() => expect(recebidos.filter(([name]) => name === 'mensagemConversaHumana')).toHaveLength(sent))
    expect(leitora.connected).toBe(true)
    stopped.destroy()
  })

  it('disconnects a browser that leaves 8 MB unread in few packets', async () => {
    const ana = await givenPerson(app)
    const before = app.deps.realtime.sockets?.() ?? 0
    const stopped = await openAndStopReading(app.url, ana.token)
    await eventually(() => expect(app.deps.realtime.sockets?.()).toBe(before + 1))
    for (let sent = 0; sent < 200; sent += 1) publishMensagem(ana.contaId, `m${sent}`, 200_000)
    await eventually(() => expect(app.deps.realtime.sockets?.()).toBe(before))
    stopped.destroy()
  })
})

/** Opens a raw WebSocket, sends the token and never reads again. */
async function openAndStopReading(url: string, token: string): Promise<ReturnType<typeof connectTcp>> {
  const { hostname, port, host } = new URL(url)
  const tcp = connectTcp({ host: hostname, port: Number(port) })
  tcp.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
  )
  await new Promise<void>((resolve) => {
    tcp.once('data', () => resolve())
  })
  const text = Buffer.from(`40${JSON.stringify({ token })}`)
  // A masked text frame with mask zero, so the payload bytes stay unchanged.
  tcp.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
  tcp.pause()
  return tcp
}
