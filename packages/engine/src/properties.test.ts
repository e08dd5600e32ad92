import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BotContext } from './context.ts'
import { reachesCustomer } from './effect.ts'
import type { BotEvent } from './event.ts'
import { type BotState, initialState } from './state.ts'
import { parseState } from './stored-state/parse.ts'
import { step } from './step.ts'
import { testBotContext, sampleProdutos, MONDAY_10H } from './testing/transcript.ts'

const contato = { nome: 'Marina', telefone: '5511912345678' }
const known = [
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
  'parar',
  'voltar',
  'ok',
  '5',
  'nota 9',
  '1️⃣',
  '{nome}',
  '👍',
  '',
]
const escrita = fc.oneof(
  fc.constantFrom(...known),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const evento: fc.Arbitrary<(now: number, n: number) => BotEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(
        escrita,
        fc.option(fc.constantFrom('audio', 'imagem', 'figurinha', 'outro'), { nil: undefined, freq: 8 }),
        fc.integer({ min: 0, max: 900_000 }),
      )
      .map(([texto, midia, delay]) => (agora: number, n: number): BotEvent => ({
        tipo: 'mensagemCliente',
        id: `m${n}`,
        texto,
        agora,
        enviadaEm: agora - (delay > 800_000 ? delay : 0),
        contato,
        ...(midia === undefined ? {} : { midia }),
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'atendenteAssumiu',
        'devolvidaAoBot',
        'atendenteFinalizou',
        'atendenteEncerrou',
        'avaliacaoSimulada',
        'silencioEncerrou',
        'mensagemDoTelefone',
      )
      .map((tipo) => (agora: number): BotEvent => ({ tipo, agora, contato })),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 900_000 }).map((ha) => (agora: number): BotEvent => ({
      tipo: 'ligacaoPerdida',
      agora,
      ligouEm: agora - ha,
      contato,
    })),
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

const horas = fc.array(fc.constantFrom(['08:00', '18:00'], ['18:00', '02:00'], ['00:00', '24:00']), { maxLength: 2 })

const context: fc.Arbitrary<BotContext> = fc
  .record({
    ia: fc.boolean(),
    iaLeMidia: fc.boolean(),
    sempre: fc.boolean(),
    quantos: fc.integer({ min: 0, max: 20 }),
    vazias: fc.boolean(),
    avaliacao: fc.boolean(),
    menu: fc.oneof(
      fc.constantFrom('MENU', '{nome}', '{protocolo}'),
      escrita.filter((text) => text.trim() !== ''),
    ),
    titulo: escrita,
    gatilhos: fc.array(escrita, { maxLength: 4 }),
    horas,
    fuso: fc.constantFrom('America/Sao_Paulo', 'Asia/Kolkata', 'Europe/Lisbon'),
  })
  .map(({ ia, iaLeMidia, sempre, quantos, vazias, avaliacao, ...texts }) =>
    testBotContext(
      (config) => {
        config.ia.comportamentos.sempreResponder = sempre
        config.ia.gatilhos.push(...texts.gatilhos)
        config.atendimento.avaliacao.ativa = avaliacao
        config.atendimento.horario.fuso = texts.fuso
        config.atendimento.horario.dias.seg = texts.horas.map(([inicio = '', fim = '']) => ({ inicio, fim }))
        config.menu.menuPrincipal = texts.menu
        config.menu.opcoes.push({ numero: '7', titulo: texts.titulo, tipo: 'menu', resposta: '' })
        if (!vazias) return
        for (const opcao of config.menu.opcoes) opcao.resposta = ''
        for (const group of [config.menu.mensagens, config.ia.respostasPredefinidas])
          for (const key of Object.keys(group)) Object.assign(group, { [key]: '' })
      },
      { iaAvailable: ia, iaReadsMidia: iaLeMidia ? ['audio', 'imagem'] : [], produtos: sampleProdutos(quantos) },
    ),
  )

const instant = fc.integer({ min: MONDAY_10H - 90_000_000, max: MONDAY_10H + 90_000_000 })
const talvez = fc.option(instant)

/** Any state that passes the schema, reachable or not. */
const estado: fc.Arbitrary<BotState> = fc
  .tuple(
    fc.record({
      versao: fc.constant(1 as const),
      ultimaEm: talvez,
      erros: fc.integer({ min: -1, max: 30 }),
      pergunta: fc.option(fc.constantFrom('m0', 'm1')),
      respostasEm: fc.array(instant, { maxLength: 30 }),
      semPessoa: fc.array(fc.record({ desde: instant, respostas: fc.nat(120) }), { maxLength: 8 }),
      repetido: fc.option(fc.record({ texto: escrita, instantes: fc.array(instant, { maxLength: 9 }) })),
      caladoAte: talvez,
      telefoneAte: talvez,
      foraPeriodoDito: fc.option(fc.string()),
      avaliacaoPedidaEm: talvez,
      saudouAtraso: fc.boolean(),
      apresentada: fc.boolean(),
      avisadoEm: talvez,
      paradoEm: fc.option(instant, { freq: 3 }),
      carrinho: fc.constant(null),
    }),
    fc.oneof(
      fc.record({ etapa: fc.constantFrom('nenhuma', 'menu', 'ia') }),
      fc.record({
        etapa: fc.constant('loja' as const),
        pagina: fc.nat(),
        itens: fc.array(fc.record({ id: fc.constantFrom('p1', 'px'), nome: escrita }), { maxLength: 20 }),
        mostrado: fc.constantFrom(null, 'p1'),
        duvida: fc.constant(null),
      }),
      fc.record({ etapa: fc.constant('humano' as const), setor: escrita }),
      fc.record({ etapa: fc.constant('avaliando' as const), desde: instant, tentou: fc.boolean() }),
      fc.record({ etapa: fc.constant('encerrada' as const), desde: instant }),
    ),
  )
  .map(([memory, etapa]) => ({ ...memory, ...etapa }))

function jogar(ctx: BotContext, story: readonly { fazer: (now: number, n: number) => BotEvent; pausa: number }[]) {
  let state: BotState = initialState()
  let now = MONDAY_10H
  return story.map(({ fazer, pausa }, n) => {
    now += pausa
    const event = fazer(now, n)
    const antes = state
    const resultado = step(ctx, state, event)
    state = resultado.state
    return { antes, event, resultado }
  })
}

const historias = fc.array(fc.record({ fazer: evento, pausa: fc.integer({ min: 1, max: 2_400_000 }) }), {
  maxLength: 40,
})

it('is deterministic, never throws and survives JSON', () => {
  fc.assert(
    fc.property(context, historias, (ctx, story) => {
      const uma = jogar(ctx, story)
      expect(jogar(ctx, story)).toEqual(uma)
      for (const { resultado } of uma)
        expect(parseState(JSON.parse(JSON.stringify(resultado.state)))).toEqual(resultado.state)
    }),
    { numRuns: 300 },
  )
})

it('accepts any stored state with any event and returns a readable state', () => {
  fc.assert(
    fc.property(context, estado, evento, instant, (ctx, state, run, now) => {
      const congelado = JSON.stringify(state)
      const result = step(ctx, state, run(now, 1))
      expect(JSON.stringify(state)).toBe(congelado)
      expect(parseState(JSON.parse(JSON.stringify(result.state)))).toEqual(result.state)
      for (const effect of result.effects) if (effect.tipo === 'enviarTexto') expect(effect.texto.trim()).not.toBe('')
      const conversas = result.effects.filter(({ tipo }) => tipo === 'abrirConversaHumana')
      expect(conversas.length > 0).toBe(
        state.etapa !== 'humano' && result.state.etapa === 'humano' && !doPainel(run(now, 1)),
      )
    }),
    { numRuns: 2000 },
  )
})

function doPainel({ tipo }: BotEvent): boolean {
  return tipo === 'atendenteAssumiu' || tipo === 'atendenteTransferiu'
}

it('sends at most 4 messages and asks the AI at most once per message', () => {
  fc.assert(
    fc.property(context, historias, (ctx, story) => {
      for (const { resultado } of jogar(ctx, story)) {
        expect(resultado.effects.filter(reachesCustomer).length).toBeLessThanOrEqual(4)
        expect(resultado.effects.filter(({ tipo }) => tipo === 'perguntarIa').length).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 200 },
  )
})

it('returns the same state and kinds of effects with and without a protocolo', () => {
  fc.assert(
    fc.property(context, estado, evento, instant, (ctx, state, run, now) => {
      const sem = step(ctx, state, run(now, 1))
      const com = step(ctx, state, { ...run(now, 1), protocolo: '20261123-0001' })
      expect(com.state).toEqual(sem.state)
      expect(com.effects.map(({ tipo }) => tipo)).toEqual(sem.effects.map(({ tipo }) => tipo))
    }),
    { numRuns: 500 },
  )
})

it('stays silent with people and elsewhere only for a known reason', () => {
  fc.assert(
    fc.property(context, historias, (ctx, story) => {
      for (const { antes, event, resultado } of jogar(ctx, story)) {
        if (event.tipo !== 'mensagemCliente') continue
        const calado = resultado.effects.every((effect) => !reachesCustomer(effect) && effect.tipo !== 'perguntarIa')
        if (antes.etapa === 'humano') expect(resultado.effects).toEqual([])
        else if (calado) {
          const razao =
            (antes.telefoneAte ?? 0) > event.agora ||
            (resultado.state.caladoAte ?? 0) > event.agora ||
            antes.saudouAtraso ||
            antes.paradoEm !== null ||
            resultado.state.paradoEm !== null ||
            antes.etapa === 'avaliando' ||
            antes.etapa === 'encerrada'
          expect(razao, JSON.stringify({ antes, event })).toBe(true)
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('answers after a stop only to VOLTAR or a call for a person', () => {
  fc.assert(
    fc.property(context, estado, evento, instant, (ctx, state, run, now) => {
      if (state.paradoEm === null || state.pergunta !== null) return
      const event = run(now, 1)
      const result = step(ctx, state, event)
      if (!result.effects.some(reachesCustomer)) return
      const call = result.state.paradoEm === null || result.state.etapa === 'humano'
      expect(event.tipo === 'mensagemCliente' && call, JSON.stringify({ state, event })).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('always leads a customer to the menu and to a person', () => {
  fc.assert(
    fc.property(context, historias, (ctx, story) => {
      const last = jogar(ctx, story).at(-1)
      const state = last?.resultado.state ?? initialState()
      if (state.etapa === 'humano') return
      const after = (last?.event.agora ?? MONDAY_10H) + 24 * 3_600_000
      const ask = (texto: string) =>
        step(ctx, state, { tipo: 'mensagemCliente', id: 'x', texto, agora: after, enviadaEm: after, contato })
      expect(ask(state.paradoEm === null ? 'menu' : 'voltar').state.etapa).toBe('menu')
      expect(ask('atendente').state.etapa).toBe('humano')
    }),
    { numRuns: 300 },
  )
})
