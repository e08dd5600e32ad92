import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BotContext } from './context.ts'
import { reachesCustomer } from './effect.ts'
import type { BotEvent } from './event.ts'
import { type BotState, initialState, parseState } from './state.ts'
import { step } from './step.ts'
import { testBotContext, sampleProdutos, MONDAY_10H } from './testing/transcript.ts'

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
      .constantFrom(
        'atendenteAssumiu',
        'devolvidaAoBot',
        'atendenteFinalizou',
        'avaliacaoSimulada',
        'tempoAvaliacao',
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

const contexto: fc.Arbitrary<BotContext> = fc
  .record({
    ia: fc.boolean(),
    iaLeMidia: fc.boolean(),
    sempre: fc.boolean(),
    quantos: fc.integer({ min: 0, max: 20 }),
    vazias: fc.boolean(),
    avaliacao: fc.boolean(),
    menu: fc.oneof(
      fc.constantFrom('MENU', '{nome}', '{protocolo}'),
      escrita.filter((texto) => texto.trim() !== ''),
    ),
    titulo: escrita,
    gatilhos: fc.array(escrita, { maxLength: 4 }),
    horas,
    fuso: fc.constantFrom('America/Sao_Paulo', 'Asia/Kolkata', 'Europe/Lisbon'),
  })
  .map(({ ia, iaLeMidia, sempre, quantos, vazias, avaliacao, ...textos }) =>
    testBotContext(
      (config) => {
        config.ia.comportamentos.sempreResponder = sempre
        config.ia.gatilhos.push(...textos.gatilhos)
        config.atendimento.avaliacao.ativa = avaliacao
        config.atendimento.horario.fuso = textos.fuso
        config.atendimento.horario.dias.seg = textos.horas.map(([inicio = '', fim = '']) => ({ inicio, fim }))
        config.menu.menuPrincipal = textos.menu
        config.menu.opcoes.push({ numero: '7', titulo: textos.titulo, tipo: 'menu', resposta: '' })
        if (!vazias) return
        for (const opcao of config.menu.opcoes) opcao.resposta = ''
        for (const grupo of [config.menu.mensagens, config.ia.respostasPredefinidas])
          for (const chave of Object.keys(grupo)) Object.assign(grupo, { [chave]: '' })
      },
      { iaAvailable: ia, iaReadsMidia: iaLeMidia, produtos: sampleProdutos(quantos) },
    ),
  )

const instante = fc.integer({ min: MONDAY_10H - 90_000_000, max: MONDAY_10H + 90_000_000 })
const talvez = fc.option(instante)

/** Any state that passes the schema, reachable or not. */
const estado: fc.Arbitrary<BotState> = fc
  .tuple(
    fc.record({
      versao: fc.constant(1 as const),
      ultimaEm: talvez,
      erros: fc.integer({ min: -1, max: 30 }),
      pergunta: fc.option(fc.constantFrom('m0', 'm1')),
      respostasEm: fc.array(instante, { maxLength: 30 }),
      repetido: fc.option(fc.record({ texto: escrita, instantes: fc.array(instante, { maxLength: 9 }) })),
      caladoAte: talvez,
      telefoneAte: talvez,
      foraPeriodoDito: fc.option(fc.string()),
      avaliacaoPedidaEm: talvez,
      saudouAtraso: fc.boolean(),
      avisadoEm: talvez,
      paradoEm: fc.option(instante, { freq: 3 }),
    }),
    fc.oneof(
      fc.record({ etapa: fc.constantFrom('nenhuma', 'menu', 'ia') }),
      fc.record({
        etapa: fc.constant('loja' as const),
        pagina: fc.nat(),
        itens: fc.array(fc.record({ id: fc.constantFrom('p1', 'px'), nome: escrita }), { maxLength: 20 }),
      }),
      fc.record({ etapa: fc.constant('humano' as const), setor: escrita }),
      fc.record({ etapa: fc.constant('avaliando' as const), desde: instante, tentou: fc.boolean() }),
      fc.record({ etapa: fc.constant('encerrada' as const), desde: instante }),
    ),
  )
  .map(([memoria, etapa]) => ({ ...memoria, ...etapa }))

function jogar(ctx: BotContext, historia: readonly { fazer: (agora: number, n: number) => BotEvent; pausa: number }[]) {
  let state: BotState = initialState()
  let agora = MONDAY_10H
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

it('is deterministic, never throws and survives JSON', () => {
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

it('accepts any stored state with any event and returns a readable state', () => {
  fc.assert(
    fc.property(contexto, estado, evento, instante, (ctx, state, fazer, agora) => {
      const congelado = JSON.stringify(state)
      const resultado = step(ctx, state, fazer(agora, 1))
      expect(JSON.stringify(state)).toBe(congelado)
      expect(parseState(JSON.parse(JSON.stringify(resultado.state)))).toEqual(resultado.state)
      for (const efeito of resultado.effects)
        if (efeito.tipo === 'enviarTexto') expect(efeito.texto.trim()).not.toBe('')
      const conversas = resultado.effects.filter(({ tipo }) => tipo === 'abrirConversaHumana')
      expect(conversas.length > 0).toBe(
        state.etapa !== 'humano' && resultado.state.etapa === 'humano' && !doPainel(fazer(agora, 1)),
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
    fc.property(contexto, historias, (ctx, historia) => {
      for (const { resultado } of jogar(ctx, historia)) {
        expect(resultado.effects.filter(reachesCustomer).length).toBeLessThanOrEqual(4)
        expect(resultado.effects.filter(({ tipo }) => tipo === 'perguntarIa').length).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 200 },
  )
})

it('returns the same state and kinds of effects with and without a protocolo', () => {
  fc.assert(
    fc.property(contexto, estado, evento, instante, (ctx, state, fazer, agora) => {
      const sem = step(ctx, state, fazer(agora, 1))
      const com = step(ctx, state, { ...fazer(agora, 1), protocolo: '20261123-0001' })
      expect(com.state).toEqual(sem.state)
      expect(com.effects.map(({ tipo }) => tipo)).toEqual(sem.effects.map(({ tipo }) => tipo))
    }),
    { numRuns: 500 },
  )
})

it('stays silent with people and elsewhere only for a known reason', () => {
  fc.assert(
    fc.property(contexto, historias, (ctx, historia) => {
      for (const { antes, event, resultado } of jogar(ctx, historia)) {
        if (event.tipo !== 'mensagemCliente') continue
        const calado = resultado.effects.every((efeito) => !reachesCustomer(efeito) && efeito.tipo !== 'perguntarIa')
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
    fc.property(contexto, estado, evento, instante, (ctx, state, fazer, agora) => {
      if (state.paradoEm === null || state.pergunta !== null) return
      const event = fazer(agora, 1)
      const resultado = step(ctx, state, event)
      if (!resultado.effects.some(reachesCustomer)) return
      const chamada = resultado.state.paradoEm === null || resultado.state.etapa === 'humano'
      expect(event.tipo === 'mensagemCliente' && chamada, JSON.stringify({ state, event })).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('always leads a customer to the menu and to a person', () => {
  fc.assert(
    fc.property(contexto, historias, (ctx, historia) => {
      const ultimo = jogar(ctx, historia).at(-1)
      const state = ultimo?.resultado.state ?? initialState()
      if (state.etapa === 'humano') return
      const depois = (ultimo?.event.agora ?? MONDAY_10H) + 24 * 3_600_000
      const pedir = (texto: string) =>
        step(ctx, state, { tipo: 'mensagemCliente', id: 'x', texto, agora: depois, enviadaEm: depois, contato })
      expect(pedir(state.paradoEm === null ? 'menu' : 'voltar').state.etapa).toBe('menu')
      expect(pedir('atendente').state.etapa).toBe('humano')
    }),
    { numRuns: 300 },
  )
})
