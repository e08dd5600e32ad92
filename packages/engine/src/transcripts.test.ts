import { describe, expect, it } from 'vitest'
import { effectsOnLine } from '#join-messages.ts'
import {
  testBotContext,
  sampleProdutos,
  createTranscript,
  MONDAY_10H,
  sentTexts,
  effectTipos,
} from '#testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const APRESENTACAO = 'Sou o assistente virtual da Padaria Aurora.'
const SO_TEXTO = expect.stringContaining('consigo ler')
const comIa = (muda: Parameters<typeof testBotContext>[0] = () => undefined) =>
  testBotContext(muda, { iaAvailable: true })

describe('step with a question to the AI', () => {
  it('adds a greeting to the waiting question', () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    r.customer('1')
    r.customer('qual o preço do bolo?')
    expect(r.customer('bom dia')).toEqual([{ tipo: 'perguntarIa', perguntaId: 'm4', esperaMs: 6000 }])
    expect(sentTexts(r.ia({ tipo: 'texto', texto: 'R$ 30' }))).toEqual([APRESENTACAO, 'R$ 30'])
    expect(sentTexts(r.customer('bom dia'))).toEqual(['CUMPRIMENTO'])
  })

  it('keeps the question when a recording follows', () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    r.customer('1')
    r.customer('qual o preço do bolo?')
    expect(sentTexts(r.customer('', { midia: 'audio' }))).toEqual([SO_TEXTO])
    expect(sentTexts(r.ia({ tipo: 'texto', texto: 'R$ 30' }, 'm3'))).toEqual([APRESENTACAO, 'R$ 30'])
  })

  it('presents the AI once in each conversation, in the message of its first answer where texts join', () => {
    const context = comIa()
    const r = createTranscript(context)
    const ask = (texto: string) => {
      r.customer(texto)
      return r.ia({ tipo: 'texto', texto: `sobre ${texto}` })
    }
    r.customer('oi')
    r.customer('1')
    const first = ask('o bolo?')
    const { menu } = context.config
    expect(
      sentTexts(effectsOnLine(first, menu, { paidPerMessage: true, choices: null, orderPayments: false })),
    ).toEqual([`${APRESENTACAO}\n\nsobre o bolo?`])
    expect(sentTexts(ask('o pão?'))).toEqual(['sobre o pão?'])
    r.customer('menu')
    r.customer('1')
    expect(sentTexts(ask('a torta?'))).toEqual(['sobre a torta?'])
    r.emit({ tipo: 'atendenteFinalizou', semAvaliacao: true })
    r.customer('oi')
    r.customer('1')
    expect(sentTexts(ask('o café?'))).toEqual([APRESENTACAO, 'sobre o café?'])
  })

  it('presents the AI without the name of a shop that has none', () => {
    const r = createTranscript({ ...comIa(), empresa: '' })
    r.customer('oi')
    r.customer('1')
    r.customer('o bolo?')
    expect(sentTexts(r.ia({ tipo: 'texto', texto: 'R$ 30' }))).toEqual(['Sou o assistente virtual.', 'R$ 30'])
  })

  it('drops the answer after people or the owner took over', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = createTranscript(comIa())
      r.customer('oi')
      r.customer('vocês entregam?')
      r.emit({ tipo })
      expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm2')).toEqual([])
    }
  })

  it('sends a recording to the AI only if it reads media', () => {
    const ouve = createTranscript({ ...comIa(), iaReadsMidia: ['audio', 'imagem'] })
    ouve.customer('oi')
    expect(effectTipos(ouve.customer('', { midia: 'audio' }))).toEqual(['perguntarIa'])
    expect(sentTexts(ouve.customer('', { midia: 'documento' }))).toEqual([SO_TEXTO])
    const surda = createTranscript(comIa())
    surda.customer('oi')
    expect(sentTexts(surda.customer('', { midia: 'audio' }))).toEqual([SO_TEXTO])
  })

  it('leaves the AI on 0 and sair, but keeps a number in words', () => {
    for (const output of ['0', '0️⃣', '0.', 'sair', 'SAIR!']) {
      const r = createTranscript(comIa())
      r.customer('oi')
      r.customer('1')
      expect(sentTexts(r.customer(output)), output).toEqual([MENU])
    }
    const r = createTranscript(comIa())
    r.customer('oi')
    r.customer('1')
    expect(effectTipos(r.customer('zero'))).toEqual(['perguntarIa'])
  })

  it('warns the owner when a customer asks for a disabled AI', () => {
    const r = createTranscript()
    r.customer('oi')
    expect(effectTipos(r.customer('1'))).toEqual(['enviarTexto', 'registrarLog', 'enviarTexto'])
  })

  it('withholds an answer without support, logs its kinds and hands over unless the owner forbids it', () => {
    for (const transferirSemApoio of [true, false]) {
      const context = comIa()
      context.config.ia.transferirSemApoio = transferirSemApoio
      const r = createTranscript(context)
      r.customer('oi')
      r.customer('e o bolo?')
      const effects = r.ia({ tipo: 'retida', motivo: 'valor em dinheiro' })
      expect(sentTexts(effects)[0]).toBe('NAO ENTENDI')
      expect(effects).toContainEqual(expect.objectContaining({ tipo: 'enviarTexto', lacuna: 'retida' }))
      const mensagem = expect.stringContaining('(valor em dinheiro)')
      expect(effects).toContainEqual(expect.objectContaining({ tipo: 'registrarLog', nivel: 'warning', mensagem }))
      expect(r.etapa()).toBe(transferirSemApoio ? 'humano' : 'menu')
    }
  })

  it('logs a failure and an empty answer as errors and stays in the menu', () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    for (const result of [
      { tipo: 'falha', motivo: 'tempo esgotado' },
      { tipo: 'texto', texto: ' ' },
    ] as const) {
      r.customer('e o bolo?')
      const effects = r.ia(result)
      expect(sentTexts(effects)).toEqual(['NAO ENTENDI'])
      expect(effects).toContainEqual(expect.objectContaining({ tipo: 'registrarLog', nivel: 'error' }))
      expect(r.etapa()).toBe('menu')
    }
  })

  it('hands over to geral when the model names an unknown setor', () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    r.customer('quero reclamar')
    expect(r.ia({ tipo: 'transferir', setor: 'inventado' })).toContainEqual({
      tipo: 'abrirConversaHumana',
      setor: 'geral',
    })
  })
})

