import { describe, expect, it } from 'vitest'
import { contextoDeTeste, produtos, roteiro, SEGUNDA_10H, textos, tipos } from '#testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const SO_TEXTO = expect.stringContaining('consigo ler')
const comIa = (muda: Parameters<typeof contextoDeTeste>[0] = () => undefined) =>
  contextoDeTeste(muda, { iaDisponivel: true })

describe('step with a question to the AI', () => {
  it('adds a greeting to the waiting question', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    r.cliente('qual o preço do bolo?')
    expect(r.cliente('bom dia')).toEqual([{ tipo: 'perguntarIa', perguntaId: 'm4', esperaMs: 6000 }])
    expect(textos(r.ia({ tipo: 'texto', texto: 'R$ 30' }))).toEqual(['R$ 30'])
    expect(textos(r.cliente('bom dia'))).toEqual(['CUMPRIMENTO'])
  })

  it('keeps the question when a recording follows', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    r.cliente('qual o preço do bolo?')
    expect(textos(r.cliente('', { midia: 'audio' }))).toEqual([SO_TEXTO])
    expect(textos(r.ia({ tipo: 'texto', texto: 'R$ 30' }, 'm3'))).toEqual(['R$ 30'])
  })

  it('drops the answer after people or the owner took over', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = roteiro(comIa())
      r.cliente('oi')
      r.cliente('vocês entregam?')
      r.acontece({ tipo })
      expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm2')).toEqual([])
    }
  })

  it('sends a recording to the AI only if it reads media', () => {
    const ouve = roteiro({ ...comIa(), iaLeMidia: true })
    ouve.cliente('oi')
    expect(tipos(ouve.cliente('', { midia: 'audio' }))).toEqual(['perguntarIa'])
    expect(textos(ouve.cliente('', { midia: 'documento' }))).toEqual([SO_TEXTO])
    const surda = roteiro(comIa())
    surda.cliente('oi')
    expect(textos(surda.cliente('', { midia: 'audio' }))).toEqual([SO_TEXTO])
  })

  it('leaves the AI on 0 and sair, but keeps a number in words', () => {
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

  it('warns the owner when a customer asks for a disabled AI', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(tipos(r.cliente('1'))).toEqual(['enviarTexto', 'registrarLog', 'enviarTexto'])
  })

  it('logs a failure and an empty answer as errors and stays in the menu', () => {
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

  it('hands over to geral when the model names an unknown setor', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('quero reclamar')
    expect(r.ia({ tipo: 'transferir', setor: 'inventado' })).toContainEqual({
      tipo: 'abrirConversaHumana',
      setor: 'geral',
    })
  })
})

describe('step with media', () => {
  it('answers the caption and does not count an unknown one as not understood', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(textos(r.cliente('4', { midia: 'imagem' })).join()).toContain('8h às 18h')
    for (const legenda of ['olha que lindo', '99']) {
      expect(textos(r.cliente(legenda, { midia: 'imagem' }))).toEqual([SO_TEXTO])
    }
    expect(r.state().erros).toBe(0)
    expect(textos(r.cliente('atendente', { midia: 'imagem' }))).toEqual(['AGUARDE'])
  })

  it('greets a first recording with a hint, but not a first sticker', () => {
    expect(textos(roteiro().cliente('', { midia: 'audio' }))).toEqual(['BOAS VINDAS', SO_TEXTO, MENU])
    expect(textos(roteiro().cliente('', { midia: 'figurinha' }))).toEqual(['BOAS VINDAS', MENU])
  })

  it('neither counts nor resets misses for media and blank texts', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('banana')
    r.cliente('', { midia: 'audio' })
    r.cliente('  \n ')
    expect(r.state().erros).toBe(1)
  })
})

