import '#remendos/index.ts'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAusentes } from '#ausentes.ts'
import { createAnfitriao, novoDisco } from './anfitriao-em-memoria.ts'
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

describe('createAusentes: message without content', () => {
  it('reports a view-once message and replaces a late one by its content', async () => {
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

  it('applies an earlier edit once the content arrives, and no change without content', async () => {
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

  it('reports the message after the wait', async () => {
    await bancada.parear({}, { ausenteMs: 20 })
    bancada.ana.falta(bancada.celular)
    await quando(() => expect(textos()).toEqual([NAO_CHEGOU]))
    await quando(() => expect([bancada.disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports a message and a call after a failed journal write', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 1
    await bancada.parear({
      antesDeGravar: (chegadas) => {
        if (chegadas.length > 0 && falhas-- > 0) throw new Error('disk full')
      },
    })
    ana.falta(celular, 'view_once')
    await quando(() => expect(textos()).toEqual([UMA_VEZ]))
    falhas = 1
    ana.desliga(celular, ana.liga(celular))
    await quando(() => expect(textos()).toEqual([UMA_VEZ, 'Ligação perdida']))
    await quando(() => expect([disco.chegadas.size, pendentes()]).toEqual([0, 0]))
  })

  it('reports the message after a restart during the wait', async () => {
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

describe('createAusentes', () => {
  it('does not count time without a connection towards the wait', async () => {
    const faltaram: string[] = []
    const ausentes = createAusentes({
      ...{ chaves: createAnfitriao(novoDisco()).chaves, esperaMs: 0 },
      faltou: ({ id }) => faltaram.push(id),
    })
    const stanza = { tag: 'message', attrs: { id: '3A', from: '1@lid' }, content: [{ tag: 'unavailable', attrs: {} }] }
    ausentes.linha(true)
    ausentes.linha(false)
    await ausentes.viu(stanza)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(faltaram).toEqual([])
    ausentes.linha(true)
    await quando(() => expect(faltaram).toEqual(['ausente 3A']))
    ausentes.fechar()
  })
})

describe('createAusentes: repeated message after a restart', () => {
  it('does not report a message that an earlier process has read', async () => {
    const { ana, celular, servidor } = bancada
    const primeira = await bancada.parear()
    servidor.falhas.engolir = ({ tag }) => tag === 'receipt'
    const id = await ana.diz(celular, 'oi')
    await quando(() => expect(textos()).toEqual(['oi']))
    await primeira.conector.stop()
    // The Signal keys for this message are already used up.
    const [aparelho] = celular.aparelhos.values()
    const pendente = aparelho?.pendentes.find(({ attrs }) => attrs.id === id)
    if (pendente === undefined) throw new Error('no pending message')
    pendente.content = [{ tag: 'enc', attrs: { v: '2', type: 'msg' }, content: randomBytes(80) }]
    const concluidas: string[] = []
    const segunda = bancada.viver({ antesDeConcluir: (qual) => void concluidas.push(qual) }, { ausenteMs: 20 })
    await segunda.conector.start()
    await quando(() => expect(concluidas).toContain(`ausente ${id}`))
    expect(textos()).toEqual(['oi'])
  })
})

describe('pessoaDe', () => {
  it('assigns messages typed on the phone to the customer, by number or LID', async () => {
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

  it('gives a business hosted by Meta the JID of its phone', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    await ana.diz(celular, 'sou uma loja', { como: 'numero', attrs: { from: '5511987654321:99@hosted' } })
    await quando(() => expect(disco.recebidas).toMatchObject([{ endereco: '5511987654321@s.whatsapp.net' }]))
  })
})
