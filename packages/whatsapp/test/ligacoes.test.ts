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

describe('a call', () => {
  it('that nobody takes is told once it is over, by its own id, and one that somebody took is not', async () => {
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

  it('whose end nobody tells is over by itself', async () => {
    const { ana, celular } = bancada
    await bancada.parear({}, { toqueMs: 20 })
    ana.liga(celular)
    await chegaram(1)
  })

  it('is not lost by a process that dies while it rings', async () => {
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

  it('that somebody took is not told as lost because the store failed just then', async () => {
    const { ana, celular, disco, servidor } = bancada
    let falhou = false
    await bancada.parear({
      antesDeConcluir: () => {
        if (falhou) return
        falhou = true
        throw new Error('no database')
      },
    })
    ana.desliga(celular, ana.liga(celular), 'accepted_elsewhere')
    await quando(() => expect(falhou).toBe(true))
    // It was not acknowledged: it comes again on the next line.
    servidor.cortarTudo()
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
    expect(disco.recebidas).toEqual([])
  })

  it('that cannot be kept is not acknowledged, and comes again', async () => {
    const { ana, celular, servidor, disco } = bancada
    let cheio = true
    await bancada.parear({
      antesDeGravar: (chegadas) => {
        if (cheio && chegadas.length > 0) throw new Error('the disk is full')
      },
    })
    const id = ana.liga(celular)
    await ana.diz(celular, 'oi')
    // The message could not be kept either, and closed the line: all of it waits at the server's.
    cheio = false
    servidor.cortarTudo()
    await quando(() => expect(disco.recebidas.map(({ texto }) => texto)).toContain('oi'))
    await quando(() => expect(disco.chegadas.has(`ligacao ${id}`)).toBe(true))
    ana.desliga(celular, id)
    await chegaram(2)
  })
})
