import { describe, expect, it } from 'vitest'
import type { BotContext } from '#context.ts'
import { sentTexts, MONDAY_10H, sampleProdutos, testBotContext } from '#testing/transcript.ts'
import { initialState } from '#state.ts'
import { step } from '#step.ts'
import { type BriefMensagem, buildBrief } from './brief.ts'

const CONTEXT = testBotContext(
  ({ menu, ia }) => {
    ia.comportamentos.sempreResponder = false
    menu.opcoes = [
      { numero: '1', titulo: 'Nossas lojas', tipo: 'mensagem', resposta: 'ENDERECO' },
      { numero: '2', titulo: 'Falar com um atendente', tipo: 'humano', resposta: '' },
      { numero: '3', titulo: 'Loja', tipo: 'loja', resposta: '' },
      { numero: '4', titulo: 'Tirar uma dúvida', tipo: 'ia', resposta: 'PERGUNTE' },
    ]
  },
  { produtos: [...sampleProdutos(2), { id: 'b', nome: 'Bolo de fubá', descricao: '', preco: 9 }], iaAvailable: true },
)

/** The messages that the bot stores when a customer writes these texts. `ia:` is an answer of the AI. */
function storedAfter(texts: readonly string[], context: BotContext = CONTEXT): BriefMensagem[] {
  let state = initialState()
  return texts.flatMap((text, index) => {
    const em = MONDAY_10H + index * 60_000
    if (text.startsWith('ia:')) {
      const answer = { tipo: 'texto', texto: text.slice(3) } as const
      const event = { tipo: 'respostaIa', perguntaId: state.pergunta ?? '', resultado: answer } as const
      state = step(context, state, { ...event, agora: em, contato: { nome: '', telefone: '' } }).state
      return [{ origem: 'ia', texto: text.slice(3), em, lacuna: null }]
    }
    const event = { tipo: 'mensagemCliente', id: `m${index}`, texto: text, enviadaEm: em } as const
    const result = step(context, state, { ...event, agora: em, contato: { nome: '', telefone: '' } })
    state = result.state
    const said = result.effects.flatMap((effect): BriefMensagem[] =>
      effect.tipo === 'enviarTexto'
        ? [{ origem: 'bot', texto: effect.texto, em, lacuna: effect.lacuna ?? null }]
        : sentTexts([effect]).map((texto) => ({ origem: 'bot', texto, em, lacuna: null })),
    )
    return [{ origem: 'cliente', texto: text, em, lacuna: null } as const, ...said]
  })
}

const briefOf = (texts: readonly string[], more: readonly BriefMensagem[] = []) =>
  buildBrief({ context: CONTEXT, mensagens: [...storedAfter(texts), ...more], teste: false })

describe('buildBrief', () => {
  it('names the options, the produto that was shown and the last texts', () => {
    expect(briefOf(['oi', '1', '3', '2', '0', 'falar com um atendente'])).toEqual({
      caminho: ['Nossas lojas', 'Loja', 'Falar com um atendente'],
      produtos: ['Produto 2'],
      ultimas: ['2', '0', 'falar com um atendente'],
      motivo: 'escolheu “Falar com um atendente”',
    })
  })

  it.each([
    [['oi', 'atendente'], 'pediu um atendente'],
    [['oi', 'bla bla', 'atendente'], 'o bot não entendeu 1 vez'],
    [['oi', 'aaa bbb', '77', 'ccc ddd', 'humano'], 'o bot não entendeu 3 vezes'],
    [['oi', 'aaa bbb', '1', 'humano'], 'pediu um atendente'],
    [['oi', '4', 'vocês abrem amanhã?'], 'a assistente passou a conversa'],
    [['oi', '4', 'vocês abrem?', 'ia:Sim, abrimos.'], 'a loja assumiu a conversa'],
    [[], 'a loja escreveu primeiro'],
  ])('gives the reason after %j', (texts, motivo) => {
    expect(briefOf(texts).motivo).toBe(motivo)
  })

  it('gives the reason of a withheld answer', () => {
    const withheld = { origem: 'bot', texto: 'TRANSFERINDO', em: MONDAY_10H + 600_000, lacuna: 'retida' } as const
    const waiting = { ...withheld, texto: 'Protocolo 1', lacuna: null }
    expect(briefOf(['oi', '4', 'qual o prazo?'], [withheld, waiting]).motivo).toBe('resposta sem apoio')
  })

  it('names produtos of the texts of customer and AI, the longest name only', () => {
    const texts = ['oi', '4', 'tem bolos de fubá?', 'ia:Temos. O Produto 1 também.', 'atendente']
    expect(briefOf(texts).produtos).toEqual(['Bolo de fubá', 'Produto 1'])
  })

  it('ends before the first message of a person', () => {
    const em = MONDAY_10H + 600_000
    const later: BriefMensagem[] = [
      { origem: 'operador', texto: 'Olá', em, lacuna: null },
      { origem: 'cliente', texto: 'bolo de fubá', em, lacuna: null },
    ]
    expect(briefOf(['oi', '2'], later)).toMatchObject({ produtos: [], ultimas: ['oi', '2'] })
  })
})
