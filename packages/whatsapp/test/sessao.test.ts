import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SendDeferred, SendRefused } from '#anfitriao.ts'
import { type TestBench, createTestBench, newMessage } from './bancada.ts'
import { createFakePhone, createFakeCustomer, type FakeServer } from './rede-falsa/index.ts'
import { childOf, childrenOf } from './rede-falsa/stanza.ts'
import { eventually, sendUntilConfirmed } from './quando.ts'

let bancada: TestBench

beforeEach(async () => {
  bancada = await createTestBench()
})
afterEach(() => bancada.close())

const LID_DA_ANA = '200000000000001@lid'

describe('createSessao: pairing', () => {
  it('shows each QR code and ends the session after the last one', async () => {
    const { host, connector } = bancada.startProcess({}, { qrMs: 60 })
    await connector.start()
    expect(await host.reached('encerrado')).toEqual({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    const codigos = host.states.flatMap((estado) => (estado.tipo === 'pareando' ? [estado.qrCode] : []))
    expect(new Set(codigos).size).toBe(3)
    expect(bancada.disk.credentials).toBeNull()
  })

  it('reports the paired account and reconnects without a new scan', async () => {
    const primeira = await bancada.pair()
    expect(await primeira.host.reached('conectado')).toEqual({ tipo: 'conectado', como: 'Floricultura' })
    await primeira.connector.stop()
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    await segunda.host.reached('conectado')
    expect(segunda.host.states.map(({ tipo }) => tipo)).toEqual(['conectando', 'conectado'])
  })

  it('pairs by the typed code and refuses a wrong code', async () => {
    const { phone, disk } = bancada
    const { host, connector } = bancada.startProcess({}, { qrMs: 60_000 })
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await connector.start()
    await host.reached('pareando')
    await expect(connector.pairingCode('5511000000000')).rejects.toBeInstanceOf(SendRefused)
    bancada.server.faults.refuseCode = '429'
    await expect(connector.pairingCode(phone.numero)).rejects.toThrow('pedidos demais')
    bancada.server.faults.refuseCode = '500'
    await expect(connector.pairingCode(phone.numero)).rejects.toThrow('não gerou o código agora')
    bancada.server.faults.refuseCode = undefined
    const pedido = await connector.pairingCode(phone.numero)
    expect(pedido?.codigo).toMatch(/^[1-9A-Z]{8}$/)
    // Three QR codes of a minute each.
    expect(pedido?.expiraEm.getTime()).toBeGreaterThan(Date.now() + 150_000)
    await expect(phone.typeCode('AAAA1111')).rejects.toThrow()
    expect(disk.credentials).toBeNull()
    await phone.typeCode(pedido?.codigo ?? '')
    expect(await host.reached('conectado')).toEqual({ tipo: 'conectado', como: 'Floricultura' })
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await connector.stop()
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    await segunda.host.reached('conectado')
  })

  it('finds an account whose number has no ninth digit', async () => {
    const antigo = createFakePhone(bancada.server, { numero: '553187654321', lid: '100000000000002', nome: 'Padaria' })
    const { host, connector } = bancada.startProcess()
    await connector.start()
    await host.reached('pareando')
    await expect(connector.pairingCode('553133334444')).rejects.toThrow('não aceitou este número')
    const pedido = await connector.pairingCode('5531987654321')
    await antigo.typeCode(pedido?.codigo ?? '')
    expect(await host.reached('conectado')).toEqual({ tipo: 'conectado', como: 'Padaria' })
  })

  it('renews the secret in the QR code on screen and in later codes', async () => {
    const { phone, server } = bancada
    const { host, connector } = bancada.startProcess({}, { qrMs: 2_000 })
    const codigos = () =>
      host.states.flatMap((estado) => {
        if (estado.tipo !== 'pareando') return []
        const [ref = '', , , segredo = ''] = estado.qrCode.split('#').at(-1)?.split(',') ?? []
        return [{ ref, segredo, expiraEm: estado.expiraEm }]
      })
    await connector.start()
    await host.reached('pareando')
    await server.pairing.renew()
    const [antiga, nova] = codigos()
    expect(nova).toMatchObject({ ref: antiga?.ref, expiraEm: antiga?.expiraEm })
    expect(nova?.segredo).not.toBe(antiga?.segredo)
    await eventually(() => expect(codigos()[2]).toMatchObject({ segredo: nova?.segredo }))
    const emCartaz = host.states.findLast((estado) => estado.tipo === 'pareando')
    await phone.scan(emCartaz?.qrCode ?? '')
    await host.reached('conectado')
  })

  it.each(['scans a code', 'types a code'])('ends with a passkey error when the owner %s', async (como) => {
    const { phone, server, disk } = bancada
    server.faults.requirePasskey = true
    const { host, connector } = bancada.startProcess()
    await connector.start()
    const { qrCode } = await host.reached('pareando')
    const codigo = como === 'types a code' ? await connector.pairingCode(phone.numero) : null
    await expect(codigo === null ? phone.scan(qrCode) : phone.typeCode(codigo.codigo)).rejects.toThrow(
      'passkey',
    )
    expect(await host.reached('encerrado')).toMatchObject({ status: 'erro_auth', motivo: 'chaveDeAcesso' })
    expect(disk.credentials).toBeNull()
  })

  it('starts a new pairing when the connection closes during typing', async () => {
    const { phone, server } = bancada
    const { host, connector } = bancada.startProcess()
    await connector.start()
    await host.reached('pareando')
    await connector.pairingCode(phone.numero)
    server.cutAll()
    // The closed connection gives neither an unusable code nor an error.
    expect(await connector.pairingCode(phone.numero)).toBeNull()
    await eventually(() => expect(host.states.filter(({ tipo }) => tipo === 'pareando')).toHaveLength(2))
    const pedido = await connector.pairingCode(phone.numero)
    await phone.typeCode(pedido?.codigo ?? '')
    await host.reached('conectado')
  })
})

describe('createSessao: message of a customer', () => {
  it('arrives once, with the number beside its LID', async () => {
    const { ana, phone, disk } = bancada
    await bancada.pair()
    const id = await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({
      ...{ id, endereco: LID_DA_ANA, telefone: '5511987654321', nome: 'Ana', texto: 'oi', deMim: false },
      outrosEnderecos: ['5511987654321@s.whatsapp.net'],
    })
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('gets the number of a LID that was seen before', async () => {
    const { ana, phone, disk } = bancada
    await bancada.pair()
    await ana.say(phone, 'um', { como: 'lid-oculto' })
    await eventually(() => expect(disk.received).toHaveLength(1))
    await ana.say(phone, 'dois', { como: 'numero' })
    await ana.say(phone, 'três', { como: 'lid-oculto' })
    await eventually(() => expect(disk.received).toHaveLength(3))
    expect(disk.received.map(({ telefone }) => telefone)).toEqual(['', '5511987654321', '5511987654321'])
  })

  it('is ignored from a group, a list, a status or a channel', async () => {
    const { ana, phone, disk } = bancada
    await bancada.pair()
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
    const { ana, phone, disk } = bancada
    await bancada.pair()
    await phone.write(ana, 'já vejo')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({ endereco: LID_DA_ANA, deMim: true, texto: 'já vejo', nome: '' })
  })

  it('can be edited, deleted, reacted to and quoted', async () => {
    const { ana, phone, disk } = bancada
    const { connector } = await bancada.pair()
    const nossa = newMessage(LID_DA_ANA, 'temos rosas')
    disk.sent.push(nossa)
    await connector.send(nossa)
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
      { alvo: nossa.idExterno, telefone: '5511987654321', mudanca: { tipo: 'reacao', emoji: '❤️' } },
    ])
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('arrives in order after a disconnection', async () => {
    const { ana, phone, disk } = bancada
    const primeira = await bancada.pair()
    await primeira.connector.stop()
    const textos = Array.from({ length: 40 }, (_, n) => `mensagem ${n}`)
    for (const texto of textos) await ana.say(phone, texto)
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    await eventually(() => expect(disk.received).toHaveLength(40))
    expect(disk.received.map(({ texto }) => texto)).toEqual(textos)
  })

  it('does not overtake another one on a slow store', async () => {
    const { ana, phone, disk } = bancada
    let esperaMs = 200
    await bancada.pair({
      beforeRead: async (tipo) => {
        if (tipo !== 'lid-mapping') return
        // Each read is faster than the one before.
        esperaMs = Math.max(0, esperaMs - 40)
        await new Promise((resolve) => setTimeout(resolve, esperaMs))
      },
    })
    const textos = ['um', 'dois', 'três', 'quatro', 'cinco']
    for (const texto of textos) await ana.say(phone, texto)
    await eventually(() => expect(disk.received).toHaveLength(5))
    expect(disk.received.map(({ texto }) => texto)).toEqual(textos)
  })

  it('arrives after failed journal writes', async () => {
    const { ana, phone, disk } = bancada
    let falhas = 3
    await bancada.pair({
      beforeWrite: (chegadas) => {
        if (chegadas.length > 0 && falhas-- > 0) throw new Error('disk full')
      },
    })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received.map(({ texto }) => texto)).toEqual(['oi']))
  })

  it('stays in the journal until the host accepts it', async () => {
    const { ana, phone, disk } = bancada
    let falhas = 1
    await bancada.pair({
      beforeReceive: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    await eventually(() => expect(disk.entries.size).toBe(0))
  })
})

/** The server accepts the first send and refuses the resend. */
function recusarASegunda({ faults }: FakeServer): { readonly recusada: Promise<void>; readonly denovo: () => void } {
  let vezes = 0
  const { promise: recusada, resolve } = Promise.withResolvers<void>()
  faults.refuse = () => {
    vezes += 1
    if (vezes !== 2) return undefined
    resolve()
    return '503'
  }
  return { recusada, denovo: () => void (vezes = 0) }
}

describe('createSessao: our message', () => {
  it('resolves on the server’s ack and reports both receipts', async () => {
    const { ana, phone, disk } = bancada
    const { connector } = await bancada.pair()
    const mensagem = newMessage(LID_DA_ANA, 'bom dia')
    disk.sent.push(mensagem)
    await connector.send(mensagem)
    const recebida = await ana.nth(1)
    expect(recebida).toMatchObject({ texto: 'bom dia', id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) })
    ana.markRead(phone, recebida.id)
    const { idExterno } = mensagem
    await eventually(() =>
      expect(disk.receipts).toEqual([
        { idExterno, estado: 'entregue' },
        { idExterno, estado: 'lida' },
      ]),
    )
  })

  it('rejects on a refusal, with `Recusada` for code 463', async () => {
    const { connector } = await bancada.pair()
    bancada.server.faults.refuse = () => '500'
    await expect(connector.send(newMessage(LID_DA_ANA, 'a'))).rejects.toThrow('recusou a mensagem (500)')
    bancada.server.faults.refuse = () => '463'
    await expect(connector.send(newMessage(LID_DA_ANA, 'b'))).rejects.toBeInstanceOf(SendRefused)
  })

  it('is retried with the same id after a lost ack and shown once', async () => {
    const { ana } = bancada
    const { connector } = await bancada.pair({}, { ackMs: 200 })
    bancada.server.faults.loseAck = () => true
    const mensagem = newMessage(LID_DA_ANA, 'chegou?')
    await expect(connector.send(mensagem)).rejects.toThrow('não confirmou')
    bancada.server.faults.loseAck = undefined
    await sendUntilConfirmed(() => connector.send(mensagem))
    await eventually(() => expect(ana.repeated.length).toBeGreaterThan(0))
    expect(ana.received.map(({ text }) => text)).toEqual(['chegou?'])
  })

  it('is encrypted again for a phone that could not decrypt it, even after a restart', async () => {
    const { ana, phone, disk } = bancada
    const primeira = await bancada.pair()
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const mensagem = newMessage(LID_DA_ANA, 'sua resposta')
    disk.sent.push(mensagem)
    await ana.reinstall(phone)
    await primeira.connector.send(mensagem)
    await primeira.connector.stop()
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    expect(await ana.nth(1)).toMatchObject({ texto: 'sua resposta' })
    expect(ana.unreadable.length).toBeGreaterThan(0)
  })

  it('is resent when the server refuses the first resend, even after a restart', async () => {
    const { ana, phone, disk, server } = bancada
    // So long that the first process does not resend.
    const primeira = await bancada.pair({}, { delays: () => 600_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const textos = ['sua resposta', 'e outra']
    const segundaVez = recusarASegunda(server)
    const [uma, outra] = textos.map((texto) => newMessage(LID_DA_ANA, texto))
    if (uma === undefined || outra === undefined) throw new Error('two messages expected')
    disk.sent.push(uma, outra)
    await ana.reinstall(phone)
    await primeira.connector.send(uma)
    await segundaVez.recusada
    await primeira.connector.stop()
    expect(ana.received).toEqual([])
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    expect(await ana.nth(1)).toMatchObject({ texto: 'sua resposta' })

    segundaVez.denovo()
    await ana.reinstall(phone)
    await segunda.connector.send(outra)
    expect(await ana.nth(2)).toMatchObject({ texto: 'e outra' })
    await eventually(() => expect([...disk.keys.keys()].filter((chave) => chave.startsWith('reenvio'))).toEqual([]))
    expect(ana.received).toHaveLength(2)
  })

  it('is resent when another request arrives before the record could be read', async () => {
    const { ana, phone, disk, errors, server } = bancada
    const primeira = await bancada.pair({}, { delays: () => 600_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const [uma, outra] = ['sua resposta', 'e outra'].map((texto) => newMessage(LID_DA_ANA, texto))
    if (uma === undefined || outra === undefined) throw new Error('two messages expected')
    disk.sent.push(uma, outra)
    const segundaVez = recusarASegunda(server)
    await ana.reinstall(phone)
    await primeira.connector.send(uma)
    await segundaVez.recusada
    await primeira.connector.stop()

    let quebrada = true
    const segunda = bancada.startProcess({
      beforeRead: async (tipo) => {
        if (tipo === 'reenvio' && quebrada) throw new Error('database down')
      },
    })
    await segunda.connector.start()
    await ana.say(phone, 'alguém aí?')
    await eventually(() => expect(disk.received).toHaveLength(2))
    await ana.reinstall(phone)
    const saiu = sendUntilConfirmed(() => segunda.connector.send(outra))
    await eventually(() => expect(errors.some((erro) => erro.includes('key store failed'))).toBe(true))
    quebrada = false
    await saiu
    await ana.nth(2)
    expect(ana.received.map(({ text }) => text).toSorted()).toEqual(['e outra', 'sua resposta'])
  })

  it('is resent when an acknowledged resend did not reach the phone', async () => {
    const { ana, phone, disk, server } = bancada
    const { connector } = await bancada.pair({}, { delays: () => 0, ackMs: 1_000 })
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const mensagem = newMessage(LID_DA_ANA, 'sua resposta')
    disk.sent.push(mensagem)
    let vezes = 0
    server.faults.loseMessage = () => ++vezes === 2
    await ana.reinstall(phone)
    await connector.send(mensagem)
    expect(await ana.nth(1)).toMatchObject({ texto: 'sua resposta' })
    expect(vezes).toBe(3)
    await eventually(() => expect([...disk.keys.keys()].filter((chave) => chave.startsWith('reenvio'))).toEqual([]))
  })

  it('is rejected when it was encrypted only for the owner’s phone', async () => {
    const { connector } = await bancada.pair()
    const aNinguem = newMessage('299999999999999@lid', 'alguém aí?')
    await expect(connector.send(aNinguem)).rejects.toThrow('não deu como levar a mensagem')
  })

  it('rejects with `Adiada` if its turn is far away, and sends it later', async () => {
    let agora = 0
    const ritmo = { now: () => agora, random: () => 0, pauseMs: [10_000, 10_000] } as const
    const { connector } = await bancada.pair({}, { pace: ritmo })
    await connector.send(newMessage(LID_DA_ANA, 'a'))
    const segunda = newMessage(LID_DA_ANA, 'b')
    await expect(connector.send(segunda)).rejects.toMatchObject({ name: 'Adiada', esperaMs: 10_000 })
    await expect(connector.send(segunda)).rejects.toBeInstanceOf(SendDeferred)
    agora = 10_000
    await connector.send(segunda)
    expect(await bancada.ana.nth(2)).toMatchObject({ texto: 'b' })
  })

  it('is refused for a new chat during a lock and sent in an open chat', async () => {
    const { ana, phone, disk, server } = bancada
    const bia = createFakeCustomer(server, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { connector } = await bancada.pair()
    await ana.say(phone, 'oi')
    await eventually(() => expect(disk.received).toHaveLength(1))
    const avisar = async (ate: Date | null): Promise<void> => {
      const soube = new Promise<void>((resolve) =>
        server.events.on('ack', ({ stanza }) => {
          if (stanza.attrs.class === 'notification') resolve()
        }),
      )
      server.lockNewChats(ate)
      await soube
    }
    await avisar(new Date(Date.now() + 3_600_000))
    const paraBia = newMessage('200000000000002@lid', 'promoção!')
    await expect(connector.send(paraBia)).rejects.toThrow(/começar conversas até .+ \(horário de Brasília\)/)
    await expect(connector.send(paraBia)).rejects.toBeInstanceOf(SendRefused)
    await connector.send(newMessage(LID_DA_ANA, 'olá'))
    expect(await ana.nth(1)).toMatchObject({ texto: 'olá' })
    await avisar(null)
    await connector.send(paraBia)
    expect((await bia.nth(1)).text).toBe('promoção!')
    expect(bia.repeated).toEqual([])
  })

  it('reaches a person whose address is only a number', async () => {
    const bia = createFakeCustomer(bancada.server, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { connector } = await bancada.pair()
    await connector.send(newMessage('5521999990000', 'olá'))
    expect(await bia.nth(1)).toMatchObject({ texto: 'olá' })
  })
})

describe('createSessao: typing and read receipts', () => {
  it('passes typing in both directions', async () => {
    const { ana, phone, disk, server } = bancada
    const { connector } = await bancada.pair()
    ana.type(phone)
    await eventually(() => expect(disk.typing).toEqual([{ endereco: LID_DA_ANA, telefone: '' }]))
    const escrevendo = new Promise<string>((resolve) =>
      server.events.on('presenca', ({ stanza }) => {
        if (stanza.tag === 'chatstate') resolve(stanza.attrs.to ?? '')
      }),
    )
    connector.typing(LID_DA_ANA)
    expect(await escrevendo).toBe(LID_DA_ANA)
  })

  it('marks all earlier messages as read when we answer', async () => {
    const { ana, phone, disk, server } = bancada
    const { connector } = await bancada.pair()
    const ids = [await ana.say(phone, 'um'), await ana.say(phone, 'dois')]
    await eventually(() => expect(disk.received).toHaveLength(2))
    const lidas = new Promise<string[]>((resolve) =>
      server.events.on('recibo', ({ stanza }) => {
        if (stanza.attrs.type !== 'read') return
        resolve([stanza.attrs.id ?? '', ...childrenOf(childOf(stanza, 'list'), 'item').map(({ attrs }) => attrs.id ?? '')])
      }),
    )
    await connector.send(newMessage(LID_DA_ANA, 'olá'))
    expect((await lidas).toSorted()).toEqual(ids.toSorted())
  })
})

describe('createSessao: connection', () => {
  it('reconnects after a cut', async () => {
    const { host } = await bancada.pair()
    const voltou = once(bancada.server.events, 'conectou')
    bancada.phone.devices.get(1)?.connection?.cut()
    await voltou
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
    expect(host.states).toContainEqual({ tipo: 'reconectando', motivo: 'semRede' })
  })

  it('waits longer after each failed login and resets after a stable connection', async () => {
    const { server } = bancada
    const tentativas: number[] = []
    const quatro = Promise.withResolvers<void>()
    const esperas = (tentativa: number): number => {
      if (tentativas.push(tentativa) === 4) quatro.resolve()
      return 1
    }
    const { host } = await bancada.pair({}, { delays: esperas, stableMs: 0 })
    server.faults.refuseLogin = '503'
    server.cutAll()
    await quatro.promise
    server.faults.refuseLogin = undefined
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
    expect(host.states).toContainEqual({ tipo: 'reconectando', motivo: 'servicoInstavel' })
    const vezes = tentativas.length
    server.cutAll()
    await eventually(() => expect(tentativas).toHaveLength(vezes + 1))
    expect(tentativas).toEqual([...tentativas.keys()].map((n) => (n === vezes ? 0 : n)))
  })

  it('waits longer when the server repeatedly accepts and drops the connection', async () => {
    const { server } = bancada
    const tentativas: number[] = []
    const { host } = await bancada.pair({}, { delays: (tentativa) => tentativas.push(tentativa) })
    server.faults.refuseLogin = '515'
    server.cutAll()
    await eventually(() => expect(tentativas.length).toBeGreaterThan(1))
    server.faults.refuseLogin = undefined
    for (let vez = 0; vez < 2; vez += 1) {
      await eventually(() => expect(host.states.at(-1)?.tipo).toBe('conectado'))
      server.endAll('503')
      await eventually(() => expect(host.states.at(-1)?.tipo).toBe('reconectando'))
    }
    expect(tentativas).toEqual([...tentativas.keys()])
  })

  it('ends the session when the owner removes the device', async () => {
    const { host } = await bancada.pair()
    const aparelho = bancada.phone.devices.get(1)
    if (aparelho !== undefined) bancada.server.removeDevice(aparelho)
    expect(await host.reached('encerrado')).toMatchObject({ status: 'PARADO', motivo: 'desconectadoNoCelular' })
  })

  it.each([
    ['403', 'ERRO', 'banido'],
    ['405', 'ERRO', 'clienteDesatualizado'],
    ['411', 'erro_auth', 'credenciaisInvalidas'],
  ])('reports the reason of a login refused with %s', async (codigo, status, motivo) => {
    const { connector } = await bancada.pair()
    await connector.stop()
    bancada.server.faults.refuseLogin = codigo
    const segunda = bancada.startProcess()
    await segunda.connector.start()
    expect(await segunda.host.reached('encerrado')).toMatchObject({ status, motivo })
  })

  it('ends when another session with the same credentials replaces it again', async () => {
    const { host } = await bancada.pair()
    const outra = bancada.startProcess()
    await outra.connector.start()
    await eventually(() => {
      const fins = [host, outra.host].flatMap(({ states }) => states.filter(({ tipo }) => tipo === 'encerrado'))
      expect(fins).toEqual([{ tipo: 'encerrado', status: 'PARADO', motivo: 'substituido' }])
    })
  })

  it('unlinks the device on logout', async () => {
    const { connector } = await bancada.pair()
    const saiu = once(bancada.server.events, 'saiu')
    await connector.logout()
    await saiu
    expect(bancada.phone.devices.get(1)?.revoked).toBe(true)
  })

  it('unlinks the device on logout of a stopped or disconnected session', async () => {
    const { phone, server, disk } = bancada
    const primeira = await bancada.pair()
    await primeira.connector.stop()
    const chaves = new Map(disk.keys)
    await bancada.ana.say(phone, 'tem alguém?')
    await bancada.startProcess().connector.logout()
    expect(phone.devices.get(1)?.revoked).toBe(true)
    expect([disk.keys, disk.received]).toEqual([chaves, []])
    disk.credentials = null
    const { connector, host } = await bancada.pair({}, { delays: () => 600_000 })
    server.cutAll()
    await eventually(() => expect(host.states.at(-1)?.tipo).toBe('reconectando'))
    await connector.logout()
    expect(phone.devices.get(2)?.revoked).toBe(true)
    expect(bancada.errors).toEqual([])
  })

  it('emits no events after stop', async () => {
    const { host, connector } = await bancada.pair()
    await connector.stop()
    const antes = host.states.length
    await bancada.ana.say(bancada.phone, 'oi')
    expect(host.states).toHaveLength(antes)
    await expect(connector.send(newMessage(LID_DA_ANA, 'oi'))).rejects.toThrow('sem conexão')
  })
})
