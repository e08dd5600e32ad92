import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import type { BotContext, ProdutoLoja } from '#context.ts'
import type { BotEffect } from '#effect.ts'
import type { BotEvent, MensagemCliente, IaResult } from '#event.ts'
import type { Cart } from '#pedidos/cart.ts'
import { type BotState, initialState } from '#state.ts'
import { step } from '#step.ts'

/** Monday, 23 November 2026, 10:00 in São Paulo, within opening hours. */
export const MONDAY_10H = Date.UTC(2026, 10, 23, 13, 0)

type TranscriptEvent =
  | {
      readonly tipo:
        | 'mensagemDoTelefone'
        | 'atendenteAssumiu'
        | 'devolvidaAoBot'
        | 'atendenteEncerrou'
        | 'avaliacaoSimulada'
        | 'silencioEncerrou'
        | 'lembrarCarrinho'
    }
  | { readonly tipo: 'atendenteFinalizou'; readonly semAvaliacao?: true }
  | { readonly tipo: 'atendenteTransferiu'; readonly setor: string }
  | { readonly tipo: 'avisoAutomatico'; readonly texto: string }
  | { readonly tipo: 'carrinhoDaPagina'; readonly carrinho: Cart }

export interface Transcript {
  readonly customer: (text: string, extra?: Partial<MensagemCliente>) => readonly BotEffect[]
  readonly emit: (event: TranscriptEvent) => readonly BotEffect[]
  /** The owner wrote on the phone `haMinutos` minutes ago, reported only now. */
  readonly ownerWrote: (haMinutos: number) => readonly BotEffect[]
  readonly ia: (result: IaResult, perguntaId?: string) => readonly BotEffect[]
  readonly advance: (minutes: number) => void
  readonly state: () => BotState
  readonly etapa: () => BotState['etapa']
  readonly change: (mudanca: Partial<BotContext>) => void
}

/** Default account with short texts in capitals. `muda` edits the configuration in place. */
export function testBotContext(
  change: (config: Config) => void = () => undefined,
  rest: Partial<BotContext> = {},
): BotContext {
  const config = defaultConfig()
  config.menu.mensagens = {
    ...config.menu.mensagens,
    boasVindas: 'BOAS VINDAS',
    opcaoInvalida: 'INVALIDA',
    semEntender: 'SEM ENTENDER',
    aguardandoAtendente: 'AGUARDE',
    foraPeriodo: 'FORA',
    despedida: 'TCHAU',
  }
  config.menu.menuPrincipal = 'MENU'
  config.ia.respostasPredefinidas = {
    ...config.ia.respostasPredefinidas,
    cumprimento: 'CUMPRIMENTO',
    despedida: 'DESPEDIDA IA',
    naoEntendi: 'NAO ENTENDI',
    transferirHumano: 'TRANSFERINDO',
  }
  change(config)
  return { config, empresa: 'Padaria Aurora', produtos: [], iaAvailable: false, ...rest }
}

export function sampleProdutos(count: number): ProdutoLoja[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i + 1}`,
    nome: `Produto ${i + 1}`,
    descricao: `Descrição ${i + 1}`,
    preco: 10 + i,
  }))
}

/** Runs a conversation against `step` with its own clock. */
export function createTranscript(initial: BotContext = testBotContext(), start = MONDAY_10H): Transcript {
  let context = initial
  let state = initialState()
  let agora = start
  let mensagens = 0
  const contato = { nome: 'Marina', telefone: '5511912345678' }
  const run = (event: BotEvent): readonly BotEffect[] => {
    const result = step(context, state, event)
    state = result.state
    return result.effects
  }
  return {
    customer: (texto, extra = {}) => {
      agora += 1_000
      mensagens += 1
      return run({
        tipo: 'mensagemCliente',
        id: `m${mensagens}`,
        texto,
        agora,
        enviadaEm: agora,
        contato,
        protocolo: '20261123-0001',
        ...extra,
      })
    },
    emit: (event) => run({ ...event, agora, contato }),
    ownerWrote: (haMinutos) =>
      run({ tipo: 'mensagemDoTelefone', escritaEm: agora - haMinutos * 60_000, agora, contato }),
    ia: (resultado, perguntaId = state.pergunta ?? 'nenhuma') =>
      run({ tipo: 'respostaIa', perguntaId, resultado, agora, contato }),
    advance: (minutes) => void (agora += minutes * 60_000),
    state: () => state,
    etapa: () => state.etapa,
    change: (mudanca) => void (context = { ...context, ...mudanca }),
  }
}

export function sentTexts(effects: readonly BotEffect[]): string[] {
  return effects.flatMap((effect) =>
    effect.tipo === 'enviarTexto'
      ? [effect.texto]
      : effect.tipo === 'enviarImagem'
        ? [`[imagem] ${effect.legenda}`]
        : [],
  )
}

export function effectTipos(effects: readonly BotEffect[]): string[] {
  return effects.map(({ tipo }) => tipo)
}
