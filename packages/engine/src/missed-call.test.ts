import { describe, expect, it } from 'vitest'
import { SAMPLE_CONFIG } from '@balcao/contract/testing/samples'
import type { BotContext } from './context.ts'
import type { BotState } from './state.ts'
import { initialState } from './state.ts'
import { step } from './step.ts'

const AGORA = Date.parse('2026-03-02T15:00:00Z')
const MINUTO = 60_000
const context = (respostaLigacao: string): BotContext => ({
  config: { ...SAMPLE_CONFIG, whatsapp: { ...SAMPLE_CONFIG.whatsapp, respostaLigacao } },
  empresa: 'Floricultura',
  produtos: [],
  iaAvailable: false,
})
const ligar = (state: BotState, { resposta = 'Oi {nome}, escreva aqui.', ligouEm = AGORA } = {}) =>
  step(context(resposta), state, {
    ...{ tipo: 'ligacaoPerdida', agora: AGORA, ligouEm, contato: { nome: 'Ana', telefone: '5511987654321' } },
  })
const ditos = (result: ReturnType<typeof ligar>): unknown[] =>
  result.effects.map((effect) => (effect.tipo === 'enviarTexto' ? effect.texto : effect.tipo))

const inicial = initialState()
const ANSWERED = { respostasEm: [AGORA], semPessoa: [{ desde: AGORA, respostas: 1 }] }
const noMenu: BotState = { ...inicial, etapa: 'menu', ultimaEm: AGORA - MINUTO }

describe('step with a missed call', () => {
  it('sends the owner’s text and keeps the state of the conversation', () => {
    const result = ligar(noMenu)
    expect(ditos(result)).toEqual(['Oi Ana, escreva aqui.'])
    expect(result.state).toEqual({ ...noMenu, ...ANSWERED })
    expect(ditos(ligar(inicial))).toEqual(['Oi Ana, escreva aqui.'])
  })

  it.each<[string, BotState, { resposta?: string; ligouEm?: number }]>([
    ['people serve the customer', { ...inicial, etapa: 'humano', setor: 'geral' }, {}],
    ['automatic messages are stopped', { ...noMenu, paradoEm: 1 }, {}],
    ['the owner writes on the phone', { ...noMenu, telefoneAte: AGORA + 1 }, {}],
    ['the loop guard is active', { ...noMenu, caladoAte: AGORA + 1 }, {}],
    ['the call is older than 10 minutes', noMenu, { ligouEm: AGORA - 11 * MINUTO }],
    ['no reply is configured', noMenu, { resposta: ' ' }],
    [
      '15 answers were sent within a minute',
      { ...noMenu, respostasEm: Array.from({ length: 15 }, () => AGORA - 1_000) },
      {},
    ],
  ])('sends nothing while %s', (_quando, state, opcoes) => {
    expect(ligar(state, opcoes)).toEqual({ state, effects: [] })
  })

  it('starts a new conversation long after a goodbye', () => {
    const encerrada = (ha: number): BotState => ({ ...inicial, etapa: 'encerrada', desde: AGORA - ha })
    expect(ligar(encerrada(MINUTO)).state.etapa).toBe('encerrada')
    expect(ligar(encerrada(60 * MINUTO)).state).toEqual({ ...inicial, ...ANSWERED })
  })
})
