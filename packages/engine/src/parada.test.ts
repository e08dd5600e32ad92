import { describe, expect, it } from 'vitest'
import { FRASES } from './frases.ts'
import { pedidoDeParada } from './rules/parada.ts'
import { initialState, parseState } from './state.ts'
import { contextoDeTeste, produtos, roteiro, textos, tipos } from './testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const consentimentos = (efeitos: readonly { readonly tipo: string }[]) =>
  efeitos.filter(({ tipo }) => tipo === 'registrarConsentimento')

it.each([
  ['PARAR', 'parar'],
  [' Parar! ', 'parar'],
  ['*parar*', 'parar'],
  ['Sair.', 'sair'],
  ['parar de enviar o boleto?', null],
  ['não quero parar', null],
  ['pararr', null],
  ['', null],
])('reads %j as %j', (texto, pedido) => expect(pedidoDeParada(texto)).toBe(pedido))

describe('step after PARAR', () => {
  it('confirms once how to undo it and then sends nothing', () => {
    const r = roteiro()
    r.cliente('oi')
    const efeitos = r.cliente('PARAR')
    expect(textos(efeitos)).toEqual([FRASES.parou])
    expect(consentimentos(efeitos)).toEqual([{ tipo: 'registrarConsentimento', ato: 'parada' }])
    for (const texto of ['oi', '1', 'menu', 'parar', 'sair', 'obrigado', 'quanto custa?']) {
      expect(r.cliente(texto), texto).toEqual([])
    }
    r.passa(24 * 60)
    expect(r.cliente('oi')).toEqual([])
    expect(r.cliente('', { midia: 'audio' })).toEqual([])
  })

  it('works before the greeting, during a rating and during a question to the AI', () => {
    expect(textos(roteiro().cliente('sair'))).toEqual([FRASES.parou])

    const avaliando = roteiro()
    avaliando.cliente('atendente')
    avaliando.acontece({ tipo: 'atendenteFinalizou' })
    expect(tipos(avaliando.cliente('parar'))[0]).toBe('pularAvaliacao')

    const perguntando = roteiro(contextoDeTeste(() => undefined, { iaDisponivel: true }))
    perguntando.cliente('oi')
    perguntando.cliente('vocês entregam?')
    perguntando.cliente('parar')
    expect(perguntando.ia({ tipo: 'texto', texto: 'tarde' }, 'm2')).toEqual([])
  })

  it('still reaches people and sends nothing when they finish', () => {
    const r = roteiro()
    r.cliente('parar')
    expect(tipos(r.cliente('atendente'))).toEqual(['enviarTexto', 'abrirConversaHumana'])
    expect(r.etapa()).toBe('humano')
    expect(r.acontece({ tipo: 'atendenteFinalizou' })).toEqual([])
    expect(r.etapa()).toBe('encerrada')
    expect(r.cliente('oi')).toEqual([])
    r.cliente('humano')
    expect(r.acontece({ tipo: 'devolvidaAoBot' })).toEqual([])
    expect(r.acontece({ tipo: 'avaliacaoSimulada' })).toEqual([])
  })

  it('ends with VOLTAR, which otherwise shows the menu', () => {
    const r = roteiro()
    r.cliente('parar')
    const efeitos = r.cliente('Voltar')
    expect(textos(efeitos)).toEqual([FRASES.voltou, MENU])
    expect(consentimentos(efeitos)).toEqual([{ tipo: 'registrarConsentimento', ato: 'retomada' }])
    expect(textos(r.cliente('voltar'))).toEqual([MENU])
  })

  it('records the stop silently while the loop guard is active', () => {
    const r = roteiro()
    for (let i = 0; i < 7; i += 1) r.cliente('oi')
    expect(r.state().caladoAte).not.toBeNull()
    expect(tipos(r.cliente('parar'))).toEqual(['registrarConsentimento', 'finalizarConversa'])
    expect(r.state().paradoEm).not.toBeNull()
  })

  it('ignores PARAR while people or the owner serve the customer', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = roteiro()
      r.cliente('oi')
      r.acontece({ tipo })
      expect(r.cliente('parar')).toEqual([])
      expect(r.state().paradoEm).toBeNull()
    }
  })
})

it('leaves the AI or the shop on SAIR and prefers an option of that title', () => {
  const ia = roteiro(contextoDeTeste(() => undefined, { iaDisponivel: true }))
  ia.cliente('oi')
  ia.cliente('1')
  expect(textos(ia.cliente('SAIR'))).toEqual([MENU])

  const loja = roteiro(contextoDeTeste(() => undefined, { produtos: produtos(2) }))
  loja.cliente('oi')
  loja.cliente('3')
  expect(textos(loja.cliente('sair'))).toEqual([MENU])
  expect(textos(loja.cliente('sair'))).toEqual([FRASES.parou])

  const titulo = roteiro(
    contextoDeTeste((config) => {
      config.menu.opcoes = [{ numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' }]
    }),
  )
  titulo.cliente('oi')
  expect(textos(titulo.cliente('sair'))).toEqual(['TCHAU'])
  expect(titulo.state().paradoEm).toBeNull()
  expect(textos(titulo.cliente('parar'))).toEqual([FRASES.parou])
})

describe('step with a privacy notice', () => {
  const avisa = contextoDeTeste(() => undefined, { avisoPrivacidade: 'AVISO {empresa} https://x.test/privacy' })
  const AVISO = 'AVISO Padaria Aurora https://x.test/privacy'

  it('sends the privacy notice once per customer, after the greeting', () => {
    const r = roteiro(avisa)
    const efeitos = r.cliente('oi')
    expect(textos(efeitos)).toEqual(['BOAS VINDAS', AVISO, MENU])
    expect(consentimentos(efeitos)).toEqual([{ tipo: 'registrarConsentimento', ato: 'aviso' }])
    r.passa(90)
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    expect(textos(roteiro(avisa).cliente('atendente'))).toEqual(['BOAS VINDAS', AVISO, 'AGUARDE'])
    expect(textos(roteiro(avisa).cliente('oi', { enviadaEm: 0 }))).toEqual(['BOAS VINDAS', AVISO, MENU])
  })

  it('sends the notice only when switched on, also to existing customers', () => {
    const r = roteiro()
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    r.passa(90)
    r.muda({ avisoPrivacidade: 'AVISO' })
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', 'AVISO', MENU])
  })
})

it('keeps notice and stop of a state that cannot be parsed otherwise', () => {
  expect(parseState({ paradoEm: 5, avisadoEm: 3 })).toEqual({ ...initialState(), paradoEm: 5, avisadoEm: 3 })
  const { avisadoEm: _, paradoEm: __, ...antigo } = { ...initialState(), erros: 2 }
  expect(parseState(antigo)).toEqual({ ...initialState(), erros: 2 })
})
