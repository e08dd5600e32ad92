import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Adiada, Recusada } from '#anfitriao.ts'
import { type Bancada, createBancada, novaMensagem } from './bancada.ts'
import { createCelular, createCliente, type ServidorFalso } from './rede-falsa/index.ts'
import { filho, filhos } from './rede-falsa/stanza.ts'
import { quando, quandoSair } from './quando.ts'

let bancada: Bancada

beforeEach(async () => {
  bancada = await createBancada()
})
afterEach(() => bancada.fechar())

const LID_DA_ANA = '200000000000001@lid'

describe('createSessao: pairing', () => {
  it('shows each QR code and ends the session after the last one', async () => {
    const { host, conector } = bancada.viver({}, { qrMs: 60 })
    await conector.start()
    expect(await host.ate('encerrado')).toEqual({ tipo: 'encerrado', status: 'PARADO', motivo: 'qrExpirado' })
    const codigos = host.estados.flatMap((estado) => (estado.tipo === 'pareando' ? [estado.qrCode] : []))
    expect(new Set(codigos).size).toBe(3)
    expect(bancada.disco.credenciais).toBeNull()
  })

  it('reports the paired account and reconnects without a new scan', async () => {
    const primeira = await bancada.parear()
    expect(await primeira.host.ate('conectado')).toEqual({ tipo: 'conectado', como: 'Floricultura' })
    await primeira.conector.stop()
    const segunda = bancada.viver()
    await segunda.conector.start()
    await segunda.host.ate('conectado')
    expect(segunda.host.estados.map(({ tipo }) => tipo)).toEqual(['conectando', 'conectado'])
  })

  it('pairs by the typed code and refuses a wrong code', async () => {
    const { celular, disco } = bancada
    const { host, conector } = bancada.viver({}, { qrMs: 60_000 })
    expect(await conector.codigo(celular.numero)).toBeNull()
    await conector.start()
    await host.ate('pareando')
    await expect(conector.codigo('5511000000000')).rejects.toBeInstanceOf(Recusada)
    bancada.servidor.falhas.recusarCodigo = '429'
    await expect(conector.codigo(celular.numero)).rejects.toThrow('pedidos demais')
    bancada.servidor.falhas.recusarCodigo = '500'
    await expect(conector.codigo(celular.numero)).rejects.toThrow('não gerou o código agora')
    bancada.servidor.falhas.recusarCodigo = undefined
    const pedido = await conector.codigo(celular.numero)
    expect(pedido?.codigo).toMatch(/^[1-9A-Z]{8}$/)
    // Three QR codes of a minute each.
    expect(pedido?.expiraEm.getTime()).toBeGreaterThan(Date.now() + 150_000)
    await expect(celular.digitarCodigo('AAAA1111')).rejects.toThrow()
    expect(disco.credenciais).toBeNull()
    await celular.digitarCodigo(pedido?.codigo ?? '')
    expect(await host.ate('conectado')).toEqual({ tipo: 'conectado', como: 'Floricultura' })
    expect(await conector.codigo(celular.numero)).toBeNull()
    await conector.stop()
    const segunda = bancada.viver()
    await segunda.conector.start()
    await segunda.host.ate('conectado')
  })

  it('finds an account whose number has no ninth digit', async () => {
    const antigo = createCelular(bancada.servidor, { numero: '553187654321', lid: '100000000000002', nome: 'Padaria' })
    const { host, conector } = bancada.viver()
    await conector.start()
    await host.ate('pareando')
    await expect(conector.codigo('553133334444')).rejects.toThrow('não aceitou este número')
    const pedido = await conector.codigo('5531987654321')
    await antigo.digitarCodigo(pedido?.codigo ?? '')
    expect(await host.ate('conectado')).toEqual({ tipo: 'conectado', como: 'Padaria' })
  })

  it('renews the secret in the QR code on screen and in later codes', async () => {
    const { celular, servidor } = bancada
    const { host, conector } = bancada.viver({}, { qrMs: 2_000 })
    const codigos = () =>
      host.estados.flatMap((estado) => {
        if (estado.tipo !== 'pareando') return []
        const [ref = '', , , segredo = ''] = estado.qrCode.split('#').at(-1)?.split(',') ?? []
        return [{ ref, segredo, expiraEm: estado.expiraEm }]
      })
    await conector.start()
    await host.ate('pareando')
    await servidor.pareamento.renovar()
    const [antiga, nova] = codigos()
    expect(nova).toMatchObject({ ref: antiga?.ref, expiraEm: antiga?.expiraEm })
    expect(nova?.segredo).not.toBe(antiga?.segredo)
    await quando(() => expect(codigos()[2]).toMatchObject({ segredo: nova?.segredo }))
    const emCartaz = host.estados.findLast((estado) => estado.tipo === 'pareando')
    await celular.escanear(emCartaz?.qrCode ?? '')
    await host.ate('conectado')
  })

  it.each(['scans a code', 'types a code'])('ends with a passkey error when the owner %s', async (como) => {
    const { celular, servidor, disco } = bancada
    servidor.falhas.exigirChave = true
    const { host, conector } = bancada.viver()
    await conector.start()
    const { qrCode } = await host.ate('pareando')
    const codigo = como === 'types a code' ? await conector.codigo(celular.numero) : null
    await expect(codigo === null ? celular.escanear(qrCode) : celular.digitarCodigo(codigo.codigo)).rejects.toThrow(
      'passkey',
    )
    expect(await host.ate('encerrado')).toMatchObject({ status: 'erro_auth', motivo: 'chaveDeAcesso' })
    expect(disco.credenciais).toBeNull()
  })

  it('starts a new pairing when the connection closes during typing', async () => {
    const { celular, servidor } = bancada
    const { host, conector } = bancada.viver()
    await conector.start()
    await host.ate('pareando')
    await conector.codigo(celular.numero)
    servidor.cortarTudo()
    // The closed connection gives neither an unusable code nor an error.
    expect(await conector.codigo(celular.numero)).toBeNull()
    await quando(() => expect(host.estados.filter(({ tipo }) => tipo === 'pareando')).toHaveLength(2))
    const pedido = await conector.codigo(celular.numero)
    await celular.digitarCodigo(pedido?.codigo ?? '')
    await host.ate('conectado')
  })
})

