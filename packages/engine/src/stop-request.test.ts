import { describe, expect, it } from 'vitest'
import { PHRASES } from './phrases.ts'
import { parseStopWord } from './rules/stop-words.ts'
import { initialState } from './state.ts'
import { parseState } from './stored-state/parse.ts'
import { testBotContext, sampleProdutos, createTranscript, sentTexts, effectTipos } from './testing/transcript.ts'

const MENU = expect.stringMatching(/^MENU\n\n\*1\* - /)
const consentimentos = (effects: readonly { readonly tipo: string }[]) =>
  effects.filter(({ tipo }) => tipo === 'registrarConsentimento')

it.each([
  ['PARAR', 'parar'],
  [' Parar! ', 'parar'],
  ['*parar*', 'parar'],
  ['Sair.', 'sair'],
  ['parar de enviar o boleto?', null],
  ['não quero parar', null],
  ['pararr', null],
  ['', null],
])('reads %j as %j', (text, request) => expect(parseStopWord(text)).toBe(request))

describe('step after PARAR', () => {
  it('confirms once how to undo it and then sends nothing', () => {
    const r = createTranscript()
    r.customer('oi')
    const effects = r.customer('PARAR')
    expect(sentTexts(effects)).toEqual([PHRASES.parou])
    expect(consentimentos(effects)).toEqual([{ tipo: 'registrarConsentimento', ato: 'parada' }])
    for (const text of ['oi', '1', 'menu', 'parar', 'sair', 'obrigado', 'quanto custa?']) {
      expect(r.customer(text), text).toEqual([])
    }
    r.advance(24 * 60)
    expect(r.customer('oi')).toEqual([])
    expect(r.customer('', { midia: 'audio' })).toEqual([])
  })

  it('works before the greeting, during a rating and during a question to the AI', () => {
    expect(sentTexts(createTranscript().customer('sair'))).toEqual([PHRASES.parou])

    const avaliando = createTranscript()
    avaliando.customer('atendente')
    avaliando.emit({ tipo: 'atendenteFinalizou' })
    expect(effectTipos(avaliando.customer('parar'))[0]).toBe('registrarConsentimento')

    const asking = createTranscript(testBotContext(() => undefined, { iaAvailable: true }))
    asking.customer('oi')
    asking.customer('vocês entregam?')
    asking.customer('parar')
    expect(asking.ia({ tipo: 'texto', texto: 'tarde' }, 'm2')).toEqual([])
  })

  it('still reaches people and sends nothing when they finish', () => {
    const r = createTranscript()
    r.customer('parar')
    expect(effectTipos(r.customer('atendente'))).toEqual(['enviarTexto', 'abrirConversaHumana'])
    expect(r.etapa()).toBe('humano')
    expect(r.emit({ tipo: 'atendenteFinalizou' })).toEqual([])
    expect(r.etapa()).toBe('encerrada')
    expect(r.customer('oi')).toEqual([])
    r.customer('humano')
    expect(r.emit({ tipo: 'devolvidaAoBot' })).toEqual([])
    expect(r.emit({ tipo: 'avaliacaoSimulada' })).toEqual([])
  })

  it('ends with VOLTAR, which otherwise shows the menu', () => {
    const r = createTranscript()
    r.customer('parar')
    const effects = r.customer('Voltar')
    expect(sentTexts(effects)).toEqual([PHRASES.voltou, MENU])
    expect(consentimentos(effects)).toEqual([{ tipo: 'registrarConsentimento', ato: 'retomada' }])
    expect(sentTexts(r.customer('voltar'))).toEqual([MENU])
  })

  it('records the stop silently while the loop guard is active', () => {
    const r = createTranscript()
    for (let i = 0; i < 7; i += 1) r.customer('oi')
    expect(r.state().caladoAte).not.toBeNull()
    expect(effectTipos(r.customer('parar'))).toEqual(['registrarConsentimento', 'finalizarConversa'])
    expect(r.state().paradoEm).not.toBeNull()
  })

  it('ignores PARAR while people or the owner serve the customer', () => {
    for (const tipo of ['atendenteAssumiu', 'mensagemDoTelefone'] as const) {
      const r = createTranscript()
      r.customer('oi')
      r.emit({ tipo })
      expect(r.customer('parar')).toEqual([])
      expect(r.state().paradoEm).toBeNull()
    }
  })
})

it('leaves the AI or the shop on SAIR and prefers an option of that title', () => {
  const ia = createTranscript(testBotContext(() => undefined, { iaAvailable: true }))
  ia.customer('oi')
  ia.customer('1')
  expect(sentTexts(ia.customer('SAIR'))).toEqual([MENU])

  const loja = createTranscript(testBotContext(() => undefined, { produtos: sampleProdutos(2) }))
  loja.customer('oi')
  loja.customer('3')
  expect(sentTexts(loja.customer('sair'))).toEqual([MENU])
  expect(sentTexts(loja.customer('sair'))).toEqual([PHRASES.parou])

  const title = createTranscript(
    testBotContext((config) => {
      config.menu.opcoes = [{ numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' }]
    }),
  )
  title.customer('oi')
  expect(sentTexts(title.customer('sair'))).toEqual(['TCHAU'])
  expect(title.state().paradoEm).toBeNull()
  expect(sentTexts(title.customer('parar'))).toEqual([PHRASES.parou])
})

describe('step with a privacy notice', () => {
  const avisa = testBotContext(() => undefined, { avisoPrivacidade: 'AVISO {empresa} https://x.test/privacy' })
  const AVISO = 'AVISO Padaria Aurora https://x.test/privacy'

  it('sends the privacy notice once per customer, after the greeting', () => {
    const r = createTranscript(avisa)
    const effects = r.customer('oi')
    expect(sentTexts(effects)).toEqual(['BOAS VINDAS', AVISO, MENU])
    expect(consentimentos(effects)).toEqual([{ tipo: 'registrarConsentimento', ato: 'aviso' }])
    r.advance(90)
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
    expect(sentTexts(createTranscript(avisa).customer('atendente'))).toEqual(['BOAS VINDAS', AVISO, 'AGUARDE'])
    expect(sentTexts(createTranscript(avisa).customer('oi', { enviadaEm: 0 }))).toEqual(['BOAS VINDAS', AVISO, MENU])
  })

  it('sends the notice only when switched on, also to existing customers', () => {
    const r = createTranscript()
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', MENU])
    r.advance(90)
    r.change({ avisoPrivacidade: 'AVISO' })
    expect(sentTexts(r.customer('oi'))).toEqual(['BOAS VINDAS', 'AVISO', MENU])
  })
})

it('keeps notice and stop of a state that cannot be parsed otherwise', () => {
  expect(parseState({ paradoEm: 5, avisadoEm: 3 })).toEqual({ ...initialState(), paradoEm: 5, avisadoEm: 3 })
  const { avisadoEm: _, paradoEm: __, ...old } = { ...initialState(), erros: 2 }
  expect(parseState(old)).toEqual({ ...initialState(), erros: 2 })
})
