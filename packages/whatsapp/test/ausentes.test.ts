import { randomBytes } from 'node:crypto'
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
const textos = () => bancada.disco.recebidas.map(({ texto }) => texto)
const UMA_VEZ = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
const NAO_CHEGOU = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

describe('a message that comes without its words', () => {
  it('is told when they may be seen once, and is itself when they come later', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    const unica = ana.falta(celular, 'view_once')
    await quando(() => expect(textos()).toEqual([UMA_VEZ]))
    expect(disco.recebidas[0]).toMatchObject({
      ...{ id: `ausente:${unica}`, telefone: '5511987654321', nome: 'Ana', deMim: false, midia: { tipo: 'outro' } },
      ...{ endereco: '200000000000001@lid', outrosEnderecos: ['5511987654321@s.whatsapp.net'] },
    })
    const atrasada = ana.falta(celular)
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([1, 0]))
    await ana.diz(celular, 'vi o anúncio', { id: atrasada })
    await quando(() => expect(textos()).toEqual([UMA_VEZ, 'vi o anúncio']))
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('is changed when its words are here, by what was done to it before, and by nothing when they do not come', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    const [vem, nunca] = [ana.falta(celular), ana.falta(celular)]
    await ana.edita(celular, vem, 'vi o anúncio hoje')
    await ana.apaga(celular, nunca)
    await ana.diz(celular, 'oi')
    await quando(() => expect(textos()).toEqual(['oi']))
    expect(disco.alteracoes).toEqual([])
    await ana.diz(celular, 'vi o anúncio', { id: vem })
    await quando(() => expect(disco.alteracoes).toMatchObject([{ alvo: vem, mudanca: { texto: 'vi o anúncio hoje' } }]))
    await primeira.conector.stop()
    await bancada.viver({}, { ausenteMs: 20 }).conector.start()
    await quando(() => expect(textos()).toEqual(['oi', 'vi o anúncio', NAO_CHEGOU]))
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
    expect(disco.alteracoes).toHaveLength(1)
  })

  it('is told when they do not come', async () => {
    await bancada.parear({}, { ausenteMs: 20 })
    bancada.ana.falta(bancada.celular)
    await quando(() => expect(textos()).toEqual([NAO_CHEGOU]))
    await quando(() => expect([bancada.disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('is told although it could not be kept the first time', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 1
    await bancada.parear({
      antesDeGravar: (chegadas) => {
        if (chegadas.length > 0 && falhas-- > 0) throw new Error('the disk is full')
      },
    })
    ana.falta(celular, 'view_once')
    await quando(() => expect(textos()).toEqual([UMA_VEZ]))
    falhas = 1
    ana.desliga(celular, ana.liga(celular))
    await quando(() => expect(textos()).toEqual([UMA_VEZ, 'Ligação perdida']))
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('is not lost by a process that dies while it waits for them', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    ana.falta(celular)
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([1, 0]))
    await primeira.conector.stop()
    expect(textos()).toEqual([])
    await bancada.viver({}, { ausenteMs: 20 }).conector.start()
    await quando(() => expect(textos()).toEqual([NAO_CHEGOU]))
  })
})

describe('a message that comes again to a new process', () => {
  it('is told of to nobody as missing when it was read before', async () => {
    const { ana, celular, servidor } = bancada
    const primeira = await bancada.parear()
    servidor.falhas.engolir = ({ tag }) => tag === 'receipt'
    const id = await ana.diz(celular, 'oi')
    await quando(() => expect(textos()).toEqual(['oi']))
    await primeira.conector.stop()
    // The keys that it was written with are gone by now.
    const [aparelho] = celular.aparelhos.values()
    const pendente = aparelho?.pendentes.find(({ attrs }) => attrs.id === id)
    if (pendente === undefined) throw new Error('nothing waits')
    pendente.content = [{ tag: 'enc', attrs: { v: '2', type: 'msg' }, content: randomBytes(80) }]
    const concluidas: string[] = []
    const segunda = bancada.viver({ antesDeConcluir: (qual) => void concluidas.push(qual) }, { ausenteMs: 20 })
    await segunda.conector.start()
    await quando(() => expect(concluidas).toContain(`ausente ${id}`))
    expect(textos()).toEqual(['oi'])
  })
})

describe('who a message is of', () => {
  it('that was typed on the phone: the customer by either address, and never the owner', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    await celular.digitar(ana, 'pelo número', 'numero')
    await celular.digitar(ana, 'pelo LID', 'lid')
    await celular.digitar(celular, 'nota para mim')
    await ana.diz(celular, 'oi', { como: 'lid-oculto' })
    await quando(() => expect(textos()).toEqual(['pelo número', 'pelo LID', 'oi']))
    const [numero, lid] = ['5511987654321@s.whatsapp.net', '200000000000001@lid']
    expect(disco.recebidas).toMatchObject([
      { endereco: numero, outrosEnderecos: [lid], deMim: true },
      { endereco: lid, outrosEnderecos: [numero], deMim: true },
      { endereco: lid, outrosEnderecos: [numero], telefone: '5511987654321', deMim: false },
    ])
  })

  it('of a business at Meta’s is the same as on its phone', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    await ana.diz(celular, 'sou uma loja', { como: 'numero', attrs: { from: '5511987654321:99@hosted' } })
    await quando(() => expect(disco.recebidas).toMatchObject([{ endereco: '5511987654321@s.whatsapp.net' }]))
  })
})