describe('createSessao: message of a customer', () => {
  it('arrives once, with the number beside its LID', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    const id = await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    expect(disco.recebidas[0]).toMatchObject({
      ...{ id, endereco: LID_DA_ANA, telefone: '5511987654321', nome: 'Ana', texto: 'oi', deMim: false },
      outrosEnderecos: ['5511987654321@s.whatsapp.net'],
    })
    await quando(() => expect(disco.chegadas.size).toBe(0))
  })

  it('gets the number of a LID that was seen before', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    await ana.diz(celular, 'um', { como: 'lid-oculto' })
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    await ana.diz(celular, 'dois', { como: 'numero' })
    await ana.diz(celular, 'três', { como: 'lid-oculto' })
    await quando(() => expect(disco.recebidas).toHaveLength(3))
    expect(disco.recebidas.map(({ telefone }) => telefone)).toEqual(['', '5511987654321', '5511987654321'])
  })

  it('is ignored from a group, a list, a status or a channel', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    const participant = LID_DA_ANA
    for (const from of ['120363000000000001@g.us', '1700000000@broadcast', 'status@broadcast', '120363@newsletter']) {
      await ana.diz(celular, 'oi, gente', { attrs: { from, participant } })
    }
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    expect(disco.recebidas[0]).toMatchObject({ texto: 'oi', endereco: LID_DA_ANA })
    // These messages are acknowledged without decryption and without a journal entry.
    await quando(() => expect(celular.aparelhos.get(1)?.pendentes).toEqual([]))
    expect(disco.recebidas).toHaveLength(1)
  })

  it('belongs to the customer’s conversa when the owner typed it on the phone', async () => {
    const { ana, celular, disco } = bancada
    await bancada.parear()
    await celular.digitar(ana, 'já vejo')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    expect(disco.recebidas[0]).toMatchObject({ endereco: LID_DA_ANA, deMim: true, texto: 'já vejo', nome: '' })
  })

  it('can be edited, deleted, reacted to and quoted', async () => {
    const { ana, celular, disco } = bancada
    const { conector } = await bancada.parear()
    const nossa = novaMensagem(LID_DA_ANA, 'temos rosas')
    disco.enviadas.push(nossa)
    await conector.send(nossa)
    const { id: idDaNossa } = await ana.nesima(1)
    const id = await ana.diz(celular, 'quero 2 rossas')
    await ana.edita(celular, id, 'quero 2 rosas')
    await ana.apaga(celular, id)
    await ana.reage(celular, idDaNossa, '❤️')
    await ana.cita(celular, 'temos rosas', 'destas')
    await quando(() => expect(disco.recebidas.map(({ texto }) => texto)).toEqual(['quero 2 rossas', 'destas']))
    expect(disco.recebidas[1]).toMatchObject({ citada: { texto: 'temos rosas', nossa: true } })
    expect(disco.alteracoes).toMatchObject([
      { alvo: id, endereco: LID_DA_ANA, deMim: false, mudanca: { tipo: 'edicao', texto: 'quero 2 rosas' } },
      { alvo: id, mudanca: { tipo: 'apagada' } },
      { alvo: nossa.idExterno, telefone: '5511987654321', mudanca: { tipo: 'reacao', emoji: '❤️' } },
    ])
    await quando(() => expect(disco.chegadas.size).toBe(0))
  })

  it('arrives in order after a disconnection', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    await primeira.conector.stop()
    const textos = Array.from({ length: 40 }, (_, n) => `mensagem ${n}`)
    for (const texto of textos) await ana.diz(celular, texto)
    const segunda = bancada.viver()
    await segunda.conector.start()
    await quando(() => expect(disco.recebidas).toHaveLength(40))
    expect(disco.recebidas.map(({ texto }) => texto)).toEqual(textos)
  })

  it('does not overtake another one on a slow store', async () => {
    const { ana, celular, disco } = bancada
    let esperaMs = 200
    await bancada.parear({
      antesDeLer: async (tipo) => {
        if (tipo !== 'lid-mapping') return
        // Each read is faster than the one before.
        esperaMs = Math.max(0, esperaMs - 40)
        await new Promise((resolve) => setTimeout(resolve, esperaMs))
      },
    })
    const textos = ['um', 'dois', 'três', 'quatro', 'cinco']
    for (const texto of textos) await ana.diz(celular, texto)
    await quando(() => expect(disco.recebidas).toHaveLength(5))
    expect(disco.recebidas.map(({ texto }) => texto)).toEqual(textos)
  })

  it('arrives after failed journal writes', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 3
    await bancada.parear({
      antesDeGravar: (chegadas) => {
        if (chegadas.length > 0 && falhas-- > 0) throw new Error('disk full')
      },
    })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas.map(({ texto }) => texto)).toEqual(['oi']))
  })

  it('stays in the journal until the host accepts it', async () => {
    const { ana, celular, disco } = bancada
    let falhas = 1
    await bancada.parear({
      antesDeReceber: () => {
        if (falhas-- > 0) throw new Error('database down')
      },
    })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    await quando(() => expect(disco.chegadas.size).toBe(0))
  })
})

