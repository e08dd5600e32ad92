import { describe, expect, it } from 'vitest'
import {
  testBotContext,
  sampleProdutos,
  createTranscript,
  MONDAY_10H,
  sentTexts,
  effectTipos,
} from '#testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const comIa = (muda: Parameters<typeof testBotContext>[0] = () => undefined) =>
  testBotContext(muda, { iaAvailable: true })

describe('step on the first message', () => {
  it('greets, shows the menu and waits in it', () => {
    const r = createTranscript()
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
    expect(r.etapa()).toBe('menu')
  })

  it('ignores a number before the menu was shown', () => {
    const r = createTranscript()
    expect(sentTexts(r.customer('2'))).toEqual(['BOAS VINDAS', MENU])
    expect(r.etapa()).toBe('menu')
  })

  it.each(['atendente', 'Humano', 'falar com atendente'])('obeys %s after the greeting', (word) => {
    const r = createTranscript()
    expect(sentTexts(r.customer(word))).toEqual(['BOAS VINDAS', 'AGUARDE'])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'geral' })
  })

  it('obeys a title and a trigger after the greeting', () => {
    const loja = createTranscript(testBotContext(undefined, { produtos: sampleProdutos(1) }))
    expect(sentTexts(loja.customer('VER PRODUTOS'))[0]).toBe('BOAS VINDAS')
    expect(loja.etapa()).toBe('loja')
    const ia = createTranscript(comIa())
    expect(effectTipos(ia.customer('inteligência artificial'))).toEqual(['enviarTexto', 'perguntarIa'])
    expect(ia.etapa()).toBe('ia')
  })

  it('greets again only after the configured silence', () => {
    const r = createTranscript()
    r.customer('oi')
    r.advance(59)
    expect(sentTexts(r.customer('4'))).not.toContain('BOAS VINDAS')
    r.advance(61)
    expect(sentTexts(r.customer('4'))).toEqual(['BOAS VINDAS', MENU])
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
    const r = createTranscript()
    r.customer('oi')
    expect(sentTexts(r.customer(escrita)).join()).toContain('8h às 18h')
  })

  it('answers unknown numbers and words differently and offers a person the third time', () => {
    const r = createTranscript()
    r.customer('oi')
    expect(sentTexts(r.customer('77'))).toEqual(['INVALIDA', MENU])
    expect(sentTexts(r.customer('123456789'))).toEqual(['INVALIDA', MENU])
    expect(sentTexts(r.customer('banana'))).toEqual(['SEM ENTENDER', MENU, expect.stringContaining('*atendente*')])
    expect(sentTexts(r.customer('abacaxi'))).toEqual(['SEM ENTENDER', MENU])
  })

  it('sends a trigger to the AI only as whole words', () => {
    const r = createTranscript(comIa((config) => void (config.ia.comportamentos.sempreResponder = false)))
    r.customer('oi')
    expect(sentTexts(r.customer('quero farinha'))).toEqual(['SEM ENTENDER', MENU])
    expect(effectTipos(r.customer('quero a IA!'))).toEqual(['perguntarIa'])
    expect(r.etapa()).toBe('ia')
  })

  it('sends everything except digits to the AI and stays in the menu', () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    expect(r.customer('vocês entregam?')).toEqual([{ tipo: 'perguntarIa', perguntaId: 'm2', esperaMs: 6000 }])
    expect(r.etapa()).toBe('menu')
    expect(sentTexts(r.customer('99'))).toEqual(['INVALIDA', MENU])
  })

  it('says goodbye and ignores courtesies for ten minutes', () => {
    const r = createTranscript()
    r.customer('oi')
    expect(r.customer('0')).toEqual([
      { tipo: 'enviarTexto', texto: 'TCHAU', origem: 'bot' },
      { tipo: 'finalizarConversa' },
    ])
    for (const cortesia of ['ok', 'Muito obrigado!', 'valeu', '👍']) expect(r.customer(cortesia)).toEqual([])
    r.advance(11)
    expect(sentTexts(r.customer('obrigada'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('fills placeholders once and leaves unknown ones', () => {
    const r = createTranscript(
      testBotContext((c) => void (c.menu.mensagens.boasVindas = '{nome} {empresa} {data} {hora} {outra} {horario}')),
    )
    expect(sentTexts(r.customer('oi', { contato: { nome: '{telefone}', telefone: '55' } }))[0]).toBe(
      '{telefone} Padaria Aurora 23/11/2026 10:00 {outra} segunda a sexta, das 8h às 18h',
    )
  })

  it('answers media with a hint and does not count it as not understood', () => {
    const r = createTranscript()
    r.customer('oi')
    for (const midia of ['audio', 'imagem', 'figurinha', 'localizacao'] as const) {
      expect(sentTexts(r.customer('', { midia }))).toEqual([expect.stringContaining('texto')])
    }
    expect(r.state().erros).toBe(0)
  })
})

describe('step with people', () => {
  it('opens a conversa in the option’s setor and stops answering', () => {
    const r = createTranscript(
      testBotContext(
        (c) =>
          void (c.menu.opcoes = [
            { numero: '2', titulo: 'Vendas', tipo: 'humano', resposta: 'JA VAI {protocolo}', setor: 'vendas' },
          ]),
      ),
    )
    r.customer('oi')
    expect(r.customer('2')).toEqual([
      { tipo: 'enviarTexto', texto: 'JA VAI 20261123-0001', origem: 'bot' },
      { tipo: 'abrirConversaHumana', setor: 'vendas' },
    ])
    for (const text of ['menu', 'atendente', '1', 'oi', '0']) expect(r.customer(text)).toEqual([])
  })

  it('reports closed hours once per closed period and still queues the customer', () => {
    const sabado = MONDAY_10H + 5 * 86_400_000
    const r = createTranscript(testBotContext(), sabado)
    expect(sentTexts(r.customer('atendente'))).toEqual(['BOAS VINDAS', 'FORA', 'AGUARDE'])
    r.emit({ tipo: 'devolvidaAoBot' })
    expect(sentTexts(r.customer('atendente'))).toEqual(['AGUARDE'])
    r.emit({ tipo: 'devolvidaAoBot' })
    r.advance(3 * 24 * 60)
    expect(effectTipos(r.customer('atendente'))).toContain('abrirConversaHumana')
    r.emit({ tipo: 'devolvidaAoBot' })
    r.advance(10 * 60)
    expect(sentTexts(r.customer('atendente'))).toContain('FORA')
  })

  it('stays silent while the owner answers from the phone', () => {
    const r = createTranscript()
    r.customer('oi')
    r.emit({ tipo: 'mensagemDoTelefone' })
    expect(r.customer('4')).toEqual([])
    r.advance(61)
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('counts the silence from the instant the owner wrote', () => {
    const r = createTranscript()
    r.customer('oi')
    r.advance(120)
    r.ownerWrote(61)
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
    r.ownerWrote(30)
    r.ownerWrote(50)
    r.advance(29)
    expect(r.customer('4')).toEqual([])
    r.advance(2)
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
  })

  it('resets an expired rating when the owner writes from the phone', () => {
    const r = createTranscript()
    r.customer('oi')
    r.customer('atendente')
    r.emit({ tipo: 'atendenteFinalizou' })
    r.advance(29)
    r.emit({ tipo: 'mensagemDoTelefone' })
    expect(r.etapa()).toBe('avaliando')
    r.advance(1)
    r.emit({ tipo: 'mensagemDoTelefone' })
    expect(r.etapa()).toBe('nenhuma')
  })
})

describe('step in the AI stage', () => {
  const naIa = () => {
    const r = createTranscript(comIa())
    r.customer('oi')
    r.customer('1')
    return r
  }

  it('sends numbers to the AI and returns to the menu on 0', () => {
    const r = naIa()
    expect(effectTipos(r.customer('2'))).toEqual(['perguntarIa'])
    expect(sentTexts(r.customer('0'))).toEqual([MENU])
  })

  it('drops the answer to a replaced or abandoned question', () => {
    const r = naIa()
    r.customer('quanto custa')
    r.customer('o bolo?')
    expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm3')).toEqual([])
    const [, answer] = r.ia({ tipo: 'texto', texto: 'R$ 30' })
    expect(answer).toEqual({ tipo: 'enviarTexto', texto: 'R$ 30', origem: 'ia' })
    r.customer('e o pão?')
    r.customer('menu')
    expect(r.ia({ tipo: 'texto', texto: 'tarde' }, 'm5')).toEqual([])
  })

  it('answers a plain greeting and goodbye without the AI', () => {
    const r = naIa()
    expect(sentTexts(r.customer('bom dia!'))).toEqual(['CUMPRIMENTO'])
    expect(sentTexts(r.customer('até logo'))).toEqual(['DESPEDIDA IA'])
  })

  it('hands over at the model’s request and answers a failure', () => {
    const r = naIa()
    r.customer('minha encomenda?')
    expect(sentTexts(r.ia({ tipo: 'falha', motivo: 'tempo esgotado' }))).toEqual(['NAO ENTENDI'])
    r.customer('quero reclamar')
    expect(effectTipos(r.ia({ tipo: 'transferir', setor: 'suporte' }))).toEqual(['enviarTexto', 'abrirConversaHumana'])
    expect(r.state()).toMatchObject({ etapa: 'humano', setor: 'suporte' })
  })

  it('returns to the menu after the AI was switched off', () => {
    const r = naIa()
    r.change({ iaAvailable: false })
    expect(sentTexts(r.customer('quanto custa?'))).toEqual(['NAO ENTENDI', MENU])
    expect(r.etapa()).toBe('menu')
  })
})

describe('step in the shop', () => {
  const naLoja = (count: number) => {
    const r = createTranscript(testBotContext(undefined, { produtos: sampleProdutos(count) }))
    r.customer('oi')
    return { r, primeira: r.customer('3') }
  }

  it('lists eight produtos per page with continuous numbers and restarts after the last', () => {
    const { r, primeira } = naLoja(10)
    expect(sentTexts(primeira)[1]).toContain('*8* - Produto 8 · R$ 17,00')
    expect(sentTexts(primeira)[1]).not.toContain('Produto 9')
    expect(sentTexts(r.customer('mais'))[0]).toContain('*9* - Produto 9')
    expect(sentTexts(r.customer('mais'))[0]).toContain('*1* - Produto 1')
  })

  it('shows a produto and names unavailable and unknown ones', () => {
    const { r } = naLoja(3)
    expect(sentTexts(r.customer('2'))[0]).toContain('*Produto 2*\n\nDescrição 2\n\n💰 R$ 11,00')
    r.change({ produtos: sampleProdutos(3).filter(({ id }) => id !== 'p2') })
    expect(sentTexts(r.customer('2'))[0]).toContain('Produto 2')
    expect(sentTexts(r.customer('2'))[0]).toContain('não está disponível')
    expect(sentTexts(r.customer('3'))[0]).toContain('*Produto 3*')
    expect(sentTexts(r.customer('bolo'))[0]).toContain('Não encontrei este produto')
    expect(sentTexts(r.customer('0'))).toEqual([MENU])
  })

  it('reports an empty catalogue and shows the menu', () => {
    expect(sentTexts(naLoja(0).primeira)).toEqual([expect.stringContaining('não temos produtos'), MENU])
  })
})

describe('step with a rating', () => {
  const finalizada = () => {
    const r = createTranscript()
    r.customer('atendente')
    const pedido = r.emit({ tipo: 'atendenteFinalizou' })
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
    expect(sentTexts(pedido)).toEqual(['TCHAU', expect.stringContaining('0')])
    expect(r.customer(escrita)[0]).toEqual({ tipo: 'registrarAvaliacao', nota })
    expect(r.etapa()).toBe('encerrada')
  })

  it('asks again once for an invalid nota and then gives up', () => {
    const { r } = finalizada()
    expect(sentTexts(r.customer('9'))).toEqual([expect.stringContaining('0')])
    expect(r.customer('4')[0]).toEqual({ tipo: 'registrarAvaliacao', nota: 4 })
    const other = finalizada().r
    other.customer('9')
    expect(effectTipos(other.customer('10'))).toEqual(['enviarTexto'])
  })

  it('keeps waiting after a courtesy and answers any other text', () => {
    const { r } = finalizada()
    expect(r.customer('obrigado')).toEqual([])
    expect(r.etapa()).toBe('avaliando')
    const effects = r.customer('quero mais pão')
    expect(r.etapa()).toBe('menu')
    expect(sentTexts(effects)).toEqual(['BOAS VINDAS', MENU])
  })

  it('stops waiting after thirty minutes', () => {
    const { r } = finalizada()
    r.advance(31)
    expect(effectTipos(r.customer('5'))).not.toContain('registrarAvaliacao')
    expect(r.etapa()).toBe('menu')
  })

  it('asks a contato at most once per day', () => {
    const { r } = finalizada()
    r.customer('5')
    r.customer('atendente')
    expect(sentTexts(r.emit({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU'])
  })

  it('says goodbye without the question when the operator asks for no rating', () => {
    const r = createTranscript()
    r.customer('atendente')
    expect(sentTexts(r.emit({ tipo: 'atendenteFinalizou', semAvaliacao: true }))).toEqual(['TCHAU'])
    expect(r.state()).toMatchObject({ etapa: 'encerrada', avaliacaoPedidaEm: null })
  })

  it('ends in silence and asks for the rating when the goodbye follows', () => {
    const r = createTranscript()
    r.customer('atendente')
    expect(r.emit({ tipo: 'atendenteEncerrou' })).toEqual([])
    expect(r.etapa()).toBe('encerrada')
    expect(r.customer('obrigado')).toEqual([])
    expect(sentTexts(r.emit({ tipo: 'atendenteFinalizou' }))).toEqual(['TCHAU', expect.stringContaining('0* a *5')])
    expect(r.etapa()).toBe('avaliando')
  })

  it('greets a customer who writes after a silent end', () => {
    const r = createTranscript()
    r.customer('atendente')
    r.emit({ tipo: 'atendenteEncerrou' })
    r.advance(61)
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
  })
})

describe('step with the loop guard', () => {
  it('stops answering for ten minutes at the sixth equal text, with a warning', () => {
    const r = createTranscript()
    for (let vez = 1; vez <= 5; vez += 1) expect(r.customer('banana')).not.toEqual([])
    expect(effectTipos(r.customer('banana'))).toEqual(['registrarLog'])
    expect(r.customer('4')).toEqual([])
    r.advance(11)
    expect(sentTexts(r.customer('4'))).not.toEqual([])
  })

  it('sends fifteen answers within a minute but not a sixteenth', () => {
    const r = createTranscript()
    for (let vez = 1; vez <= 15; vez += 1)
      expect(sentTexts(r.customer(vez % 2 === 0 ? '4' : `fruta ${vez}`))).not.toEqual([])
    expect(effectTipos(r.customer('4'))).toEqual(['registrarLog'])
  })

  it('greets once for old messages of a backlog', () => {
    const r = createTranscript()
    const old = { enviadaEm: MONDAY_10H - 3_600_000 }
    expect(sentTexts(r.customer('oi', old))).toEqual(['BOAS VINDAS', MENU])
    expect(r.customer('tem alguém?', old)).toEqual([])
    expect(sentTexts(r.customer('4'))).not.toEqual([])
  })
})