describe('step with media', () => {
  it('answers the caption and does not count an unknown one as not understood', () => {
    const r = createTranscript()
    r.customer('oi')
    expect(sentTexts(r.customer('4', { midia: 'imagem' })).join()).toContain('8h às 18h')
    for (const caption of ['olha que lindo', '99']) {
      expect(sentTexts(r.customer(caption, { midia: 'imagem' }))).toEqual([SO_TEXTO])
    }
    expect(r.state().erros).toBe(0)
    expect(sentTexts(r.customer('atendente', { midia: 'imagem' }))).toEqual(['AGUARDE'])
  })

  it('greets a first recording with a hint, but not a first sticker', () => {
    expect(sentTexts(createTranscript().customer('', { midia: 'audio' }))).toEqual(['BOAS VINDAS', SO_TEXTO, MENU])
    expect(sentTexts(createTranscript().customer('', { midia: 'figurinha' }))).toEqual(['BOAS VINDAS', MENU])
  })

  it('neither counts nor resets misses for media and blank texts', () => {
    const r = createTranscript()
    r.customer('oi')
    r.customer('banana')
    r.customer('', { midia: 'audio' })
    r.customer('  \n ')
    expect(r.state().erros).toBe(1)
  })
})

it('shows the menu although a trigger or title has its name', () => {
  const r = createTranscript(
    comIa((config) => {
      config.ia.gatilhos = ['menu']
      config.menu.opcoes.push({ numero: '6', titulo: 'Voltar', tipo: 'finalizar', resposta: '' })
    }),
  )
  for (const word of ['menu', 'voltar']) {
    expect(sentTexts(r.customer(word)), word).toEqual(['BOAS VINDAS', MENU])
    r.advance(120)
  }
})