/** The server accepts the first send and refuses the resend. */
function recusarASegunda({ falhas }: ServidorFalso): { readonly recusada: Promise<void>; readonly denovo: () => void } {
  let vezes = 0
  const { promise: recusada, resolve } = Promise.withResolvers<void>()
  falhas.recusar = () => {
    vezes += 1
    if (vezes !== 2) return undefined
    resolve()
    return '503'
  }
  return { recusada, denovo: () => void (vezes = 0) }
}

describe('createSessao: our message', () => {
  it('resolves on the server’s ack and reports both receipts', async () => {
    const { ana, celular, disco } = bancada
    const { conector } = await bancada.parear()
    const mensagem = novaMensagem(LID_DA_ANA, 'bom dia')
    disco.enviadas.push(mensagem)
    await conector.send(mensagem)
    const recebida = await ana.nesima(1)
    expect(recebida).toMatchObject({ texto: 'bom dia', id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/) })
    ana.leu(celular, recebida.id)
    const { idExterno } = mensagem
    await quando(() =>
      expect(disco.entregas).toEqual([
        { idExterno, estado: 'entregue' },
        { idExterno, estado: 'lida' },
      ]),
    )
  })

  it('rejects on a refusal, with `Recusada` for code 463', async () => {
    const { conector } = await bancada.parear()
    bancada.servidor.falhas.recusar = () => '500'
    await expect(conector.send(novaMensagem(LID_DA_ANA, 'a'))).rejects.toThrow('recusou a mensagem (500)')
    bancada.servidor.falhas.recusar = () => '463'
    await expect(conector.send(novaMensagem(LID_DA_ANA, 'b'))).rejects.toBeInstanceOf(Recusada)
  })

  it('is retried with the same id after a lost ack and shown once', async () => {
    const { ana } = bancada
    const { conector } = await bancada.parear({}, { ackMs: 200 })
    bancada.servidor.falhas.calarAck = () => true
    const mensagem = novaMensagem(LID_DA_ANA, 'chegou?')
    await expect(conector.send(mensagem)).rejects.toThrow('não confirmou')
    bancada.servidor.falhas.calarAck = undefined
    await quandoSair(() => conector.send(mensagem))
    await quando(() => expect(ana.repetidas.length).toBeGreaterThan(0))
    expect(ana.recebidas.map(({ texto }) => texto)).toEqual(['chegou?'])
  })

  it('is encrypted again for a phone that could not decrypt it, even after a restart', async () => {
    const { ana, celular, disco } = bancada
    const primeira = await bancada.parear()
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    const mensagem = novaMensagem(LID_DA_ANA, 'sua resposta')
    disco.enviadas.push(mensagem)
    await ana.reinstalar(celular)
    await primeira.conector.send(mensagem)
    await primeira.conector.stop()
    const segunda = bancada.viver()
    await segunda.conector.start()
    expect(await ana.nesima(1)).toMatchObject({ texto: 'sua resposta' })
    expect(ana.ilegiveis.length).toBeGreaterThan(0)
  })

  it('is resent when the server refuses the first resend, even after a restart', async () => {
    const { ana, celular, disco, servidor } = bancada
    // So long that the first process does not resend.
    const primeira = await bancada.parear({}, { esperas: () => 600_000 })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    const textos = ['sua resposta', 'e outra']
    const segundaVez = recusarASegunda(servidor)
    const [uma, outra] = textos.map((texto) => novaMensagem(LID_DA_ANA, texto))
    if (uma === undefined || outra === undefined) throw new Error('two messages expected')
    disco.enviadas.push(uma, outra)
    await ana.reinstalar(celular)
    await primeira.conector.send(uma)
    await segundaVez.recusada
    await primeira.conector.stop()
    expect(ana.recebidas).toEqual([])
    const segunda = bancada.viver()
    await segunda.conector.start()
    expect(await ana.nesima(1)).toMatchObject({ texto: 'sua resposta' })

    segundaVez.denovo()
    await ana.reinstalar(celular)
    await segunda.conector.send(outra)
    expect(await ana.nesima(2)).toMatchObject({ texto: 'e outra' })
    await quando(() => expect([...disco.chaves.keys()].filter((chave) => chave.startsWith('reenvio'))).toEqual([]))
    expect(ana.recebidas).toHaveLength(2)
  })

  it('is resent when another request arrives before the record could be read', async () => {
    const { ana, celular, disco, erros, servidor } = bancada
    const primeira = await bancada.parear({}, { esperas: () => 600_000 })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    const [uma, outra] = ['sua resposta', 'e outra'].map((texto) => novaMensagem(LID_DA_ANA, texto))
    if (uma === undefined || outra === undefined) throw new Error('two messages expected')
    disco.enviadas.push(uma, outra)
    const segundaVez = recusarASegunda(servidor)
    await ana.reinstalar(celular)
    await primeira.conector.send(uma)
    await segundaVez.recusada
    await primeira.conector.stop()

    let quebrada = true
    const segunda = bancada.viver({
      antesDeLer: async (tipo) => {
        if (tipo === 'reenvio' && quebrada) throw new Error('database down')
      },
    })
    await segunda.conector.start()
    await ana.diz(celular, 'alguém aí?')
    await quando(() => expect(disco.recebidas).toHaveLength(2))
    await ana.reinstalar(celular)
    const saiu = quandoSair(() => segunda.conector.send(outra))
    await quando(() => expect(erros.some((erro) => erro.includes('key store failed'))).toBe(true))
    quebrada = false
    await saiu
    await ana.nesima(2)
    expect(ana.recebidas.map(({ texto }) => texto).toSorted()).toEqual(['e outra', 'sua resposta'])
  })

  it('is resent when an acknowledged resend did not reach the phone', async () => {
    const { ana, celular, disco, servidor } = bancada
    const { conector } = await bancada.parear({}, { esperas: () => 0, ackMs: 1_000 })
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    const mensagem = novaMensagem(LID_DA_ANA, 'sua resposta')
    disco.enviadas.push(mensagem)
    let vezes = 0
    servidor.falhas.perder = () => ++vezes === 2
    await ana.reinstalar(celular)
    await conector.send(mensagem)
    expect(await ana.nesima(1)).toMatchObject({ texto: 'sua resposta' })
    expect(vezes).toBe(3)
    await quando(() => expect([...disco.chaves.keys()].filter((chave) => chave.startsWith('reenvio'))).toEqual([]))
  })

  it('is rejected when it was encrypted only for the owner’s phone', async () => {
    const { conector } = await bancada.parear()
    const aNinguem = novaMensagem('299999999999999@lid', 'alguém aí?')
    await expect(conector.send(aNinguem)).rejects.toThrow('não deu como levar a mensagem')
  })

  it('rejects with `Adiada` if its turn is far away, and sends it later', async () => {
    let agora = 0
    const ritmo = { agora: () => agora, sorteio: () => 0, entreMs: [10_000, 10_000] } as const
    const { conector } = await bancada.parear({}, { ritmo })
    await conector.send(novaMensagem(LID_DA_ANA, 'a'))
    const segunda = novaMensagem(LID_DA_ANA, 'b')
    await expect(conector.send(segunda)).rejects.toMatchObject({ name: 'Adiada', esperaMs: 10_000 })
    await expect(conector.send(segunda)).rejects.toBeInstanceOf(Adiada)
    agora = 10_000
    await conector.send(segunda)
    expect(await bancada.ana.nesima(2)).toMatchObject({ texto: 'b' })
  })

  it('is refused for a new chat during a lock and sent in an open chat', async () => {
    const { ana, celular, disco, servidor } = bancada
    const bia = createCliente(servidor, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { conector } = await bancada.parear()
    await ana.diz(celular, 'oi')
    await quando(() => expect(disco.recebidas).toHaveLength(1))
    const avisar = async (ate: Date | null): Promise<void> => {
      const soube = new Promise<void>((resolve) =>
        servidor.eventos.on('ack', ({ stanza }) => {
          if (stanza.attrs.class === 'notification') resolve()
        }),
      )
      servidor.bloquear(ate)
      await soube
    }
    await avisar(new Date(Date.now() + 3_600_000))
    const paraBia = novaMensagem('200000000000002@lid', 'promoção!')
    await expect(conector.send(paraBia)).rejects.toThrow(/começar conversas até .+ \(horário de Brasília\)/)
    await expect(conector.send(paraBia)).rejects.toBeInstanceOf(Recusada)
    await conector.send(novaMensagem(LID_DA_ANA, 'olá'))
    expect(await ana.nesima(1)).toMatchObject({ texto: 'olá' })
    await avisar(null)
    await conector.send(paraBia)
    expect((await bia.nesima(1)).texto).toBe('promoção!')
    expect(bia.repetidas).toEqual([])
  })

  it('reaches a person whose address is only a number', async () => {
    const bia = createCliente(bancada.servidor, { numero: '5521999990000', lid: '200000000000002', nome: 'Bia' })
    const { conector } = await bancada.parear()
    await conector.send(novaMensagem('5521999990000', 'olá'))
    expect(await bia.nesima(1)).toMatchObject({ texto: 'olá' })
  })
})

