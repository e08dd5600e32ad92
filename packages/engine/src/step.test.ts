import { describe, expect, it } from 'vitest'
import { contextoDeTeste, produtos, roteiro, SEGUNDA_10H, textos, tipos } from '#testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const comIa = (muda: Parameters<typeof contextoDeTeste>[0] = () => undefined) =>
  contextoDeTeste(muda, { iaDisponivel: true })

describe('step on the first message', () => {
  it('greets, shows the menu and waits in it', () => {
    const r = roteiro()
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    expect(r.etapa()).toBe('menu')
  })

  it('ignores a number before the menu was shown', () => {
    const r = roteiro()
    expect(textos(r.cliente('2'))).toEqual(['BOAS VINDAS', MENU])
    expect(r.etapa()).toBe('menu')
  })

  it.each(['atendente', 'Humano', 'falar com atendente'])('obeys %s after the greeting', (palavra) => {
    const r = roteiro()
    expect(textos(r.cliente(palavra))).toEqual(['BOAS VINDAS', 'AGUARDE'])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'geral' })
  })

  it('obeys a title and a trigger after the greeting', () => {
    const loja = roteiro(contextoDeTeste(undefined, { produtos: produtos(1) }))
    expect(textos(loja.cliente('VER PRODUTOS'))[0]).toBe('BOAS VINDAS')
    expect(loja.etapa()).toBe('loja')
    const ia = roteiro(comIa())
    expect(tipos(ia.cliente('inteligência artificial'))).toEqual(['enviarTexto', 'perguntarIa'])
    expect(ia.etapa()).toBe('ia')
  })

  it('greets again only after the configured silence', () => {
    const r = roteiro()
    r.cliente('oi')
    r.passa(59)
    expect(textos(r.cliente('4'))).not.toContain('BOAS VINDAS')
    r.passa(61)
    expect(textos(r.cliente('4'))).toEqual(['BOAS VINDAS', MENU])
  })
})

