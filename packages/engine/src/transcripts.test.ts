import { describe, expect, it } from 'vitest'
import { contextoDeTeste, produtos, roteiro, SEGUNDA_10H, textos, tipos } from '#testing/transcript.ts'

/** Stories in which something easily gets lost: a question, a rating, the thread. */

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const SO_TEXTO = expect.stringContaining('consigo ler')
const comIa = (muda: Parameters<typeof contextoDeTeste>[0] = () => undefined) =>
  contextoDeTeste(muda, { iaDisponivel: true })

describe('a question to the AI', () => {
  it('is not swallowed by the greeting that follows it', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    r.cliente('qual o preço do bolo?')
    expect(r.cliente('bom dia')).toEqual([{ tipo: 'perguntarIa', perguntaId: 'm4', esperaMs: 6000 }])
    expect(textos(r.ia({ tipo: 'texto', texto: 'R$ 30' }))).toEqual(['R$ 30'])
    expect(textos(r.cliente('bom dia'))).toEqual(['CUMPRIMENTO'])
  })

  it('survives a recording sent in the middle', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    r.cliente('qual o preço do bolo?')
    expect(textos(r.cliente('', { midia: 'audio' }))).toEqual([SO_TEXTO])
    expect(textos(r.ia({ tipo: 'texto', texto: 'R$ 30' }, 'm3'))).toEqual(['R$ 30'])
  })

  it('is dropped when people took the conversation meanwhile', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = roteiro(comIa())
      r.cliente('oi')
      r.cliente('vocês entregam?')
      r.acontece({ tipo })
      expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm2')).toEqual([])
    }
  })

  it('may be a recording when the AI can hear, and only then', () => {
    const ouve = roteiro({ ...comIa(), iaLeMidia: true })
    ouve.cliente('oi')
    expect(tipos(ouve.cliente('', { midia: 'audio' }))).toEqual(['perguntarIa'])
    expect(textos(ouve.cliente('', { midia: 'documento' }))).toEqual([SO_TEXTO])
    const surda = roteiro(comIa())
    surda.cliente('oi')
    expect(textos(surda.cliente('', { midia: 'audio' }))).toEqual([SO_TEXTO])
  })

  it('leaves the AI by 0 in any writing, but keeps a number in words', () => {
    for (const saida of ['0', '0️⃣', '0.', 'sair', 'SAIR!']) {
      const r = roteiro(comIa())
      r.cliente('oi')
      r.cliente('1')
      expect(textos(r.cliente(saida)), saida).toEqual([MENU])
    }
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    expect(tipos(r.cliente('zero'))).toEqual(['perguntarIa'])
  })

  it('warns the owner when the AI was wanted and is off', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(tipos(r.cliente('1'))).toEqual(['enviarTexto', 'registrarLog', 'enviarTexto'])
  })

  it('logs a failure and an empty answer as errors, and stays usable', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    for (const resultado of [
      { tipo: 'falha', motivo: 'tempo esgotado' },
      { tipo: 'texto', texto: ' ' },
    ] as const) {
      r.cliente('e o bolo?')
      const efeitos = r.ia(resultado)
      expect(textos(efeitos)).toEqual(['NAO ENTENDI'])
      expect(efeitos).toContainEqual(expect.objectContaining({ tipo: 'registrarLog', nivel: 'error' }))
      expect(r.etapa()).toBe('menu')
    }
  })

  it('hands over to geral when the model names no sector of the account', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('quero reclamar')
    expect(r.ia({ tipo: 'transferir', setor: 'inventado' })).toContainEqual({
      tipo: 'abrirConversaHumana',
      setor: 'geral',
    })
  })
})

describe('pictures and recordings', () => {
  it('are answered by their caption, and an unknown caption is no miss', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(textos(r.cliente('4', { midia: 'imagem' })).join()).toContain('8h às 18h')
    for (const legenda of ['olha que lindo', '99']) {
      expect(textos(r.cliente(legenda, { midia: 'imagem' }))).toEqual([SO_TEXTO])
    }
    expect(r.state().erros).toBe(0)
    expect(textos(r.cliente('atendente', { midia: 'imagem' }))).toEqual(['AGUARDE'])
  })

  it('as the first thing said get the greeting, the truth and the menu; a sticker is a greeting', () => {
    expect(textos(roteiro().cliente('', { midia: 'audio' }))).toEqual(['BOAS VINDAS', SO_TEXTO, MENU])
    expect(textos(roteiro().cliente('', { midia: 'figurinha' }))).toEqual(['BOAS VINDAS', MENU])
  })

  it('do not break a run of misses, nor does a blank text count as one', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('banana')
    r.cliente('', { midia: 'audio' })
    r.cliente('  \n ')
    expect(r.state().erros).toBe(1)
  })
})

