import '#remendos/index.ts'
import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JournalEntry } from '#anfitriao.ts'
import { createMediaServer } from '#armazem.ts'
import { serialize } from '#credenciais.ts'
import { createInbound } from '#entrada.ts'
import { createUnreadMessages } from '#nao-lidas.ts'
import { createTestHost } from './anfitriao-em-memoria.ts'
import { type TestBench, createTestBench } from './bancada.ts'
import { createFakeMediaServer } from './rede-falsa/armazem.ts'
import { eventually } from './quando.ts'

let bancada: TestBench

beforeEach(async () => {
  bancada = await createTestBench()
})
afterEach(() => bancada.close())

const textos = (): string[] => bancada.disk.received.map(({ texto }) => texto)

describe('createEntrada: resent message', () => {
  it('reports its content only after the host has stored it', async () => {
    const { disk } = bancada
    const passos: string[] = []
    const ganchos = { beforeReceive: () => void passos.push('received') }
    const entrada = createInbound({
      ...{ host: createTestHost(disk, ganchos), mediaServer: createMediaServer(), unread: createUnreadMessages() },
      ...{ phoneOfLid: async () => null, self: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }) },
      ...{ isOpen: () => false, externalIdOf: async (id: string) => id, logFailure: () => undefined },
      contentArrived: (id) => void passos.push(id),
      isMissing: () => false,
    })
    const key = { remoteJid: '200000000000001@lid', id: '3A02', fromMe: false }
    entrada.reported({ key, message: { conversation: 'oi' }, messageTimestamp: 1_770_000_000 })
    await eventually(() => expect(passos).toEqual(['received', '3A02']))
    entrada.close()
  })
})

describe('createEntrada: message in the journal', () => {
  it('arrives with the right sender after a failed lookup, without a restart', async () => {
    const { ana, phone, disk } = bancada
    const primeira = await bancada.pair()
    await ana.say(phone, 'oi', { como: 'numero' })
    await eventually(() => expect(textos()).toEqual(['oi']))
    await primeira.connector.stop()
    let armada = false
    const ganchos = {
      afterWrite: (chegadas: readonly JournalEntry[]) => void (armada ||= chegadas.length > 0),
      beforeRead: async (tipo: string) => {
        if (!armada || tipo !== 'lid-mapping') return
        armada = false
        throw new Error('database down')
      },
    }
    // The failed lookup closes the connection. It stays closed for longer than the delay of the retry.
    const segunda = bancada.startProcess(ganchos, { delays: () => 5_000 })
    await segunda.connector.start()
    await segunda.host.reached('conectado')
    await ana.say(phone, 'tem rosas?', { como: 'lid-oculto' })
    await eventually(() => expect(textos()).toEqual(['oi', 'tem rosas?']))
    expect(disk.received.map(({ telefone }) => telefone)).toEqual(['5511987654321', '5511987654321'])
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('arrives after more than 30 failed lookups of its sender', async () => {
    const { disk, errors } = bancada
    const envelope = { from: '200000000000001@lid', id: '3A01', t: '1770000000', notify: 'Ana' }
    const corpo = Buffer.from(proto.Message.encode({ conversation: 'oi' }).finish())
    disk.entries.set('a', serialize({ envelope, corpo }))
    let falhas = 31
    const entrada = createInbound({
      ...{ host: createTestHost(disk), mediaServer: createMediaServer(), unread: createUnreadMessages(), retryMs: 1 },
      phoneOfLid: async () => {
        if (falhas-- > 0) throw new Error('database down')
        return '5511987654321@s.whatsapp.net'
      },
      self: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }),
      isOpen: () => false,
      contentArrived: () => undefined,
      isMissing: () => false,
      externalIdOf: async (id) => id,
      logFailure: (_, oQue) => void errors.push(oQue),
    })
    await entrada.recover()
    await eventually(() => expect(disk.received).toMatchObject([{ texto: 'oi', telefone: '5511987654321' }]))
    await eventually(() => expect(disk.entries.size).toBe(0))
    entrada.close()
  })

  it('keeps the order of messages while the host fails', async () => {
    const { ana, phone, disk } = bancada
    let falhas = 1
    await bancada.pair({
      beforeReceive: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    for (const texto of ['quero rosas', 'duas', 'vermelhas']) await ana.say(phone, texto)
    await eventually(() => expect(disk.received).toHaveLength(3))
    expect(textos()).toEqual(['quero rosas', 'duas', 'vermelhas'])
  })

  it('stays before messages of a new connection while the journal loads slowly', async () => {
    const { ana, phone, disk } = bancada
    const primeira = await bancada.pair({ beforeReceive: () => new Promise(() => {}) })
    await ana.say(phone, 'quero rosas')
    await eventually(() => expect(disk.entries.size).toBe(1))
    await primeira.connector.stop()
    await ana.say(phone, 'duas')
    const segunda = bancada.startProcess({ beforeList: () => new Promise((resolve) => setTimeout(resolve, 700)) })
    await segunda.connector.start()
    await eventually(() => expect(textos()).toHaveLength(2))
    expect(textos()).toEqual(['quero rosas', 'duas'])
  })

  it('keeps the order of one person’s messages across two addresses', async () => {
    const { ana, phone, disk } = bancada
    let falhas = 1
    await bancada.pair({
      beforeReceive: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    const id = await ana.say(phone, 'quero rosas', { como: 'lid' })
    await ana.say(phone, 'duas', { como: 'numero' })
    await eventually(() => expect(disk.received).toHaveLength(2))
    expect(disk.received[0]).toMatchObject({ id, texto: 'quero rosas' })
  })

  it('stays in the journal if the session stops during the download of its picture', async () => {
    const { ana, phone, disk } = bancada
    const armazem = await createFakeMediaServer()
    const pedida = Promise.withResolvers<void>()
    const solta = Promise.withResolvers<void>()
    const buscar = async (url: URL, init: RequestInit): Promise<Response> => {
      pedida.resolve()
      await solta.promise
      return fetch(url, { ...init, signal: null })
    }
    try {
      const primeira = await bancada.pair({}, { mediaUrl: armazem.url, fetchUrl: buscar })
      await ana.sendPicture(phone, armazem, randomBytes(1_000), 'o vaso')
      await pedida.promise
      await primeira.connector.stop()
      solta.resolve()
      // The first session has the picture, but its host is closed.
      await eventually(() => expect(disk.files).toHaveLength(1))
      const segunda = bancada.startProcess({}, { mediaUrl: armazem.url })
      await segunda.connector.start()
      await eventually(() => expect(textos()).toEqual(['o vaso']))
      await eventually(() => expect(disk.entries.size).toBe(0))
    } finally {
      await armazem.close()
    }
  })
})