describe('step in the menu', () => {
  it.each([
    '4',
    ' 4 ',
    '04',
    '4.',
    '4)',
    '4️⃣',
    'opção 4',
    'Opcao 4',
    'quatro',
    'informações e horário',
    'INFORMACOES E HORARIO',
  ])('reads %j as option 4', (escrita) => {
    const r = roteiro()
    r.cliente('oi')
    expect(textos(r.cliente(escrita)).join()).toContain('8h às 18h')
  })

  it('answers unknown numbers and words differently and offers a person the third time', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(textos(r.cliente('77'))).toEqual(['INVALIDA', MENU])
    expect(textos(r.cliente('123456789'))).toEqual(['INVALIDA', MENU])
    expect(textos(r.cliente('banana'))).toEqual(['SEM ENTENDER', MENU, expect.stringContaining('*atendente*')])
    expect(textos(r.cliente('abacaxi'))).toEqual(['SEM ENTENDER', MENU])
  })

  it('sends a trigger to the AI only as whole words', () => {
    const r = roteiro(comIa((config) => void (config.ia.comportamentos.sempreResponder = false)))
    r.cliente('oi')
    expect(textos(r.cliente('quero farinha'))).toEqual(['SEM ENTENDER', MENU])
    expect(tipos(r.cliente('quero a IA!'))).toEqual(['perguntarIa'])
    expect(r.etapa()).toBe('ia')
  })

  it('sends everything except digits to the AI and stays in the menu', () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    expect(r.cliente('vocês entregam?')).toEqual([{ tipo: 'perguntarIa', perguntaId: 'm2', esperaMs: 6000 }])
    expect(r.etapa()).toBe('menu')
    expect(textos(r.cliente('99'))).toEqual(['INVALIDA', MENU])
  })

  it('says goodbye and ignores courtesies for ten minutes', () => {
    const r = roteiro()
    r.cliente('oi')
    expect(r.cliente('0')).toEqual([
      { tipo: 'enviarTexto', texto: 'TCHAU', origem: 'bot' },
      { tipo: 'finalizarConversa' },
    ])
    for (const cortesia of ['ok', 'Muito obrigado!', 'valeu', '👍']) expect(r.cliente(cortesia)).toEqual([])
    r.passa(11)
    expect(textos(r.cliente('obrigada'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('fills placeholders once and leaves unknown ones', () => {
    const r = roteiro(
      contextoDeTeste((c) => void (c.menu.mensagens.boasVindas = '{nome} {empresa} {data} {hora} {outra} {horario}')),
    )
    expect(textos(r.cliente('oi', { contato: { nome: '{telefone}', telefone: '55' } }))[0]).toBe(
      '{telefone} Padaria Aurora 23/11/2026 10:00 {outra} segunda a sexta, das 8h às 18h',
    )
  })

  it('answers media with a hint and does not count it as not understood', () => {
    const r = roteiro()
    r.cliente('oi')
    for (const midia of ['audio', 'imagem', 'figurinha', 'localizacao'] as const) {
      expect(textos(r.cliente('', { midia }))).toEqual([expect.stringContaining('texto')])
    }
    expect(r.state().erros).toBe(0)
  })
})

describe('step with people', () => {
  it('opens a conversa in the option’s setor and stops answering', () => {
    const r = roteiro(
      contextoDeTeste(
        (c) =>
          void (c.menu.opcoes = [
            { numero: '2', titulo: 'Vendas', tipo: 'humano', resposta: 'JA VAI {protocolo}', setor: 'vendas' },
          ]),
      ),
    )
    r.cliente('oi')
    expect(r.cliente('2')).toEqual([
      { tipo: 'enviarTexto', texto: 'JA VAI 20261123-0001', origem: 'bot' },
      { tipo: 'abrirConversaHumana', setor: 'vendas' },
    ])
    for (const texto of ['menu', 'atendente', '1', 'oi', '0']) expect(r.cliente(texto)).toEqual([])
  })

  it('reports closed hours once per closed period and still queues the customer', () => {
    const sabado = SEGUNDA_10H + 5 * 86_400_000
    const r = roteiro(contextoDeTeste(), sabado)
    expect(textos(r.cliente('atendente'))).toEqual(['BOAS VINDAS', 'FORA', 'AGUARDE'])
    r.acontece({ tipo: 'devolvidaAoBot' })
    expect(textos(r.cliente('atendente'))).toEqual(['AGUARDE'])
    r.acontece({ tipo: 'devolvidaAoBot' })
    r.passa(3 * 24 * 60)
    expect(tipos(r.cliente('atendente'))).toContain('abrirConversaHumana')
    r.acontece({ tipo: 'devolvidaAoBot' })
    r.passa(10 * 60)
    expect(textos(r.cliente('atendente'))).toContain('FORA')
  })

  it('stays silent while the owner answers from the phone', () => {
    const r = roteiro()
    r.cliente('oi')
    r.acontece({ tipo: 'mensagemDoTelefone' })
    expect(r.cliente('4')).toEqual([])
    r.passa(61)
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('counts the silence from the instant the owner wrote', () => {
    const r = roteiro()
    r.cliente('oi')
    r.passa(120)
    r.donoEscreveu(61)
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    r.donoEscreveu(30)
    r.donoEscreveu(50)
    r.passa(29)
    expect(r.cliente('4')).toEqual([])
    r.passa(2)
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('resets an expired rating when the owner writes from the phone', () => {
    const r = roteiro()
    r.cliente('oi')
    r.cliente('atendente')
    r.acontece({ tipo: 'atendenteFinalizou' })
    r.passa(29)
    r.acontece({ tipo: 'mensagemDoTelefone' })
    expect(r.etapa()).toBe('avaliando')
    r.passa(1)
    r.acontece({ tipo: 'mensagemDoTelefone' })
    expect(r.etapa()).toBe('nenhuma')
  })
})

describe('step in the AI stage', () => {
  const naIa = () => {
    const r = roteiro(comIa())
    r.cliente('oi')
    r.cliente('1')
    return r
  }

  it('sends numbers to the AI and returns to the menu on 0', () => {
    const r = naIa()
    expect(tipos(r.cliente('2'))).toEqual(['perguntarIa'])
    expect(textos(r.cliente('0'))).toEqual([MENU])
  })

  it('drops the answer to a replaced or abandoned question', () => {
    const r = naIa()
    r.cliente('quanto custa')
    r.cliente('o bolo?')
    expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm3')).toEqual([])
    expect(r.ia({ tipo: 'texto', texto: 'R$ 30' })).toEqual([{ tipo: 'enviarTexto', texto: 'R$ 30', origem: 'ia' }])
    r.cliente('e o pão?')
    r.cliente('menu')
    expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm5')).toEqual([])
  })

  it('answers a plain greeting and goodbye without the AI', () => {
    const r = naIa()
    expect(textos(r.cliente('bom dia!'))).toEqual(['CUMPRIMENTO'])
    expect(textos(r.cliente('até logo'))).toEqual(['DESPEDIDA IA'])
  })

  it('hands over at the model’s request and answers a failure', () => {
    const r = naIa()
    r.cliente('minha encomenda?')
    expect(textos(r.ia({ tipo: 'falha', motivo: 'tempo esgotado' }))).toEqual(['NAO ENTENDI'])
    r.cliente('quero reclamar')
    expect(tipos(r.ia({ tipo: 'transferir', setor: 'suporte' }))).toEqual(['enviarTexto', 'abrirConversaHumana'])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
  })

  it('returns to the menu after the AI was switched off', () => {
    const r = naIa()
    r.muda({ iaDisponivel: false })
    expect(textos(r.cliente('quanto custa?'))).toEqual(['NAO ENTENDI', MENU])
    expect(r.etapa()).toBe('menu')
  })
})

describe('step in the shop', () => {
  const naLoja = (quantos: number) => {
    const r = roteiro(contextoDeTeste(undefined, { produtos: produtos(quantos) }))
    r.cliente('oi')
    return { r, primeira: r.cliente('3') }
  }

  it('lists eight produtos per page with continuous numbers and restarts after the last', () => {
    const { r, primeira } = naLoja(10)
    expect(textos(primeira)[1]).toContain('*8* - Produto 8 · R$ 17,00')
    expect(textos(primeira)[1]).not.toContain('Produto 9')
    expect(textos(r.cliente('mais'))[0]).toContain('*9* - Produto 9')
    expect(textos(r.cliente('mais'))[0]).toContain('*1* - Produto 1')
  })

  it('shows a produto and names unavailable and unknown ones', () => {
    const { r } = naLoja(3)
    expect(textos(r.cliente('2'))[0]).toContain('*Produto 2*\n\nDescrição 2\n\n💰 R$ 11,00')
    r.muda({ produtos: produtos(3).filter(({ id }) => id !== 'p2') })
    expect(textos(r.cliente('2'))[0]).toContain('Produto 2')
    expect(textos(r.cliente('2'))[0]).toContain('não está disponível')
    expect(textos(r.cliente('3'))[0]).toContain('*Produto 3*')
    expect(textos(r.cliente('bolo'))[0]).toContain('Não encontrei este produto')
    expect(textos(r.cliente('0'))).toEqual([MENU])
  })

  it('reports an empty catalogue and shows the menu', () => {
    expect(textos(naLoja(0).primeira)).toEqual([expect.stringContaining('não temos produtos'), MENU])
  })
})

describe('step with a rating', () => {
  const finalizada = () => {
    const r = roteiro()
    r.cliente('atendente')
    const pedido = r.acontece({ tipo: 'atendenteFinalizou' })
    return { r, pedido }
  }

  it.each([
    ['5', 5],
    ['nota 5', 5],
    ['cinco', 5],
    ['5️⃣', 5],
    ['0', 0],
    [' 3 ', 3],
    ['4/5', 4],
    ['⭐⭐', 2],
  ])('reads %j as nota %d', (escrita, nota) => {
    const { r, pedido } = finalizada()
    expect(textos(pedido)).toEqual(['TCHAU', expect.stringContaining('0')])
    expect(r.cliente(escrita)[0]).toEqual({ tipo: 'registrarAvaliacao', nota })
    expect(r.etapa()).toBe('encerrada')
  })

  it('asks again once for an invalid nota and then gives up', () => {
    const { r } = finalizada()
    expect(textos(r.cliente('9'))).toEqual([expect.stringContaining('0')])
    expect(r.cliente('4')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 4 })
    const outra = finalizada().r
    outra.cliente('9')
    expect(tipos(outra.cliente('10'))).toEqual(['pularAvaliacao', 'enviarTexto'])
  })

  it('keeps waiting after a courtesy and answers any other text', () => {
    const { r } = finalizada()
    expect(r.cliente('obrigado')).toEqual([])
    expect(r.etapa()).toBe('avaliando')
    const efeitos = r.cliente('quero mais pão')
    expect(tipos(efeitos)[0]).toBe('pularAvaliacao')
    expect(textos(efeitos)).toEqual(['BOAS VINDAS', MENU])
  })

  it('stops waiting after thirty minutes', () => {
    const { r } = finalizada()
    r.passa(31)
    expect(tipos(r.cliente('5'))[0]).toBe('pularAvaliacao')
  })

  it('asks a contato at most once per day', () => {
    const { r } = finalizada()
    r.cliente('5')
    r.cliente('atendente')
    expect(textos(r.acontece({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU'])
  })
})

describe('step with the loop guard', () => {
  it('stops answering for ten minutes at the sixth equal text, with a warning', () => {
    const r = roteiro()
    for (let vez = 1; vez <= 5; vez += 1) expect(r.cliente('banana')).not.toEqual([])
    expect(tipos(r.cliente('banana'))).toEqual(['registrarLog'])
    expect(r.cliente('4')).toEqual([])
    r.passa(11)
    expect(textos(r.cliente('4'))).not.toEqual([])
  })

  it('sends fifteen answers within a minute but not a sixteenth', () => {
    const r = roteiro()
    for (let vez = 1; vez <= 15; vez += 1)
      expect(textos(r.cliente(vez % 2 === 0 ? '4' : `fruta ${vez}`))).not.toEqual([])
    expect(tipos(r.cliente('4'))).toEqual(['registrarLog'])
  })

  it('greets once for old messages of a backlog', () => {
    const r = roteiro()
    const antiga = { enviadaEm: SEGUNDA_10H - 3_600_000 }
    expect(textos(r.cliente('oi', antiga))).toEqual(['BOAS VINDAS', MENU])
    expect(r.cliente('tem alguém?', antiga)).toEqual([])
    expect(textos(r.cliente('4'))).not.toEqual([])
  })
})
