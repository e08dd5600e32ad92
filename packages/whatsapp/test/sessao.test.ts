import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SendDeferred, SendRefused } from '@balcao/connector/errors'
import { type TestBench, createTestBench, newMessage } from './bench.ts'
import { createFakePhone, createFakeCustomer, type FakeServer } from './rede-falsa/index.ts'
import { childOf, childrenOf } from './rede-falsa/stanza.ts'
import { eventually, sendUntilConfirmed } from './eventually.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

const LID_DA_ANA = '200000000000001@lid'

describe('Connection: pairing', () => {
  it('shows each QR code and ends the session after the last one', async () => {
    const { host, connector } = bench.startProcess({}, { qrMs: 60 })
    await connector.start()
    expect(await host.reached('encerrado')).toEqual({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    const codes = host.states.flatMap((state) => (state.tipo === 'pareando' ? [state.qrCode] : []))
    expect(new Set(codes).size).toBe(3)
    expect(bench.disk.credentials).toBeNull()
  })

  it('reports the paired account and reconnects without a new scan', async () => {
    const first = await bench.pair()
    expect(await first.host.reached('conectado')).toMatchObject({ tipo: 'conectado', como: 'Floricultura' })
    await first.connector.stop()
    const second = bench.startProcess()
    await second.connector.start()
    await second.host.reached('conectado')
    expect(second.host.states.map(({ tipo }) => tipo)).toEqual(['conectando', 'conectado'])
  })

  it('pairs by the typed code and refuses a wrong code', async () => {
    const { phone, disk } = bench
    const { host, connector } = bench.startProcess({}, { qrMs: 60_000 })
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await connector.start()
    await host.reached('pareando')
    await expect(connector.pairingCode('5511000000000')).rejects.toBeInstanceOf(SendRefused)
    bench.server.faults.refuseCode = '429'
    await expect(connector.pairingCode(phone.numero)).rejects.toThrow('pedidos demais')
    bench.server.faults.refuseCode = '500'
    await expect(connector.pairingCode(phone.numero)).rejects.toThrow('não gerou o código agora')
    bench.server.faults.refuseCode = undefined
    const request = await connector.pairingCode(phone.numero)
    expect(request?.codigo).toMatch(/^[1-9A-Z]{8}$/)
    // Three QR codes of a minute each.
    expect(request?.expiraEm.getTime()).toBeGreaterThan(Date.now() + 150_000)
    await expect(phone.typeCode('AAAA1111')).rejects.toThrow()
    expect(disk.credentials).toBeNull()
    await phone.typeCode(request?.codigo ?? '')
    expect(await host.reached('conectado')).toMatchObject({ tipo: 'conectado', como: 'Floricultura' })
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await connector.stop()
    const second = bench.startProcess()
    await second.connector.start()
    await second.host.reached('conectado')
  })

  it('finds an account whose number has no ninth digit', async () => {
    const old = createFakePhone(bench.server, { numero: '553187654321', lid: '100000000000002', nome: 'Padaria' })
    const { host, connector } = bench.startProcess()
    await connector.start()
    await host.reached('pareando')
    await expect(connector.pairingCode('553133334444')).rejects.toThrow('não aceitou este número')
    const request = await connector.pairingCode('5531987654321')
    await old.typeCode(request?.codigo ?? '')
    expect(await host.reached('conectado')).toMatchObject({ tipo: 'conectado', como: 'Padaria' })
  })

  it('renews the secret in the QR code on screen and in later codes', async () => {
    const { phone, server } = bench
    const { host, connector } = bench.startProcess({}, { qrMs: 2_000 })
    const codes = () =>
      host.states.flatMap((state) => {
        if (state.tipo !== 'pareando') return []
        const [ref = '', , , segredo = ''] = state.qrCode.split('#').at(-1)?.split(',') ?? []
        return [{ ref, segredo, expiraEm: state.expiraEm }]
      })
    await connector.start()
    await host.reached('pareando')
    await server.pairing.renew()
    const [antiga, fresh] = codes()
    expect(fresh).toMatchObject({ ref: antiga?.ref, expiraEm: antiga?.expiraEm })
    expect(fresh?.segredo).not.toBe(antiga?.segredo)
    await eventually(() => expect(codes()[2]).toMatchObject({ segredo: fresh?.segredo }))
    const emCartaz = host.states.findLast((state) => state.tipo === 'pareando')
    await phone.scan(emCartaz?.qrCode ?? '')
    await host.reached('conectado')
  })

  it.each(['scans a code', 'types a code'])('ends with a passkey error when the owner %s', async (como) => {
    const { phone, server, disk } = bench
    server.faults.requirePasskey = true
    const { host, connector } = bench.startProcess()
    await connector.start()
    const { qrCode } = await host.reached('pareando')
    const code = como === 'types a code' ? await connector.pairingCode(phone.numero) : null
    await expect(code === null ? phone.scan(qrCode) : phone.typeCode(code.codigo)).rejects.toThrow('passkey')
    expect(await host.reached('encerrado')).toMatchObject({ status: 'erro_auth', motivo: 'chaveDeAcesso' })
    expect(disk.credentials).toBeNull()
  })

  it('starts a new pairing when the connection closes during typing', async () => {
    const { phone, server } = bench
    const { host, connector } = bench.startProcess()
    await connector.start()
    await host.reached('pareando')
    await connector.pairingCode(phone.numero)
    server.cutAll()
    // The closed connection gives neither an unusable code nor an error.
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await eventually(() => expect(host.states.filter(({ tipo }) => tipo === 'pareando')).toHaveLength(2))
    const request = await connector.pairingCode(phone.numero)
    await phone.typeCode(request?.codigo ?? '')
    await host.reached('conectado')
  })
})

describe('Connection: message of a customer', () => {
  it('arrives once, with the number beside its LID', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    const id = await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({
      ...{ id, endereco: LID_DA_ANA, telefone: '5511987654321', nome: 'Ana', texto: 'oi', deMim: false },
      outrosEnderecos: ['5511987654321@s.whatsapp.net'],
    })
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('gets the number of a LID that was seen before', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    await ana.say(phone, 'um', { como: 'lid-oculto' })
    await eventually(() => expect(disk.received).toHaveLength(1))
    await ana.say(phone, 'dois', { como: 'numero' })
    await ana.say(phone, 'três', { como: 'lid-oculto' })
    await eventually(() => expect(disk.received).toHaveLength(3))
    expect(disk.received.map(({ telefone }) => telefone)).toEqual(['', '5511987654321', '5511987654321'])
  })

  it('is ignored from a group, a list, a status or a channel', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    const participant = LID_DA_ANA
    for (const from of ['120363000000000001@g.us', '1700000000@broadcast', 'status@broadcast', '120363@newsletter']) {
      await ana.say(phone, 'oi, gente', { attrs: { from, participant } })
    }
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({ texto: 'oi', endereco: LID_DA_ANA })
    // These messages are acknowledged without decryption and without a journal entry.
    await eventually(() => expect(phone.devices.get(1)?.pending).toEqual([]))
    expect(disk.received).toHaveLength(1)
  })

  it('belongs to the customer’s conversa when the owner typed it on the phone', async () => {
    const { ana, phone, disk } = bench
    await bench.pair()
    await phone.write(ana, 'já vejo')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({ endereco: LID_DA_ANA, deMim: true, texto: 'já vejo', nome: '' })
  })

  it('can be edited, deleted, reacted to and quoted', async () => {
    const { ana, phone, disk } = bench
    const { connector } = await bench.pair()
    const ours = newMessage(LID_DA_ANA, 'temos rosas')
    disk.sent.push(ours)
    await connector.send(ours)
    const { id: idDaNossa } = await ana.nth(1)
    const id = await ana.say(phone, 'quero 2 rossas')
    await ana.edit(phone, id, 'quero 2 rosas')
    await ana.deleteForAll(phone, id)
    await ana.react(phone, idDaNossa, '❤️')
    await ana.quote(phone, 'temos rosas', 'destas')
    await eventually(() => expect(disk.received.map(({ texto }) => texto)).toEqual(['quero 2 rossas', 'destas']))
    expect(disk.received[1]).toMatchObject({ citada: { texto: 'temos rosas', nossa: true } })
    expect(disk.changes).toMatchObject([
      { alvo: id, endereco: LID_DA_ANA, deMim: false, mudanca: { tipo: 'edicao', texto: 'quero 2 rosas' } },
      { alvo: id, mudanca: { tipo: 'apagada' } },
      { alvo: ours.idExterno, telefone: '5511987654321', mudanca: { tipo: 'reacao', emoji: '❤️' } },
    ])
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('arrives in order after a disconnection', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    await first.connector.stop()
    const texts = Array.from({ length: 40 }, (_, n) => `mensagem ${n}`)
    for (const texto of texts) await ana.say(phone, texto)
    const second = bench.startProcess()
    await second.connector.start()
    await eventually(() => expect(disk.received).toHaveLength(40))
    expect(disk.received.map(({ texto }) => texto)).toEqual(texts)
  })

  it('does not overtake another one on a slow store', async () => {
    const { ana, phone, disk } = bench
    let waitMs = 200
    await bench.pair({
      beforeRead: async (tipo) => {
        if (tipo !== 'lid-mapping') return
        // Each read is faster than the one before.
        waitMs = Math.max(0, waitMs - 40)
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      },
    })
    const texts = ['um', 'dois', 'três', 'quatro', 'cinco']
    for (const texto of texts) await ana.say(phone, texto)
    await eventually(() => expect(disk.received).toHaveLength(5))
    expect(disk.received.map(({ texto }) => texto)).toEqual(texts)
  })

  it('arrives after failed journal writes', async () => {
    const { ana, phone, disk } = bench
    let failures = 3
    await bench.pair({
      beforeWrite: (arrivals) => {
        if (arrivals.length > 0 && failures-- > 0) throw new Error('disk full')
      },
    })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received.map(({ texto }) => texto)).toEqual(['oi']))
  })

  it('stays in the journal until the host accepts it', async () => {
    const { ana, phone, disk } = bench
    let failures = 1
    await bench.pair({
      beforeReceive: () => {
        if (failures-- > 0) throw new Error('database down')
      },
    })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    await eventually(() => expect(disk.entries.size).toBe(0))
  })
})

