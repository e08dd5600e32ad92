import '#patches/index.ts'
import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encryptMedia } from '#outbound/media-cipher.ts'
import { type TestBench, createTestBench, newMessage } from './bench.ts'
import { type FakeMediaServer, createFakeMediaServer } from '#test/rede-falsa/media-server.ts'
import { eventually } from './eventually.ts'

let bench: TestBench
let store: FakeMediaServer

beforeEach(async () => {
  bench = await createTestBench()
  store = await createFakeMediaServer()
})
afterEach(async () => {
  await bench.close()
  await store.close()
})

const FOTO = randomBytes(50_000)
const LID_DA_ANA = '200000000000001@lid'

async function foto(bytes: Buffer, directPath: string): Promise<proto.IMessage> {
  const { body, ...keys } = await encryptMedia(bytes, 'image')
  store.files.set(directPath, body)
  return {
    imageMessage: { ...keys, directPath, mimetype: 'image/jpeg', caption: 'o vaso', fileLength: bytes.length },
  }
}

const parear = () => bench.pair({}, { mediaUrl: store.url })

describe('downloadMedia', () => {
  it('downloads a picture with one retry and keeps the order of later messages', async () => {
    const { ana, phone, disk } = bench
    await parear()
    store.failures = 1
    await ana.sendPicture(phone, store, FOTO, 'o vaso')
    await ana.say(phone, 'gostou?')
    await eventually(() => expect(disk.received).toHaveLength(2))
    expect(disk.received.map(({ texto }) => texto)).toEqual(['o vaso', 'gostou?'])
    expect(disk.received[0]?.midia).toMatchObject({ tipo: 'imagem', url: '/arquivo/0' })
    expect(disk.files[0]?.equals(FOTO)).toBe(true)
  })

  it.each([
    ['deleted', '/v/nunca.enc'],
    ['on another host', 'https://evil.test/foto.enc'],
    ['on a host without protocol', '//evil.test/foto.enc'],
    ['on a host behind a backslash', '/\\evil.test/foto.enc'],
  ])('stores the message without a file if the file is %s', async (_nome, directPath) => {
    const { ana, phone, disk } = bench
    await parear()
    const { imageMessage } = await foto(FOTO, '/v/foto.enc')
    await ana.send(phone, { imageMessage: { ...imageMessage, directPath, url: 'https://evil.test/x' } })
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]).toMatchObject({ texto: 'o vaso', midia: { tipo: 'imagem' } })
    expect(disk.received[0]?.midia?.url).toBeUndefined()
    expect(store.requests.filter((request) => request.includes('evil'))).toEqual([])
  })

  it('stores the file when the storage fails twice', async () => {
    const { ana, phone, disk } = bench
    let failures = 2
    const beforeStoreMedia = (): void => {
      failures -= 1
      if (failures >= 0) throw new Error('storage unavailable')
    }
    await bench.pair({ beforeStoreMedia }, { mediaUrl: store.url, retryMs: 1 })
    await ana.sendPicture(phone, store, FOTO, 'o vaso')
    await eventually(() => expect(disk.received).toHaveLength(1))
    expect(disk.received[0]?.midia).toMatchObject({ tipo: 'imagem', url: '/arquivo/0' })
    expect(disk.files[0]?.equals(FOTO)).toBe(true)
  })

  it('stores the message without a file if it is too big or altered', async () => {
    const { ana, phone, disk } = bench
    await parear()
    await ana.send(phone, await foto(Buffer.alloc(6 * 1024 * 1024), '/v/grande.enc'))
    const trocada = await foto(FOTO, '/v/trocada.enc')
    store.files.get('/v/trocada.enc')?.fill(0, 100, 200)
    await ana.send(phone, trocada)
    await eventually(() => expect(disk.received).toHaveLength(2))
    expect(disk.received.map(({ midia }) => midia?.url)).toEqual([undefined, undefined])
    expect(disk.files).toEqual([])
  })
})

describe('buildWireMessage', () => {
  it('uploads an encrypted file that the customer can decrypt', async () => {
    const { ana, disk } = bench
    const { connector } = await parear()
    disk.files.push(FOTO)
    const midia = { tipo: 'imagem', url: '/arquivo/0', mimeType: 'image/jpeg' } as const
    await connector.send({ ...newMessage(LID_DA_ANA, 'este?'), midia })
    const { imageMessage } = (await ana.nth(1)).message
    expect(imageMessage).toMatchObject({ caption: 'este?', mimetype: 'image/jpeg' })
    expect(store.files.get(imageMessage?.directPath ?? '')?.includes(FOTO.subarray(0, 64))).toBe(false)
    expect((await ana.openPicture(store, await ana.nth(1))).equals(FOTO)).toBe(true)
  })

  it('sends the text if the file was deleted, and rejects a message without text', async () => {
    const { connector } = await parear()
    const midia = { tipo: 'imagem', url: '/arquivo/9' } as const
    await expect(connector.send({ ...newMessage(LID_DA_ANA, ''), midia })).rejects.toThrow('não existe mais')
    await connector.send({ ...newMessage(LID_DA_ANA, 'sem foto'), midia })
    expect(await bench.ana.nth(1)).toMatchObject({ text: 'sem foto' })
  })
})