describe('createSessao: typing and read receipts', () => {
  it('passes typing in both directions', async () => {
    const { ana, celular, disco, servidor } = bancada
    const { conector } = await bancada.parear()
    ana.digita(celular)
    await quando(() => expect(disco.escrevendo).toEqual([{ endereco: LID_DA_ANA, telefone: '' }]))
    const escrevendo = new Promise<string>((resolve) =>
      servidor.eventos.on('presenca', ({ stanza }) => {
        if (stanza.tag === 'chatstate') resolve(stanza.attrs.to ?? '')
      }),
    )
    conector.digitando(LID_DA_ANA)
    expect(await escrevendo).toBe(LID_DA_ANA)
  })

  it('marks all earlier messages as read when we answer', async () => {
    const { ana, celular, disco, servidor } = bancada
    const { conector } = await bancada.parear()
    const ids = [await ana.diz(celular, 'um'), await ana.diz(celular, 'dois')]
    await quando(() => expect(disco.recebidas).toHaveLength(2))
    const lidas = new Promise<string[]>((resolve) =>
      servidor.eventos.on('recibo', ({ stanza }) => {
        if (stanza.attrs.type !== 'read') return
        resolve([stanza.attrs.id ?? '', ...filhos(filho(stanza, 'list'), 'item').map(({ attrs }) => attrs.id ?? '')])
      }),
    )
    await conector.send(novaMensagem(LID_DA_ANA, 'olá'))
    expect((await lidas).toSorted()).toEqual(ids.toSorted())
  })
})

