import '#remendos/index.ts'
import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cifrarMidia } from '#cifra-de-midia.ts'
import { type Bancada, createBancada, novaMensagem } from './bancada.ts'
import { type ArmazemFalso, createArmazemFalso } from './rede-falsa/armazem.ts'
import { quando } from './quando.ts'

let bancada: Bancada
let armazem: ArmazemFalso

beforeEach(async () => {
  bancada = await createBancada()
  armazem = await createArmazemFalso()
})
afterEach(async () => {
  await bancada.fechar()
  await armazem.fechar()
})

const FOTO = randomBytes(50_000)
const LID_DA_ANA = '200000000000001@lid'

async function foto(bytes: Buffer, directPath: string): Promise<proto.IMessage> {
  const { corpo, ...chaves } = await cifrarMidia(bytes, 'image')
  armazem.arquivos.set(directPath, corpo)
  return {
    imageMessage: { ...chaves, directPath, mimetype: 'image/jpeg', caption: 'o vaso', fileLength: bytes.length },
  }
}

const parear = () => bancada.parear({}, { midiaUrl: armazem.url })

describe('baixarMidia', () => {
  it('downloads a picture with one retry and keeps the order of later messages', async () => {
    const { ana, celular, disco } = bancada
    await parear()
    armazem.falhas = 1
    await ana.fotografa(celular, armazem, FOTO, 'o vaso')
    await ana.diz(celular, 'gostou?')
    await quando(() => expect(disco.recebidas).toHaveLength(2))
    expect(disco.recebidas.map(({ texto }) => texto)).toEqual(['o vaso', 'gostou?'])
    expect(disco.recebidas[0]?.midia).toMatchObject({ tipo: 'imagem', url: '/arquivo/0' })
    expect(disco.arquivos[0]?.equals(FOTO)).toBe(true)
  })

  it.each([
    ['deleted', '/v/nunca.enc'],
    ['on another host', 'https://evil.test/foto.enc'],
    ['on a host without protocol', '//evil.test/foto.enc'],
    ['on a host behind a backslash', '/\\evil.test/foto.enc'],
  ])('stores the message without a file if the file is %s', async (_nome, directPath) => {
    const { ana, celular, disco } = bancada
    await parear()
    const { imageMessage } = await foto(FOTO, '/v/foto.enc')
    await ana.enviar(celular, { imageMessage: { ...imageMessage, directPath, url: 'https://evil.test/x' } })
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    expect(disco.recebidas[0]).toMatchObject({ texto: 'o vaso', midia: { tipo: 'imagem' } })
    expect(disco.recebidas[0]?.midia?.url).toBeUndefined()
    expect(armazem.pedidos.filter((pedido) => pedido.includes('evil'))).toEqual([])
  })

  it('stores the message without a file if it is too big or altered', async () => {
    const { ana, celular, disco } = bancada
    await parear()
    await ana.enviar(celular, await foto(Buffer.alloc(6 * 1024 * 1024), '/v/grande.enc'))
    const trocada = await foto(FOTO, '/v/trocada.enc')
    armazem.arquivos.get('/v/trocada.enc')?.fill(0, 100, 200)
    await ana.enviar(celular, trocada)
    await quando(() => expect(disco.recebidas).toHaveLength(2))
    expect(disco.recebidas.map(({ midia }) => midia?.url)).toEqual([undefined, undefined])
    expect(disco.arquivos).toEqual([])
  })
})

describe('montarMensagem', () => {
  it('uploads an encrypted file that the customer can decrypt', async () => {
    const { ana, disco } = bancada
    const { conector } = await parear()
    disco.arquivos.push(FOTO)
    const midia = { tipo: 'imagem', url: '/arquivo/0', mimeType: 'image/jpeg' } as const
    await conector.send({ ...novaMensagem(LID_DA_ANA, 'este?'), midia })
    const { imageMessage } = (await ana.nesima(1)).mensagem
    expect(imageMessage).toMatchObject({ caption: 'este?', mimetype: 'image/jpeg' })
    expect(armazem.arquivos.get(imageMessage?.directPath ?? '')?.includes(FOTO.subarray(0, 64))).toBe(false)
    expect((await ana.abrir(armazem, await ana.nesima(1))).equals(FOTO)).toBe(true)
  })

  it('sends the text if the file was deleted, and rejects a message without text', async () => {
    const { conector } = await parear()
    const midia = { tipo: 'imagem', url: '/arquivo/9' } as const
    await expect(conector.send({ ...novaMensagem(LID_DA_ANA, ''), midia })).rejects.toThrow('não existe mais')
    await conector.send({ ...novaMensagem(LID_DA_ANA, 'sem foto'), midia })
    expect(await bancada.ana.nesima(1)).toMatchObject({ texto: 'sem foto' })
  })
})
