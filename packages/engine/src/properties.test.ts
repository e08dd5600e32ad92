import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BotContext } from './context.ts'
import { fala } from './effect.ts'
import type { BotEvent } from './event.ts'
import { type BotState, initialState, parseState } from './state.ts'
import { step } from './step.ts'
import { contextoDeTeste, produtos, SEGUNDA_10H } from './testing/transcript.ts'

const contato = { nome: 'Marina', telefone: '5511912345678' }
const conhecidos = [
  'oi',
  '1',
  '2',
  '3',
  '4',
  '0',
  'menu',
  'atendente',
  'mais',
  'sair',
  'ok',
  '5',
  'nota 9',
  '1️⃣',
  '{nome}',
  '👍',
  '',
]
const escrita = fc.oneof(
  fc.constantFrom(...conhecidos),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const evento: fc.Arbitrary<(agora: number, n: number) => BotEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        escrita,
        fc.option(fc.constantFrom('audio', 'imagem', 'figurinha', 'outro'), { nil: undefined, freq: 8 }),
        fc.integer({ min: 0, max: 900_000 }),
      )
      .map(([texto, midia, atraso]) => (agora: number, n: number): BotEvent => ({
        tipo: 'mensagemCliente',
        id: `m${n}`,
        texto,
        agora,
        enviadaEm: agora - (atraso > 800_000 ? atraso : 0),
        contato,
        ...(midia === undefined ? {} : { midia }),
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('atendenteAssumiu', 'devolvidaAoBot', 'atendenteFinalizou', 'tempoAvaliacao', 'mensagemDoTelefone')
      .map((tipo) => (agora: number): BotEvent => ({ tipo, agora, contato })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('texto', 'transferir', 'falha'), escrita)
      .map(([tipo, texto]) => (agora: number, n: number): BotEvent => ({
        tipo: 'respostaIa',
        perguntaId: `m${n - 1}`,
        agora,
        contato,
        resultado:
          tipo === 'texto' ? { tipo, texto } : tipo === 'transferir' ? { tipo, setor: texto } : { tipo, motivo: texto },
      })),
  },
)

const contexto: fc.Arbitrary<BotContext> = fc
  .record({
    ia: fc.boolean(),
    sempre: fc.boolean(),
    quantos: fc.integer({ min: 0, max: 20 }),
    vazias: fc.boolean(),
    avaliacao: fc.boolean(),
  })
  .map(({ ia, sempre, quantos, vazias, avaliacao }) =>
    contextoDeTeste(
      (config) => {
        config.ia.comportamentos.sempreResponder = sempre
        config.atendimento.avaliacao.ativa = avaliacao
        if (vazias) for (const opcao of config.menu.opcoes) opcao.resposta = ''
      },
      { iaDisponivel: ia, produtos: produtos(quantos) },
    ),
  )

/** Plays a story and gives every state and effect of it. */
function jogar(ctx: BotContext, historia: readonly { fazer: (agora: number, n: number) => BotEvent; pausa: number }[]) {
  let state: BotState = initialState()
  let agora = SEGUNDA_10H
  return historia.map(({ fazer, pausa }, n) => {
    agora += pausa
    const event = fazer(agora, n)
    const antes = state
    const resultado = step(ctx, state, event)
    state = resultado.state
    return { antes, event, resultado }
  })
}

const historias = fc.array(fc.record({ fazer: evento, pausa: fc.integer({ min: 1, max: 2_400_000 }) }), {
  maxLength: 40,
})

it('never throws, gives the same for the same, and its state survives JSON', () => {
  fc.assert(
    fc.property(contexto, historias, (ctx, historia) => {
      const uma = jogar(ctx, historia)
      expect(jogar(ctx, historia)).toEqual(uma)
      for (const { resultado } of uma)
        expect(parseState(JSON.parse(JSON.stringify(resultado.state)))).toEqual(resultado.state)
    }),
    { numRuns: 300 },
  )
})

it('is silent with people, and never silent elsewhere without a reason', () => {
  fc.assert(
    fc.property(contexto, historias, (ctx, historia) => {
      for (const { antes, event, resultado } of jogar(ctx, historia)) {
        if (event.tipo !== 'mensagemCliente') continue
        const calado = resultado.effects.every((efeito) => !fala(efeito) && efeito.tipo !== 'perguntarIa')
        if (antes.etapa === 'humano') expect(resultado.effects).toEqual([])
        else if (calado) {
          const razao =
            (antes.telefoneAte ?? 0) > event.agora ||
            (resultado.state.caladoAte ?? 0) > event.agora ||
            antes.saudouAtraso ||
            antes.etapa === 'avaliando' ||
            antes.etapa === 'encerrada'
          expect(razao, JSON.stringify({ antes, event })).toBe(true)
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('has no dead end: from anywhere the customer reaches the menu and a person', () => {
  fc.assert(
    fc.property(contexto, historias, (ctx, historia) => {
      const ultimo = jogar(ctx, historia).at(-1)
      const state = ultimo?.resultado.state ?? initialState()
      if (state.etapa === 'humano') return
      const depois = (ultimo?.event.agora ?? SEGUNDA_10H) + 24 * 3_600_000
      const pedir = (texto: string) =>
        step(ctx, state, { tipo: 'mensagemCliente', id: 'x', texto, agora: depois, enviadaEm: depois, contato })
      expect(pedir('menu').state.etapa).toBe('menu')
      expect(pedir('atendente').state.etapa).toBe('humano')
    }),
    { numRuns: 300 },
  )
})