it('shows the menu although a trigger or title has its name', () => {
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

describe('step with people over several messages', () => {
  it('returns to a fresh menu that obeys numbers', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.passa(90)
    expect(textos(r.acontece({ tipo: 'devolvidaAoBot' }))).toEqual([MENU])
    expect(textos(r.cliente('4')).join()).toContain('8h às 18h')
  })

  it('asks for a rating when an operator finishes, also after writing on the phone', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'mensagemDoTelefone' })
    r.acontece({ tipo: 'atendenteFinalizou' })
    expect(r.cliente('5')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 5 })
  })

  it('greets again after the owner’s silence on the phone ends', () => {
    const r = roteiro()
    r.cliente('oi')
    r.acontece({ tipo: 'mensagemDoTelefone' })
    r.passa(50)
    expect(r.cliente('pode ser amanhã?')).toEqual([])
    r.passa(20)
    expect(textos(r.cliente('2'))).toEqual(['BOAS VINDAS', MENU])
    expect(textos(r.cliente('4')).join()).toContain('8h às 18h')
  })

  it('ends without a question when ratings are off', () => {
    const r = roteiro(contextoDeTeste((config) => void (config.atendimento.avaliacao.ativa = false)))
    r.cliente('atendente')
    expect(textos(r.acontece({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU'])
    expect(r.etapa()).toBe('encerrada')
  })

  it('uses the setor geral when the option’s setor is inactive', () => {
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

describe('step with a test rating', () => {
  const PEDIDO = [expect.stringContaining('nota de *0* a *5*')]

  it('asks in any stage, also without earlier messages, and takes the nota', () => {
    for (const antes of [[], ['oi'], ['oi', '3']]) {
      const r = roteiro()
      for (const texto of antes) r.cliente(texto)
      expect(textos(r.acontece({ tipo: 'avaliacaoSimulada' }))).toEqual(PEDIDO)
      expect(r.cliente('4')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 4 })
      expect(r.etapa()).toBe('encerrada')
    }
  })

  it('repeats the test with ratings off and still asks the real question', () => {
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

  it('answers any other text of the customer normally', () => {
    const r = roteiro()
    r.acontece({ tipo: 'avaliacaoSimulada' })
    expect(tipos(r.cliente('vocês entregam hoje?'))).toEqual(['pularAvaliacao', 'enviarTexto', 'enviarTexto'])
  })

  it('does nothing while people serve the customer', () => {
    const r = roteiro()
    r.cliente('atendente')
    expect(r.acontece({ tipo: 'avaliacaoSimulada' })).toEqual([])
    expect(r.cliente('5')).toEqual([])
    expect(r.etapa()).toBe('humano')
  })
})

describe('step after the end', () => {
  it.each(['tchau', 'obrigada, boa noite!', '🇧🇷'])('ignores %j but greets a question', (cortesia) => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('0')
    expect(r.cliente(cortesia)).toEqual([])
    expect(textos(r.cliente('ok?'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('counts a courtesy from the time of sending', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('0')
    const dita = SEGUNDA_10H + 60_000
    r.passa(40)
    expect(r.cliente('obrigado', { enviadaEm: dita })).toEqual([])
  })

  it('expires a rating after thirty minutes and not before', () => {
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

  it('hands over from a rating when the customer asks for a person', () => {
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

describe('step with a backlog', () => {
  const antiga = (minutos: number) => ({ enviadaEm: SEGUNDA_10H - minutos * 60_000 })

  it('greets a backlog of another day again', () => {
    const r = roteiro()
    r.cliente('oi', antiga(60))
    expect(r.cliente('alguém?', antiga(50))).toEqual([])
    r.passa(24 * 60)
    expect(textos(r.cliente('oi?', antiga(0)))).toEqual(['BOAS VINDAS', MENU])
  })

  it('skips an awaited rating', () => {
    const r = roteiro()
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteFinalizou' })
    r.passa(20)
    expect(tipos(r.cliente('voltei', antiga(0)))).toEqual(['pularAvaliacao', 'enviarTexto', 'enviarTexto'])
  })
})

describe('step with all texts emptied by the owner', () => {
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

  it('still answers after a failure of the AI', () => {
    const r = roteiro(vazio())
    r.cliente('oi')
    r.cliente('e o bolo?')
    expect(textos(r.ia({ tipo: 'falha', motivo: 'x' }))).not.toEqual([])
  })
})

describe('step in the shop over several messages', () => {
  it('keeps numbers while the catalogue changes and sends the picture', () => {
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

  it('sends a text too long for a caption after the picture', () => {
    const longos = produtos(1).map((produto) => ({ ...produto, descricao: 'à'.repeat(1_000), imagemUrl: '/foto.webp' }))
    const r = roteiro(contextoDeTeste(undefined, { produtos: longos }))
    r.cliente('oi')
    r.cliente('3')
    const [foto, palavras, ...mais] = r.cliente('1')
    expect(foto).toEqual({ tipo: 'enviarImagem', imagemUrl: '/foto.webp', legenda: '*Produto 1*' })
    expect(textos(palavras === undefined ? [] : [palavras])[0]).toContain('à\n\n💰 R$ 10,00')
    expect(mais).toEqual([])
  })

  it('obeys menu and atendente', () => {
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

describe('step while people serve the customer', () => {
  it('stays silent across setores and returns to a menu that obeys', () => {
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

  it('accepts a transfer of a customer without earlier messages', () => {
    const r = roteiro()
    expect(r.acontece({ tipo: 'atendenteTransferiu', setor: 'vendas' })).toEqual([])
    expect(r.cliente('oi')).toEqual([])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'vendas' })
  })
})