describe('createSessao: connection', () => {
  it('reconnects after a cut', async () => {
    const { host } = await bancada.parear()
    const voltou = once(bancada.servidor.eventos, 'conectou')
    bancada.celular.aparelhos.get(1)?.conexao?.cortar()
    await voltou
    await quando(() => expect(host.estados.at(-1)?.tipo).toBe('conectado'))
    expect(host.estados).toContainEqual({ tipo: 'reconectando', motivo: 'semRede' })
  })

  it('waits longer after each failed login and resets after a stable connection', async () => {
    const { servidor } = bancada
    const tentativas: number[] = []
    const quatro = Promise.withResolvers<void>()
    const esperas = (tentativa: number): number => {
      if (tentativas.push(tentativa) === 4) quatro.resolve()
      return 1
    }
    const { host } = await bancada.parear({}, { esperas, firmeMs: 0 })
    servidor.falhas.recusarLogin = '503'
    servidor.cortarTudo()
    await quatro.promise
    servidor.falhas.recusarLogin = undefined
    await quando(() => expect(host.estados.at(-1)?.tipo).toBe('conectado'))
    expect(host.estados).toContainEqual({ tipo: 'reconectando', motivo: 'servicoInstavel' })
    const vezes = tentativas.length
    servidor.cortarTudo()
    await quando(() => expect(tentativas).toHaveLength(vezes + 1))
    expect(tentativas).toEqual([...tentativas.keys()].map((n) => (n === vezes ? 0 : n)))
  })

  it('waits longer when the server repeatedly accepts and drops the connection', async () => {
    const { servidor } = bancada
    const tentativas: number[] = []
    const { host } = await bancada.parear({}, { esperas: (tentativa) => tentativas.push(tentativa) })
    servidor.falhas.recusarLogin = '515'
    servidor.cortarTudo()
    await quando(() => expect(tentativas.length).toBeGreaterThan(1))
    servidor.falhas.recusarLogin = undefined
    for (let vez = 0; vez < 2; vez += 1) {
      await quando(() => expect(host.estados.at(-1)?.tipo).toBe('conectado'))
      servidor.despedir('503')
      await quando(() => expect(host.estados.at(-1)?.tipo).toBe('reconectando'))
    }
    expect(tentativas).toEqual([...tentativas.keys()])
  })

  it('ends the session when the owner removes the device', async () => {
    const { host } = await bancada.parear()
    const aparelho = bancada.celular.aparelhos.get(1)
    if (aparelho !== undefined) bancada.servidor.remover(aparelho)
    expect(await host.ate('encerrado')).toMatchObject({ status: 'PARADO', motivo: 'desconectadoNoCelular' })
  })

  it.each([
    ['403', 'ERRO', 'banido'],
    ['405', 'ERRO', 'clienteDesatualizado'],
    ['411', 'erro_auth', 'credenciaisInvalidas'],
  ])('reports the reason of a login refused with %s', async (codigo, status, motivo) => {
    const { conector } = await bancada.parear()
    await conector.stop()
    bancada.servidor.falhas.recusarLogin = codigo
    const segunda = bancada.viver()
    await segunda.conector.start()
    expect(await segunda.host.ate('encerrado')).toMatchObject({ status, motivo })
  })

  it('ends when another session with the same credentials replaces it again', async () => {
    const { host } = await bancada.parear()
    const outra = bancada.viver()
    await outra.conector.start()
    await quando(() => {
      const fins = [host, outra.host].flatMap(({ estados }) => estados.filter(({ tipo }) => tipo === 'encerrado'))
      expect(fins).toEqual([{ tipo: 'encerrado', status: 'PARADO', motivo: 'substituido' }])
    })
  })

  it('unlinks the device on logout', async () => {
    const { conector } = await bancada.parear()
    const saiu = once(bancada.servidor.eventos, 'saiu')
    await conector.logout()
    await saiu
    expect(bancada.celular.aparelhos.get(1)?.revogado).toBe(true)
  })

  it('unlinks the device on logout of a stopped or disconnected session', async () => {
    const { celular, servidor, disco } = bancada
    const primeira = await bancada.parear()
    await primeira.conector.stop()
    const chaves = new Map(disco.chaves)
    await bancada.ana.diz(celular, 'tem alguém?')
    await bancada.viver().conector.logout()
    expect(celular.aparelhos.get(1)?.revogado).toBe(true)
    expect([disco.chaves, disco.recebidas]).toEqual([chaves, []])
    disco.credenciais = null
    const { conector, host } = await bancada.parear({}, { esperas: () => 600_000 })
    servidor.cortarTudo()
    await quando(() => expect(host.estados.at(-1)?.tipo).toBe('reconectando'))
    await conector.logout()
    expect(celular.aparelhos.get(2)?.revogado).toBe(true)
    expect(bancada.erros).toEqual([])
  })

  it('emits no events after stop', async () => {
    const { host, conector } = await bancada.parear()
    await conector.stop()
    const antes = host.estados.length
    await bancada.ana.diz(bancada.celular, 'oi')
    expect(host.estados).toHaveLength(antes)
    await expect(conector.send(novaMensagem(LID_DA_ANA, 'oi'))).rejects.toThrow('sem conexão')
  })
})