it('a trigger or a title called menu does not hide the menu from whoever comes back', () => {
  const r = roteiro(
    comIa((config) => {
      config.ia.gatilhos = ['menu']
      config.menu.opcoes.push({ numero: '6', titulo: 'Voltar', tipo: 'finalizar', resposta: '' })
    }),
  )
  for (const palavra of ['menu', 'voltar']) {
    expect(textos(r.cliente(palavra)), palavra).toEqual(['BOAS VINDAS', MENU])
    r.passa(120)
  }
})

describe('people', () => {
  it('give the conversation back to a fresh menu, whose numbers are obeyed', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.passa(90)
    expect(textos(r.acontece({ tipo: 'devolvidaAoBot' }))).toEqual([MENU])
    expect(textos(r.cliente('4')).join()).toContain('8h às 18h')
  })

  it('who finish in the panel get the rating, also after typing on the phone', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'mensagemDoTelefone' })
    r.acontece({ tipo: 'atendenteFinalizou' })
    expect(r.cliente('5')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 5 })
  })

  it('who typed on the phone leave a fresh start behind them', () => {
    const r = roteiro()
    r.cliente('oi')
    r.acontece({ tipo: 'mensagemDoTelefone' })
    r.passa(50)
    expect(r.cliente('pode ser amanhã?')).toEqual([])
    r.passa(20)
    expect(textos(r.cliente('2'))).toEqual(['BOAS VINDAS', MENU])
    expect(textos(r.cliente('4')).join()).toContain('8h às 18h')
  })

  it('finish without a question when ratings are off', () => {
    const r = roteiro(contextoDeTeste((config) => void (config.atendimento.avaliacao.ativa = false)))
    r.cliente('atendente')
    expect(textos(r.acontece({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU'])
    expect(r.etapa()).toBe('encerrada')
  })

  it('get a conversation whose sector was switched off in geral', () => {
    const r = roteiro(
      contextoDeTeste((config) => {
        for (const setor of config.atendimento.setores) setor.ativo = setor.id !== 'vendas'
        config.menu.opcoes = [{ numero: '1', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }]
      }),
    )
    r.cliente('oi')
    expect(r.cliente('1')).toContainEqual({ tipo: 'abrirConversaHumana', setor: 'geral' })
  })
})

describe('a rehearsal of the rating', () => {
  const PEDIDO = [expect.stringContaining('nota de *0* a *5*')]

  it('asks anybody, also one the bot never met, and takes the answer', () => {
    for (const antes of [[], ['oi'], ['oi', '3']]) {
      const r = roteiro()
      for (const texto of antes) r.cliente(texto)
      expect(textos(r.acontece({ tipo: 'avaliacaoSimulada' }))).toEqual(PEDIDO)
      expect(r.cliente('4')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 4 })
      expect(r.etapa()).toBe('encerrada')
    }
  })

  it('may be repeated, also with ratings off, and leaves the real question due', () => {
    const r = roteiro(contextoDeTeste((config) => void (config.atendimento.avaliacao.ativa = false)))
    r.acontece({ tipo: 'avaliacaoSimulada' })
    expect(textos(r.acontece({ tipo: 'avaliacaoSimulada' }))).toEqual(PEDIDO)
    r.muda(contextoDeTeste())
    r.cliente('5')
    r.passa(20)
    r.cliente('oi')
    r.cliente('atendente')
    expect(textos(r.acontece({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU', ...PEDIDO])
  })

  it('does not swallow what else the customer says', () => {
    const r = roteiro()
    r.acontece({ tipo: 'avaliacaoSimulada' })
    expect(tipos(r.cliente('vocês entregam hoje?'))).toEqual(['pularAvaliacao', 'enviarTexto', 'enviarTexto'])
  })

  it('takes nobody away from people', () => {
    const r = roteiro()
    r.cliente('atendente')
    expect(r.acontece({ tipo: 'avaliacaoSimulada' })).toEqual([])
    expect(r.cliente('5')).toEqual([])
    expect(r.etapa()).toBe('humano')
  })
})

describe('the end', () => {
  it.each(['tchau', 'obrigada, boa noite!', '🇧🇷'])('lets %j pass, and greets a question', (cortesia) => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('0')
    expect(r.cliente(cortesia)).toEqual([])
    expect(textos(r.cliente('ok?'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('counts a courtesy when it was said, not when it arrived', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('0')
    const dita = SEGUNDA_10H + 60_000
    r.passa(40)
    expect(r.cliente('obrigado', { enviadaEm: dita })).toEqual([])
  })

  it('of a rating comes by itself after thirty minutes, and not before', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteFinalizou' })
    r.passa(29)
    expect(r.acontece({ tipo: 'tempoAvaliacao' })).toEqual([])
    r.passa(1)
    expect(r.acontece({ tipo: 'tempoAvaliacao' })).toEqual([{ tipo: 'pularAvaliacao' }])
    expect(r.etapa()).toBe('encerrada')
    expect(r.acontece({ tipo: 'tempoAvaliacao' })).toEqual([])
  })

  it('of a rating hands over when the customer asks for a person', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteFinalizou' })
    expect(tipos(r.cliente('atendente'))).toEqual([
      'pularAvaliacao',
      'enviarTexto',
      'enviarTexto',
      'abrirConversaHumana',
    ])
  })
})

describe('a backlog', () => {
  const antiga = (minutos: number) => ({ enviadaEm: SEGUNDA_10H - minutos * 60_000 })

  it('of another day gets its own greeting', () => {
    const r = roteiro()
    r.cliente('oi', antiga(60))
    expect(r.cliente('alguém?', antiga(50))).toEqual([])
    r.passa(24 * 60)
    expect(textos(r.cliente('oi?', antiga(0)))).toEqual(['BOAS VINDAS', MENU])
  })

  it('closes a rating that nobody gave in time', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteFinalizou' })
    r.passa(20)
    expect(tipos(r.cliente('voltei', antiga(0)))).toEqual(['pularAvaliacao', 'enviarTexto', 'enviarTexto'])
  })
})

describe('an owner who emptied every text', () => {
  const vazio = () =>
    contextoDeTeste(
      (config) => {
        for (const grupo of [config.menu.mensagens, config.ia.respostasPredefinidas]) {
          for (const chave of Object.keys(grupo)) Object.assign(grupo, { [chave]: '' })
        }
        for (const opcao of config.menu.opcoes) opcao.resposta = ''
      },
      { iaDisponivel: true, produtos: produtos(1) },
    )

  it.each(['1', '2', '3', '4', '0', 'atendente', '99'])('still answers %j', (escolha) => {
    const r = roteiro(vazio())
    expect(textos(r.cliente('oi'))).toEqual([MENU])
    expect(textos(r.cliente(escolha))).not.toEqual([])
  })

  it('still hears that the AI failed', () => {
    const r = roteiro(vazio())
    r.cliente('oi')
    r.cliente('e o bolo?')
    expect(textos(r.ia({ tipo: 'falha', motivo: 'x' }))).not.toEqual([])
  })
})

describe('the store', () => {
  it('keeps its numbers while the catalogue changes, and sends the picture', () => {
    const r = roteiro(contextoDeTeste(undefined, { produtos: produtos(3) }))
    r.cliente('oi')
    r.cliente('3')
    const [p1, p2, p3] = produtos(3)
    const foto = { imagemUrl: '/imagens/a.webp', linkCheckout: 'https://loja.example/3' }
    if (p1 === undefined || p2 === undefined || p3 === undefined) return expect.unreachable()
    r.muda({ produtos: [{ ...p3, ...foto, preco: 1234.56 }, p2] })
    expect(r.cliente('3')).toEqual([
      {
        tipo: 'enviarImagem',
        imagemUrl: '/imagens/a.webp',
        legenda: expect.stringMatching(/^\*Produto 3\*\n\nDescrição 3\n\n💰 R\$ 1\.234,56\n\n🛒 .*https:\/\/loja/),
      },
    ])
    expect(textos(r.cliente('1'))[0]).toContain('*Produto 1* não está disponível')
  })

  it('sends words that are too long for a caption after the picture', () => {
    const longos = produtos(1).map((produto) => ({ ...produto, descricao: 'à'.repeat(1_000), imagemUrl: '/foto.webp' }))
    const r = roteiro(contextoDeTeste(undefined, { produtos: longos }))
    r.cliente('oi')
    r.cliente('3')
    const [foto, palavras, ...mais] = r.cliente('1')
    expect(foto).toEqual({ tipo: 'enviarImagem', imagemUrl: '/foto.webp', legenda: '*Produto 1*' })
    expect(textos(palavras === undefined ? [] : [palavras])[0]).toContain('à\n\n💰 R$ 10,00')
    expect(mais).toEqual([])
  })

  it('answers menu and atendente from inside', () => {
    for (const [palavra, etapa] of [
      ['menu', 'menu'],
      ['atendente', 'humano'],
    ] as const) {
      const r = roteiro(contextoDeTeste(undefined, { produtos: produtos(3) }))
      r.cliente('oi')
      r.cliente('3')
      r.cliente(palavra)
      expect(r.etapa()).toBe(etapa)
    }
  })
})

describe('a customer among people', () => {
  it('goes from sector to sector in silence, and back to a menu that obeys at once', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteAssumiu' })
    expect(r.acontece({ tipo: 'atendenteTransferiu', setor: 'suporte' })).toEqual([])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
    expect(r.cliente('menu')).toEqual([])
    r.acontece({ tipo: 'atendenteAssumiu' })
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
    r.passa(600)
    expect(r.acontece({ tipo: 'devolvidaAoBot' })).toMatchObject([{ tipo: 'enviarTexto' }])
    expect(textos(r.cliente('4')).join()).toContain('8h às 18h')
    expect(tipos(r.cliente('atendente'))).toContain('abrirConversaHumana')
  })

  it('who was never with the bot may be handed to a sector', () => {
    const r = roteiro()
    expect(r.acontece({ tipo: 'atendenteTransferiu', setor: 'vendas' })).toEqual([])
    expect(r.cliente('oi')).toEqual([])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'vendas' })
  })
})
