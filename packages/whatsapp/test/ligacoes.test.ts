import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bancada, createBancada } from './bancada.ts'
import { quando } from './quando.ts'

let bancada: Bancada

beforeEach(async () => {
  bancada = await createBancada()
})
afterEach(() => bancada.fechar())

const pendentes = (): number =>
  [...bancada.celular.aparelhos.values()].reduce((soma, aparelho) => soma + aparelho.pendentes.length, 0)
const chegaram = (quantas: number) => quando(() => expect(bancada.disco.recebidas).toHaveLength(quantas))

describe('createLigacoes', () => {
  it('reports a missed call once with its own id and ignores an answered call', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    ana.desliga(celular, ana.liga(celular), 'accepted_elsewhere')
    const id = ana.liga(celular)
    ana.liga(celular, { id })
    ana.desliga(celular, id)
    ana.desliga(celular, ana.liga(celular, { video: true }), 'timeout')
    await chegaram(2)
    expect(disco.recebidas).toMatchObject([
      {
        ...{ id: `ligacao:${id}`, ligacao: 'voz', texto: 'Ligação perdida', deMim: false },
        ...{ endereco: '200000000000001@lid', telefone: '5511987654321' },
        outrosEnderecos: ['5511987654321@s.whatsapp.net'],
      },
      { ligacao: 'video', texto: 'Ligação de vídeo perdida' },
    ])
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports a call without an end stanza after the ringing time', async () => {
    const { ana, celular } = bancada
    await bancada.parear({}, { toqueMs: 20 })
    ana.liga(celular)
    await chegaram(1)
  })

  it('reports a ringing call after a restart', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    const id = ana.liga(celular)
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([1, 0]))
    await primeira.conector.stop()
    expect(disco.recebidas).toEqual([])
    const segunda = bancada.viver()
    await segunda.conector.start()
    await segunda.host.ate('conectado')
    ana.desliga(celular, id)
    await chegaram(1)
    await ana.diz(celular, 'ligo depois')
    await chegaram(2)
    expect(disco.recebidas.map(({ texto }) => texto)).toEqual(['Ligação perdida', 'ligo depois'])
  })

  it('does not report an answered call when the store fails', async () => {
    const { ana, celular, disco, servidor } = bancada
    let falhou = false
    await bancada.parear({
      antesDeConcluir: () => {
        if (falhou) return
        falhou = true
        throw new Error('database down')
      },
    })
    ana.desliga(celular, ana.liga(celular), 'accepted_elsewhere')
    await quando(() => expect(falhou).toBe(true))
    // The stanza was not acknowledged, so the server repeats it on the next connection.
    servidor.cortarTudo()
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
    expect(disco.recebidas).toEqual([])
  })

  it('does not acknowledge a call that could not be stored, and stores its repetition', async () => {
    const { ana, celular, servidor, disco } = bancada
    let cheio = true
    await bancada.parear({
      antesDeGravar: (chegadas) => {
        if (cheio && chegadas.length > 0) throw new Error('disk full')
      },
    })
    const id = ana.liga(celular)
    await ana.diz(celular, 'oi')
    // The failed message closed the connection, so call and message wait at the server.
    cheio = false
    servidor.cortarTudo()
    await quando(() => expect(disco.recebidas.map(({ texto }) => texto)).toContain('oi'))
    await quando(() => expect(disco.chegadas.has(`ligacao ${id}`)).toBe(true))
    ana.desliga(celular, id)
    await chegaram(2)
  })
})
