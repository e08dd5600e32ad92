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

describe('who asks for silence', () => {
  it('is told once how to undo it, and then hears nothing from the machine', () => {
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

  it('may ask before any greeting, in the middle of a rating and of a question to the assistant', () => {
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

  it('still reaches people, and is not written to by the machine when they are done', () => {
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

  it('comes back with VOLTAR, which is the menu for everybody else', () => {
    const r = roteiro()
    r.cliente('parar')
    const efeitos = r.cliente('Voltar')
    expect(textos(efeitos)).toEqual([FRASES.voltou, MENU])
    expect(consentimentos(efeitos)).toEqual([{ tipo: 'registrarConsentimento', ato: 'retomada' }])
    expect(textos(r.cliente('voltar'))).toEqual([MENU])
  })

  it('is heard while the bot must be silent, without a word', () => {
    const r = roteiro()
    for (let i = 0; i < 7; i += 1) r.cliente('oi')
    expect(r.state().caladoAte).not.toBeNull()
    expect(tipos(r.cliente('parar'))).toEqual(['registrarConsentimento', 'finalizarConversa'])
    expect(r.state().paradoEm).not.toBeNull()
  })

  it('is not heard where the word is for people', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = roteiro()
      r.cliente('oi')
      r.acontece({ tipo })
      expect(r.cliente('parar')).toEqual([])
      expect(r.state().paradoEm).toBeNull()
    }
  })
})

it('SAIR leaves the assistant and the shop, and chooses an option of that title', () => {
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

describe('the privacy notice', () => {
  const avisa = contextoDeTeste(() => undefined, { avisoPrivacidade: 'AVISO {empresa} https://x.test/privacy' })
  const AVISO = 'AVISO Padaria Aurora https://x.test/privacy'

  it('follows the greeting once in a customer’s life, whatever they begin with', () => {
    const r = roteiro(avisa)
    const efeitos = r.cliente('oi')
    expect(textos(efeitos)).toEqual(['BOAS VINDAS', AVISO, MENU])
    expect(consentimentos(efeitos)).toEqual([{ tipo: 'registrarConsentimento', ato: 'aviso' }])
    r.passa(90)
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    expect(textos(roteiro(avisa).cliente('atendente'))).toEqual(['BOAS VINDAS', AVISO, 'AGUARDE'])
    expect(textos(roteiro(avisa).cliente('oi', { enviadaEm: 0 }))).toEqual(['BOAS VINDAS', AVISO, MENU])
  })

  it('is silent unless it is switched on, and then greets old customers too', () => {
    const r = roteiro()
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', MENU])
    r.passa(90)
    r.muda({ avisoPrivacidade: 'AVISO' })
    expect(textos(r.cliente('oi'))).toEqual(['BOAS VINDAS', 'AVISO', MENU])
  })
})

it('a state whose rest cannot be read keeps the customer’s word', () => {
  expect(parseState({ paradoEm: 5, avisadoEm: 3 })).toEqual({ ...initialState(), paradoEm: 5, avisadoEm: 3 })
  const { avisadoEm: _, paradoEm: __, ...antigo } = { ...initialState(), erros: 2 }
  expect(parseState(antigo)).toEqual({ ...initialState(), erros: 2 })
})