/** The server accepts the first send and refuses the resend. */
function recusarASegunda({ faults }: FakeServer): { readonly recusada: Promise<void>; readonly denovo: () => void } {
  let times = 0
  const { promise: recusada, resolve } = Promise.withResolvers<void>()
  faults.refuse = () => {
    times += 1
    if (times !== 2) return undefined
    resolve()
    return '503'
  }
  return { recusada, denovo: () => void (times = 0) }
}

describe('Connection: our message', () => {
  it('resolves on the server’s ack and reports both receipts', async () => {
    const { ana, phone, disk } = bench
    const { connector } = await bench.pair()
    const mensagem = newMessage(LID_DA_ANA, 'bom dia')
    disk.sent.push(mensagem)
    await connector.send(mensagem)
    const recebida = await ana.nth(1)
    expect(recebida).toMatchObject({ text: 'bom dia', id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) })
    ana.markRead(phone, recebida.id)
    const { idExterno } = mensagem
    await eventually(() =>
      expect(disk.receipts).toEqual([
        { idExterno, estado: 'entregue' },
        { idExterno, estado: 'lida' },
      ]),
    )
  })

  it('rejects on a refusal, with `SendRefused` for code 463', async () => {
    const { connector } = await bench.pair()
    bench.server.faults.refuse = () => '500'
    await expect(connector.send(newMessage(LID_DA_ANA, 'a'))).rejects.toThrow('recusou a mensagem (500)')
    bench.server.faults.refuse = () => '463'
    await expect(connector.send(newMessage(LID_DA_ANA, 'b'))).rejects.toBeInstanceOf(SendRefused)
  })

  it('is retried with the same id after a lost ack and shown once', async () => {
    const { ana } = bench
    const { connector } = await bench.pair({}, { ackMs: 200 })
    bench.server.faults.loseAck = () => true
    const mensagem = newMessage(LID_DA_ANA, 'chegou?')
    await expect(connector.send(mensagem)).rejects.toThrow('não confirmou')
    bench.server.faults.loseAck = undefined
    await sendUntilConfirmed(() => connector.send(mensagem))
    await eventually(() => expect(ana.repeated.length).toBeGreaterThan(0))
    expect(ana.received.map(({ text }) => text)).toEqual(['chegou?'])
  })

  it('is encrypted again for a phone that could not decrypt it, even after a restart', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const mensagem = newMessage(LID_DA_ANA, 'sua resposta')
    disk.sent.push(mensagem)
    await ana.reinstall(phone)
    await first.connector.send(mensagem)
    await first.connector.stop()
    const second = bench.startProcess()
    await second.connector.start()
    expect(await ana.nth(1)).toMatchObject({ text: 'sua resposta' })
    expect(ana.unreadable.length).toBeGreaterThan(0)
  })

  it('is resent when the server refuses the first resend, even after a restart', async () => {
    const { ana, phone, disk, server } = bench
    // So long that the first process does not resend.
    const first = await bench.pair({}, { delays: () => 600_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const texts = ['sua resposta', 'e outra']
    const segundaVez = recusarASegunda(server)
    const [uma, other] = texts.map((texto) => newMessage(LID_DA_ANA, texto))
    if (uma === undefined || other === undefined) throw new Error('two messages expected')
    disk.sent.push(uma, other)
    await ana.reinstall(phone)
    await first.connector.send(uma)
    await segundaVez.recusada
    await first.connector.stop()
    expect(ana.received).toEqual([])
    const second = bench.startProcess()
    await second.connector.start()
    expect(await ana.nth(1)).toMatchObject({ text: 'sua resposta' })

    segundaVez.denovo()
    await ana.reinstall(phone)
    await second.connector.send(other)
    expect(await ana.nth(2)).toMatchObject({ text: 'e outra' })
    await eventually(() => expect([...disk.keys.keys()].filter((key) => key.startsWith('reenvio'))).toEqual([]))
    expect(ana.received).toHaveLength(2)
  })

  it('is resent when another request arrives before the record could be read', async () => {
    const { ana, phone, disk, errors, server } = bench
    const first = await bench.pair({}, { delays: () => 600_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const [uma, other] = ['sua resposta', 'e outra'].map((texto) => newMessage(LID_DA_ANA, texto))
    if (uma === undefined || other === undefined) throw new Error('two messages expected')
    disk.sent.push(uma, other)
    const segundaVez = recusarASegunda(server)
    await ana.reinstall(phone)
    await first.connector.send(uma)
    await segundaVez.recusada
    await first.connector.stop()

    let broken = true
    const second = bench.startProcess({
      beforeRead: async (tipo) => {
        if (tipo === 'reenvio' && broken) throw new Error('database down')
      },
    })
    await second.connector.start()
    await ana.say(phone, 'alguém aí?')
    await eventually(() => expect(disk.received).toHaveLength(2))
    await ana.reinstall(phone)
    const left = sendUntilConfirmed(() => second.connector.send(other))
    await eventually(() => expect(errors.some((error) => error.includes('key store failed'))).toBe(true))
    broken = false
    await left
    await ana.nth(2)
    expect(ana.received.map(({ text }) => text).toSorted()).toEqual(['e outra', 'sua resposta'])
  })

  it('is resent when an acknowledged resend did not reach the phone', async () => {
    const { ana, phone, disk, server } = bench
    const { connector } = await bench.pair({}, { delays: () => 0, ackMs: 1_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const mensagem = newMessage(LID_DA_ANA, 'sua resposta')
    disk.sent.push(mensagem)
    let times = 0
    server.faults.loseMessage = () => ++times === 2
    await ana.reinstall(phone)
    await connector.send(mensagem)
    expect(await ana.nth(1)).toMatchObject({ text: 'sua resposta' })
    expect(times).toBe(3)
    await eventually(() => expect([...disk.keys.keys()].filter((key) => key.startsWith('reenvio'))).toEqual([]))
  })

  it('is rejected when it was encrypted only for the owner’s phone', async () => {
    const { connector } = await bench.pair()
    const aNinguem = newMessage('299999999999999@lid', 'alguém aí?')
    await expect(connector.send(aNinguem)).rejects.toThrow('não deu como levar a mensagem')
  })

  it('rejects with `SendDeferred` if its turn is far away, and sends it later', async () => {
    let agora = 0
    const pacer = { now: () => agora, random: () => 0, pauseMs: [10_000, 10_000] } as const
    const { connector } = await bench.pair({}, { pace: pacer })
    await connector.send(newMessage(LID_DA_ANA, 'a'))
    const second = newMessage(LID_DA_ANA, 'b')
    await expect(connector.send(second)).rejects.toMatchObject({ waitMs: 10_000 })
    await expect(connector.send(second)).rejects.toBeInstanceOf(SendDeferred)
    agora = 10_000
    await connector.send(second)
    expect(await bench.ana.nth(2)).toMatchObject({ text: 'b' })
  })

  it('is refused for a new chat during a lock and sent in an open chat', async () => {
    const { ana, phone, disk, server } = bench
    const bia = createFakeCustomer(server, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { connector } = await bench.pair()
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const avisar = async (until: Date | null): Promise<void> => {
      const soube = new Promise<void>((resolve) =>
        server.events.on('ack', ({ stanza }) => {
          if (stanza.attrs.class === 'notification') resolve()
        }),
      )
      server.lockNewChats(until)
      await soube
    }
    await avisar(new Date(Date.now() + 3_600_000))
    const paraBia = newMessage('200000000000002@lid', 'promoção!')
    await expect(connector.send(paraBia)).rejects.toThrow(/começar conversas até .+ \(horário de Brasília\)/)
    await expect(connector.send(paraBia)).rejects.toBeInstanceOf(SendRefused)
    await connector.send(newMessage(LID_DA_ANA, 'olá'))
    expect(await ana.nth(1)).toMatchObject({ text: 'olá' })
    await avisar(null)
    await connector.send(paraBia)
    expect((await bia.nth(1)).text).toBe('promoção!')
    expect(bia.repeated).toEqual([])
  })

  it('reaches a person whose address is only a number', async () => {
    const bia = createFakeCustomer(bench.server, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { connector } = await bench.pair()
    await connector.send(newMessage('5521999990000', 'olá'))
    expect(await bia.nth(1)).toMatchObject({ text: 'olá' })
  })
})

describe('Connection: typing and read receipts', () => {
  it('passes typing in both directions', async () => {
    const { ana, phone, disk, server } = bench
    const { connector } = await bench.pair()
    ana.type(phone)
    await eventually(() => expect(disk.typing).toEqual([{ endereco: LID_DA_ANA, telefone: '' }]))
    const writing = new Promise<string>((resolve) =>
      server.events.on('presenca', ({ stanza }) => {
        if (stanza.tag === 'chatstate') resolve(stanza.attrs.to ?? '')
      }),
    )
    connector.typing(LID_DA_ANA)
    expect(await writing).toBe(LID_DA_ANA)
  })

  it('marks all earlier messages as read when we answer', async () => {
    const { ana, phone, disk, server } = bench
    const { connector } = await bench.pair()
    const ids = [await ana.say(phone, 'um'), await ana.say(phone, 'dois')]
    await eventually(() => expect(disk.received).toHaveLength(2))
    const parsed = new Promise<string[]>((resolve) =>
      server.events.on('recibo', ({ stanza }) => {
        if (stanza.attrs.type !== 'read') return
        resolve([
          stanza.attrs.id ?? '',
          ...childrenOf(childOf(stanza, 'list'), 'item').map(({ attrs }) => attrs.id ?? ''),
        ])
      }),
    )
    await connector.send(newMessage(LID_DA_ANA, 'olá'))
    expect((await parsed).toSorted()).toEqual(ids.toSorted())
  })
})

describe('Connection: connection', () => {
  it('reconnects after a cut', async () => {
    const { host } = await bench.pair()
    const returned = once(bench.server.events, 'conectou')
    bench.phone.devices.get(1)?.connection?.cut()
    await returned
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
    expect(host.states).toContainEqual({ tipo: 'reconectando', motivo: 'semRede' })
  })

  it('waits longer after each failed login and resets after a stable connection', async () => {
    const { server } = bench
    const attempts: number[] = []
    const quatro = Promise.withResolvers<void>()
    const waits = (attempt: number): number => {
      if (attempts.push(attempt) === 4) quatro.resolve()
      return 1
    }
    const { host } = await bench.pair({}, { delays: waits, stableMs: 0 })
    server.faults.refuseLogin = '503'
    server.cutAll()
    await quatro.promise
    server.faults.refuseLogin = undefined
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
    expect(host.states).toContainEqual({ tipo: 'reconectando', motivo: 'servicoInstavel' })
    const times = attempts.length
    server.cutAll()
    await eventually(() => expect(attempts).toHaveLength(times + 1))
    expect(attempts).toEqual([...attempts.keys()].map((n) => (n === times ? 0 : n)))
  })

  it('waits longer when the server repeatedly accepts and drops the connection', async () => {
    const { server } = bench
    const attempts: number[] = []
    const { host } = await bench.pair({}, { delays: (attempt) => attempts.push(attempt) })
    server.faults.refuseLogin = '515'
    server.cutAll()
    await eventually(() => expect(attempts.length).toBeGreaterThan(1))
    server.faults.refuseLogin = undefined
    for (let vez = 0; vez < 2; vez += 1) {
      await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
      const seen = host.states.length
      server.endAll('503')
      await eventually(() => expect(host.states.slice(seen).map(({ tipo }) => tipo)).toContain('reconectando'))
    }
    expect(attempts).toEqual([...attempts.keys()])
  })

  it('ends the session when the owner removes the device', async () => {
    const { host } = await bench.pair()
    const device = bench.phone.devices.get(1)
    if (device !== undefined) bench.server.removeDevice(device)
    expect(await host.reached('encerrado')).toMatchObject({ status: 'PARADO', motivo: 'desconectadoNoCelular' })
  })

  it.each([
    ['403', 'ERRO', 'banido'],
    ['405', 'ERRO', 'clienteDesatualizado'],
    ['411', 'erro_auth', 'credenciaisInvalidas'],
  ])('reports the reason of a login refused with %s', async (code, status, motivo) => {
    const { connector } = await bench.pair()
    await connector.stop()
    bench.server.faults.refuseLogin = code
    const second = bench.startProcess()
    await second.connector.start()
    expect(await second.host.reached('encerrado')).toMatchObject({ status, motivo })
  })

  it('ends when another session with the same credentials replaces it again', async () => {
    const { host } = await bench.pair()
    const other = bench.startProcess()
    await other.connector.start()
    await eventually(() => {
      const fins = [host, other.host].flatMap(({ states }) => states.filter(({ tipo }) => tipo === 'encerrado'))
      expect(fins).toEqual([{ tipo: 'encerrado', status: 'PARADO', motivo: 'substituido' }])
    })
  })

  it('emits no events after stop', async () => {
    const { host, connector } = await bench.pair()
    await connector.stop()
    const before = host.states.length
    await bench.ana.say(bench.phone, 'oi')
    expect(host.states).toHaveLength(before)
    await expect(connector.send(newMessage(LID_DA_ANA, 'oi'))).rejects.toThrow('sem conexão')
  })
})