describe('step with people over several messages', () => {
  it('returns to a fresh menu that obeys numbers', () => {
    const r = createTranscript()
    r.customer('atendente')
    r.advance(90)
    expect(sentTexts(r.emit({ tipo: 'devolvidaAoBot' }))).toEqual([MENU])
    expect(sentTexts(r.customer('4')).join()).toContain('8h às 18h')
  })

  it('asks for a rating when an operator finishes, also after writing on the phone', () => {
    const r = createTranscript()
    r.customer('atendente')
    r.emit({ tipo: 'mensagemDoTelefone' })
    r.emit({ tipo: 'atendenteFinalizou' })
    expect(r.customer('5')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 5 })
  })

  it('greets again after the owner’s silence on the phone ends', () => {
    const r = createTranscript()
    r.customer('oi')
    r.emit({ tipo: 'mensagemDoTelefone' })
    r.advance(50)
    expect(r.customer('pode ser amanhã?')).toEqual([])
    r.advance(20)
    expect(sentTexts(r.customer('2'))).toEqual(['BOAS VINDAS', MENU])
    expect(sentTexts(r.customer('4')).join()).toContain('8h às 18h')
  })

  it('ends without a question when ratings are off', () => {
    const r = createTranscript(testBotContext((config) => void (config.atendimento.avaliacao.ativa = false)))
    r.customer('atendente')
    expect(sentTexts(r.emit({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU'])
    expect(r.etapa()).toBe('encerrada')
  })

  it('uses the setor geral when the option’s setor is inactive', () => {
    const r = createTranscript(
      testBotContext((config) => {
        for (const setor of config.atendimento.setores) setor.ativo = setor.id !== 'vendas'
        config.menu.opcoes = [{ numero: '1', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }]
      }),
    )
    r.customer('oi')
    expect(r.customer('1')).toContainEqual({ tipo: 'abrirConversaHumana', setor: 'geral' })
  })
})

describe('step with a test rating', () => {
  const PEDIDO = [expect.stringContaining('nota de *0* a *5*')]

  it('asks in any stage, also without earlier messages, and takes the nota', () => {
    for (const before of [[], ['oi'], ['oi', '3']]) {
      const r = createTranscript()
      for (const text of before) r.customer(text)
      expect(sentTexts(r.emit({ tipo: 'avaliacaoSimulada' }))).toEqual(PEDIDO)
      expect(r.customer('4')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 4 })
      expect(r.etapa()).toBe('encerrada')
    }
  })

  it('repeats the test with ratings off and still asks the real question', () => {
    const r = createTranscript(testBotContext((config) => void (config.atendimento.avaliacao.ativa = false)))
    r.emit({ tipo: 'avaliacaoSimulada' })
    expect(sentTexts(r.emit({ tipo: 'avaliacaoSimulada' }))).toEqual(PEDIDO)
    r.change(testBotContext())
    r.customer('5')
    r.advance(20)
    r.customer('oi')
    r.customer('atendente')
    expect(sentTexts(r.emit({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU', ...PEDIDO])
  })

  it('answers any other text of the customer normally', () => {
    const r = createTranscript()
    r.emit({ tipo: 'avaliacaoSimulada' })
    expect(effectTipos(r.customer('vocês entregam hoje?'))).toEqual(['enviarTexto', 'enviarTexto'])
  })

  it('does nothing while people serve the customer', () => {
    const r = createTranscript()
    r.customer('atendente')
    expect(r.emit({ tipo: 'avaliacaoSimulada' })).toEqual([])
    expect(r.customer('5')).toEqual([])
    expect(r.etapa()).toBe('humano')
  })
})

describe('step after the end', () => {
  it.each(['tchau', 'obrigada, boa noite!', '🇧🇷'])('ignores %j but greets a question', (cortesia) => {
    const r = createTranscript()
    r.customer('oi')
    r.customer('0')
    expect(r.customer(cortesia)).toEqual([])
    expect(sentTexts(r.customer('ok?'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('counts a courtesy from the time of sending', () => {
    const r = createTranscript()
    r.customer('oi')
    r.customer('0')
    const said = MONDAY_10H + 60_000
    r.advance(40)
    expect(r.customer('obrigado', { enviadaEm: said })).toEqual([])
  })

  it('expires a rating after thirty minutes and not before', () => {
    const notaAfter = (minutes: number) => {
      const r = createTranscript()
      r.customer('atendente')
      r.emit({ tipo: 'atendenteFinalizou' })
      r.advance(minutes)
      return effectTipos(r.customer('5'))
    }
    expect(notaAfter(29)).toContain('registrarAvaliacao')
    expect(notaAfter(30)).not.toContain('registrarAvaliacao')
  })

  it('hands over from a rating when the customer asks for a person', () => {
    const r = createTranscript()
    r.customer('atendente')
    r.emit({ tipo: 'atendenteFinalizou' })
    expect(effectTipos(r.customer('atendente'))).toEqual(['enviarTexto', 'enviarTexto', 'abrirConversaHumana'])
  })
})

describe('step with a backlog', () => {
  const old = (minutes: number) => ({ enviadaEm: MONDAY_10H - minutes * 60_000 })

  it('greets a backlog of another day again', () => {
    const r = createTranscript()
    r.customer('oi', old(60))
    expect(r.customer('alguém?', old(50))).toEqual([])
    r.advance(24 * 60)
    expect(sentTexts(r.customer('oi?', old(0)))).toEqual(['BOAS VINDAS', MENU])
  })

  it('skips an awaited rating', () => {
    const r = createTranscript()
    r.customer('atendente')
    r.emit({ tipo: 'atendenteFinalizou' })
    r.advance(20)
    expect(effectTipos(r.customer('voltei', old(0)))).toEqual(['enviarTexto', 'enviarTexto'])
  })
})

describe('step with all texts emptied by the owner', () => {
  const empty = () =>
    testBotContext(
      (config) => {
        for (const group of [config.menu.mensagens, config.ia.respostasPredefinidas]) {
          for (const key of Object.keys(group)) Object.assign(group, { [key]: '' })
        }
        for (const opcao of config.menu.opcoes) opcao.resposta = ''
      },
      { iaAvailable: true, produtos: sampleProdutos(1) },
    )

  it.each(['1', '2', '3', '4', '0', 'atendente', '99'])('still answers %j', (choice) => {
    const r = createTranscript(empty())
    expect(sentTexts(r.customer('oi'))).toEqual([MENU])
    expect(sentTexts(r.customer(choice))).not.toEqual([])
  })

  it('still answers after a failure of the AI', () => {
    const r = createTranscript(empty())
    r.customer('oi')
    r.customer('e o bolo?')
    expect(sentTexts(r.ia({ tipo: 'falha', motivo: 'x' }))).not.toEqual([])
  })
})

describe('step in the shop over several messages', () => {
  it('keeps numbers while the catalogue changes and sends the picture', () => {
    const r = createTranscript(testBotContext(undefined, { produtos: sampleProdutos(3) }))
    r.customer('oi')
    r.customer('3')
    const [p1, p2, p3] = sampleProdutos(3)
    const foto = { imagemUrl: '/imagens/a.webp', linkCheckout: 'https://loja.example/3' }
    if (p1 === undefined || p2 === undefined || p3 === undefined) return expect.unreachable()
    r.change({ produtos: [{ ...p3, ...foto, preco: 1234.56 }, p2] })
    expect(r.customer('3')).toEqual([
      {
        tipo: 'enviarImagem',
        imagemUrl: '/imagens/a.webp',
        legenda: expect.stringMatching(/^\*Produto 3\*\n\nDescrição 3\n\n💰 R\$ 1\.234,56\n\n🛒 .*https:\/\/loja/),
      },
    ])
    expect(sentTexts(r.customer('1'))[0]).toContain('*Produto 1* não está disponível')
  })

  it('sends a text too long for a caption after the picture', () => {
    const longos = sampleProdutos(1).map((produto) => ({
      ...produto,
      descricao: 'à'.repeat(1_000),
      imagemUrl: '/foto.webp',
    }))
    const r = createTranscript(testBotContext(undefined, { produtos: longos }))
    r.customer('oi')
    r.customer('3')
    const [foto, words, ...mais] = r.customer('1')
    expect(foto).toEqual({ tipo: 'enviarImagem', imagemUrl: '/foto.webp', legenda: '*Produto 1*' })
    expect(sentTexts(words === undefined ? [] : [words])[0]).toContain('à\n\n💰 R$ 10,00')
    expect(mais).toEqual([])
  })

  it('obeys menu and atendente', () => {
    for (const [word, etapa] of [
      ['menu', 'menu'],
      ['atendente', 'humano'],
    ] as const) {
      const r = createTranscript(testBotContext(undefined, { produtos: sampleProdutos(3) }))
      r.customer('oi')
      r.customer('3')
      r.customer(word)
      expect(r.etapa()).toBe(etapa)
    }
  })
})

describe('step while people serve the customer', () => {
  it('stays silent across setores and returns to a menu that obeys', () => {
    const r = createTranscript()
    r.customer('oi')
    r.customer('atendente')
    r.emit({ tipo: 'atendenteAssumiu' })
    expect(r.emit({ tipo: 'atendenteTransferiu', setor: 'suporte' })).toEqual([])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
    expect(r.customer('menu')).toEqual([])
    r.emit({ tipo: 'atendenteAssumiu' })
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
    r.advance(600)
    expect(r.emit({ tipo: 'devolvidaAoBot' })).toMatchObject([{ tipo: 'enviarTexto' }])
    expect(sentTexts(r.customer('4')).join()).toContain('8h às 18h')
    expect(effectTipos(r.customer('atendente'))).toContain('abrirConversaHumana')
  })

  it('accepts a transfer of a customer without earlier messages', () => {
    const r = createTranscript()
    expect(r.emit({ tipo: 'atendenteTransferiu', setor: 'vendas' })).toEqual([])
    expect(r.customer('oi')).toEqual([])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'vendas' })
  })
})
