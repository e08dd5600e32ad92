import '#patches/index.ts'
import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JournalEntry } from '@balcao/connector/port'
import { createMediaServer } from '#outbound/media-server.ts'
import { serialize } from '#socket/credentials.ts'
import { Inbound } from '#inbound/inbound.ts'
import { createTestHost } from './memory-host.ts'
import { type TestBench, createTestBench } from './bench.ts'
import { createFakeMediaServer } from '#test/rede-falsa/media-server.ts'
import { eventually } from './eventually.ts'

let bench: TestBench

beforeEach(async () => {
  bench = await createTestBench()
})
afterEach(() => bench.close())

const texts = (): string[] => bench.disk.received.map(({ texto }) => texto)

describe('Inbound: resent message', () => {
  it('reports its content only after the host has stored it', async () => {
    const { disk } = bench
    const steps: string[] = []
    const ganchos = { beforeReceive: () => void steps.push('received') }
    const session = new AbortController()
    const input = new Inbound({
      ...{ host: createTestHost(disk, ganchos), mediaServer: createMediaServer(), ended: session.signal },
      ...{ phoneOfLid: async () => null, self: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }) },
      ...{ isOpen: () => false, externalIdOf: async (id: string) => id, logFailure: () => undefined },
      contentArrived: (id) => void steps.push(id),
      isMissing: () => false,
    })
    const key = { remoteJid: '200000000000001@lid', id: '3A02', fromMe: false }
    input.reported({ key, message: { conversation: 'oi' }, messageTimestamp: 1_770_000_000 })
    await eventually(() => expect(steps).toEqual(['received', '3A02']))
    session.abort()
  })
})

describe('Inbound: message in the journal', () => {
  it('arrives with the right sender after a failed lookup, without a restart', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair()
    await ana.say(phone, 'oi', { como: 'numero' })
    await eventually(() => expect(texts()).toEqual(['oi']))
    await first.connector.stop()
    let armed = false
    const ganchos = {
      afterWrite: (arrivals: readonly JournalEntry[]) => void (armed ||= arrivals.length > 0),
      beforeRead: async (tipo: string) => {
        if (!armed || tipo !== 'lid-mapping') return
        armed = false
        throw new Error('database down')
      },
    }
    // The failed lookup closes the connection. It stays closed for longer than the delay of the retry.
    const second = bench.startProcess(ganchos, { delays: () => 5_000 })
    await second.connector.start()
    await second.host.reached('conectado')
    await ana.say(phone, 'tem rosas?', { como: 'lid-oculto' })
    await eventually(() => expect(texts()).toEqual(['oi', 'tem rosas?']))
    expect(disk.received.map(({ telefone }) => telefone)).toEqual(['5511987654321', '5511987654321'])
    await eventually(() => expect(disk.entries.size).toBe(0))
  })

  it('arrives after more than 30 failed lookups of its sender', async () => {
    const { disk, errors } = bench
    const envelope = { from: '200000000000001@lid', id: '3A01', t: '1770000000', notify: 'Ana' }
    const corpo = Buffer.from(proto.Message.encode({ conversation: 'oi' }).finish())
    disk.entries.set('a', serialize({ envelope, corpo }))
    let failures = 31
    const session = new AbortController()
    const input = new Inbound({
      ...{ host: createTestHost(disk), mediaServer: createMediaServer(), ended: session.signal, retryMs: 1 },
      phoneOfLid: async () => {
        if (failures-- > 0) throw new Error('database down')
        return '5511987654321@s.whatsapp.net'
      },
      self: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }),
      isOpen: () => false,
      contentArrived: () => undefined,
      isMissing: () => false,
      externalIdOf: async (id) => id,
      logFailure: (_, oQue) => void errors.push(oQue),
    })
    await input.recover()
    await eventually(() => expect(disk.received).toMatchObject([{ texto: 'oi', telefone: '5511987654321' }]))
    await eventually(() => expect(disk.entries.size).toBe(0))
    session.abort()
  })

  it('keeps the order of messages while the host fails', async () => {
    const { ana, phone, disk } = bench
    let allArrived = false
    await bench.pair({
      beforeReceive: () => {
        allArrived ||= disk.entries.size === 3
        if (!allArrived) throw new Error('database down')
      },
    })
    for (const text of ['quero rosas', 'duas', 'vermelhas']) await ana.say(phone, text)
    await eventually(() => expect(disk.received).toHaveLength(3))
    expect(texts()).toEqual(['quero rosas', 'duas', 'vermelhas'])
  })

  it('stays before messages of a new connection while the journal loads slowly', async () => {
    const { ana, phone, disk } = bench
    const first = await bench.pair({ beforeReceive: () => new Promise(() => {}) })
    await ana.say(phone, 'quero rosas')
    await eventually(() => expect(disk.entries.size).toBe(1))
    await first.connector.stop()
    await ana.say(phone, 'duas')
    const second = bench.startProcess({ beforeList: () => new Promise((resolve) => setTimeout(resolve, 700)) })
    await second.connector.start()
    await eventually(() => expect(texts()).toHaveLength(2))
    expect(texts()).toEqual(['quero rosas', 'duas'])
  })

  it('keeps the order of one person’s messages across two addresses', async () => {
    const { ana, phone, disk } = bench
    let bothArrived = false
    await bench.pair({
      beforeReceive: () => {
        bothArrived ||= disk.entries.size === 2
        if (!bothArrived) throw new Error('database down')
      },
    })
    const id = await ana.say(phone, 'quero rosas', { como: 'lid' })
    await ana.say(phone, 'duas', { como: 'numero' })
    await eventually(() => expect(disk.received).toHaveLength(2))
    expect(disk.received[0]).toMatchObject({ id, texto: 'quero rosas' })
  })

  it('stays in the journal if the session stops during the download of its picture', async () => {
    const { ana, phone, disk } = bench
    const store = await createFakeMediaServer()
    const requested = Promise.withResolvers<void>()
    const loose = Promise.withResolvers<void>()
    const buscar = async (url: URL, init: RequestInit): Promise<Response> => {
      requested.resolve()
      await loose.promise
      return fetch(url, { ...init, signal: null })
    }
    try {
      const first = await bench.pair({}, { mediaUrl: store.url, fetchUrl: buscar })
      await ana.sendPicture(phone, store, randomBytes(1_000), 'o vaso')
      await requested.promise
      await first.connector.stop()
      loose.resolve()
      // The first session has the picture, but its host is closed.
      await eventually(() => expect(disk.files).toHaveLength(1))
      const second = bench.startProcess({}, { mediaUrl: store.url })
      await second.connector.start()
      await eventually(() => expect(texts()).toEqual(['o vaso']))
      await eventually(() => expect(disk.entries.size).toBe(0))
    } finally {
      await store.close()
    }
  })
})
