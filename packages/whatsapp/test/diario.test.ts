import '#remendos/index.ts'
import { randomBytes } from 'node:crypto'
import { proto } from 'baileys'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Chegada } from '#anfitriao.ts'
import { createArmazem } from '#armazem.ts'
import { emTexto } from '#credenciais.ts'
import { createEntrada } from '#entrada.ts'
import { createNaoLidas } from '#nao-lidas.ts'
import { createAnfitriao } from './anfitriao-em-memoria.ts'
import { type Bancada, createBancada } from './bancada.ts'
import { createArmazemFalso } from './rede-falsa/armazem.ts'
import { quando } from './quando.ts'

let bancada: Bancada

beforeEach(async () => {
  bancada = await createBancada()
})
afterEach(() => bancada.fechar())

const textos = (): string[] => bancada.disco.recebidas.map(({ texto }) => texto)

describe('createEntrada: resent message', () => {
  it('reports its content only after the host has stored it', async () => {
    const { disco } = bancada
    const passos: string[] = []
    const ganchos = { antesDeReceber: () => void passos.push('received') }
    const entrada = createEntrada({
      ...{ host: createAnfitriao(disco, ganchos), armazem: createArmazem(), lidas: createNaoLidas() },
      ...{ numeroDoLid: async () => null, eu: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }) },
      ...{ andando: () => false, idExternoDe: async (id: string) => id, registrar: () => undefined },
      apareceu: (id) => void passos.push(id),
      falta: () => false,
    })
    const key = { remoteJid: '200000000000001@lid', id: '3A02', fromMe: false }
    entrada.contada({ key, message: { conversation: 'oi' }, messageTimestamp: 1_770_000_000 })
    await quando(() => expect(passos).toEqual(['received', '3A02']))
    entrada.fechar()
  })
})

describe('createEntrada: message in the journal', () => {
  it('arrives with the right sender after a failed lookup, without a restart', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    await ana.diz(celular, 'oi', { como: 'numero' })
    await quando(() => expect(textos()).toEqual(['oi']))
    await primeira.conector.stop()
    let armada = false
    const ganchos = {
      depoisDeGravar: (chegadas: readonly Chegada[]) => void (armada ||= chegadas.length > 0),
      antesDeLer: async (tipo: string) => {
        if (!armada || tipo !== 'lid-mapping') return
        armada = false
        throw new Error('database down')
      },
    }
    // The failed lookup closes the connection. It stays closed for longer than the delay of the retry.
    const segunda = bancada.viver(ganchos, { esperas: () => 5_000 })
    await segunda.conector.start()
    await segunda.host.ate('conectado')
    await ana.diz(celular, 'tem rosas?', { como: 'lid-oculto' })
    await quando(() => expect(textos()).toEqual(['oi', 'tem rosas?']))
    expect(disco.recebidas.map(({ telefone }) => telefone)).toEqual(['5511987654321', '5511987654321'])
    await quando(() => expect(disco.chegadas.size).toBe(0))
  })

  it('arrives after more than 30 failed lookups of its sender', async () => {
    const { disco, erros } = bancada
    const envelope = { from: '200000000000001@lid', id: '3A01', t: '1770000000', notify: 'Ana' }
    const corpo = Buffer.from(proto.Message.encode({ conversation: 'oi' }).finish())
    disco.chegadas.set('a', emTexto({ envelope, corpo }))
    let falhas = 31
    const entrada = createEntrada({
      ...{ host: createAnfitriao(disco), armazem: createArmazem(), lidas: createNaoLidas(), esperaMs: 1 },
      numeroDoLid: async () => {
        if (falhas-- > 0) throw new Error('database down')
        return '5511987654321@s.whatsapp.net'
      },
      eu: () => ({ jid: '5511990000001:1@s.whatsapp.net', lid: '' }),
      andando: () => false,
      apareceu: () => undefined,
      falta: () => false,
      idExternoDe: async (id) => id,
      registrar: (_, oQue) => void erros.push(oQue),
    })
    await entrada.recuperar()
    await quando(() => expect(disco.recebidas).toMatchObject([{ texto: 'oi', telefone: '5511987654321' }]))
    await quando(() => expect(disco.chegadas.size).toBe(0))
    entrada.fechar()
  })

  it('keeps the order of messages while the host fails', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 1
    await bancada.parear({
      antesDeReceber: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    for (const texto of ['quero rosas', 'duas', 'vermelhas']) await ana.diz(celular, texto)
    await quando(() => expect(disco.recebidas).toHaveLength(3))
    expect(textos()).toEqual(['quero rosas', 'duas', 'vermelhas'])
  })

  it('stays before messages of a new connection while the journal loads slowly', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear({ antesDeReceber: () => new Promise(() => {}) })
    await ana.diz(celular, 'quero rosas')
    await quando(() => expect(disco.chegadas.size).toBe(1))
    await primeira.conector.stop()
    await ana.diz(celular, 'duas')
    const segunda = bancada.viver({ antesDeListar: () => new Promise((resolve) => setTimeout(resolve, 700)) })
    await segunda.conector.start()
    await quando(() => expect(textos()).toHaveLength(2))
    expect(textos()).toEqual(['quero rosas', 'duas'])
  })

  it('keeps the order of one person’s messages across two addresses', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 1
    await bancada.parear({
      antesDeReceber: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    const id = await ana.diz(celular, 'quero rosas', { como: 'lid' })
    await ana.diz(celular, 'duas', { como: 'numero' })
    await quando(() => expect(disco.recebidas).toHaveLength(2))
    expect(disco.recebidas[0]).toMatchObject({ id, texto: 'quero rosas' })
  })

  it('stays in the journal if the session stops during the download of its picture', async () => {
    const { ana, celular, disco } = bancada
    const armazem = await createArmazemFalso()
    const pedida = Promise.withResolvers<void>()
    const solta = Promise.withResolvers<void>()
    const buscar = async (url: URL, init: RequestInit): Promise<Response> => {
      pedida.resolve()
      await solta.promise
      return fetch(url, { ...init, signal: null })
    }
    try {
      const primeira = await bancada.parear({}, { midiaUrl: armazem.url, buscar })
      await ana.fotografa(celular, armazem, randomBytes(1_000), 'o vaso')
      await pedida.promise
      await primeira.conector.stop()
      solta.resolve()
      // The first session has the picture, but its host is closed.
      await quando(() => expect(disco.arquivos).toHaveLength(1))
      const segunda = bancada.viver({}, { midiaUrl: armazem.url })
      await segunda.conector.start()
      await quando(() => expect(textos()).toEqual(['o vaso']))
      await quando(() => expect(disco.chegadas.size).toBe(0))
    } finally {
      await armazem.fechar()
    }
  })
})
