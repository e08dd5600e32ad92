import type { IaConfig } from '@balcao/contract/entities/config'
import { withStored } from '@balcao/contract/entities/config-input'
import { chavesOf, withChaves } from '@balcao/contract/presets/provedores-ia'
import type { BotContext } from '@balcao/engine/context'
import { maskPersonalData } from '@balcao/engine/ia/masking'
import { cleanResposta } from '@balcao/engine/ia/resposta'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { localDay } from '#lib/time.ts'
import { embeddingAccessOf, searchFontes } from '#modules/fontes/index.ts'
import type { AiRequest } from '#ports/ai.ts'
import { loadAccountContext, toBotContext, buildAiRequest } from './account-context.ts'
import { accessOf, canBeAsked, missingText } from './access.ts'
import type { BudgetDeps } from './budget.ts'
import { askGuarded, type GuardedAnswer } from './guarded-answer.ts'
import { recordRespostasIa } from './respostas.ts'

export type TestIaDeps = Pick<Deps, 'ai' | 'settings' | 'embeddings'> & BudgetDeps

export interface IaTest {
  readonly pergunta: string
  readonly ia?: { readonly [Campo in keyof IaConfig]?: IaConfig[Campo] | undefined } | undefined
}

export interface DraftIa {
  readonly contaId: string
  readonly fuso: string
  readonly ia: IaConfig
  readonly context: BotContext
  /** Cents of the month that the stored settings allow. Null: no budget. */
  readonly orcamento: number | null
}

/** The stored settings with the unsaved ones of the AI. Throws `iaSemChave` (400) and `iaSemOrcamento` (409). */
export async function loadDraftIa(deps: TestIaDeps, contaId: string, sent: IaTest['ia'] = {}): Promise<DraftIa> {
  const stored = await deps.db.transaction(contaId, (tx) => loadAccountContext(tx, deps, contaId))
  const merged = withStored(stored.config.ia, sent)
  const { provedor, urlBase } = merged
  const sentKey = provedor === 'gemini' ? sent.apiKey : sent.chaves?.[provedor]
  const access = accessOf(stored.config, { provedor, urlBase, apiKey: sentKey })
  if (!canBeAsked(access)) {
    throw new AppError('iaSemChave', provedor === 'compativel' ? { erro: missingText(access) } : {})
  }
  if (stored.iaPausedUntil !== null) throw new AppError('iaSemOrcamento')
  const chaves = { ...chavesOf(stored.config), [provedor]: access.apiKey }
  const config = withChaves({ ...stored.config, ia: merged }, chaves)
  const context = toBotContext({ ...stored, config })
  return { contaId, fuso: stored.fuso, ia: config.ia, context, orcamento: stored.config.ia.orcamentoCentavosMes }
}

export interface AskedDraft {
  readonly reply: GuardedAnswer
  /** The text that the customer would read. Null: no answer. */
  readonly texto: string | null
  /** The customer would go to people. */
  readonly transfere: boolean
  readonly tokens: number
  /** Stores the cost of the question. */
  readonly record: (tx: Tx) => Promise<void>
}

/** Asks the provider one question without a conversa. */
export async function askDraftIa(
  deps: Pick<TestIaDeps, 'ai' | 'embeddings'> & BudgetDeps,
  { contaId, fuso, ia, context, orcamento }: DraftIa,
  { nome, pergunta }: { readonly nome: string; readonly pergunta: string },
): Promise<AskedDraft> {
  const now = deps.clock.now()
  const masked = maskPersonalData(pergunta)
  const access = embeddingAccessOf(context.config)
  const trechos = await searchFontes(deps, { contaId, pergunta: masked, access, isDraft: true })
  const request = buildAiRequest({
    ...{ contaId, contatoId: null, contexto: context, nomeCliente: nome, agora: now, midias: [] },
    ...{ historico: [], pergunta: masked, trechos },
  })
  const reply = await askGuarded(deps.ai, request, { contexto: context, agora: now.getTime() })
  const { tokensEntrada = 0, tokensSaida = 0 } = reply.registro ?? {}
  const answered = { contaId, request, answer: reply, mensagem: null, now, day: localDay(now, fuso), orcamento }
  return {
    reply,
    texto: customerText(request, reply, ia),
    transfere: reply.tipo === 'transferir' || (reply.tipo === 'retida' && ia.transferirSemApoio),
    tokens: tokensEntrada + tokensSaida,
    record: (tx) => recordRespostasIa(tx, deps, [answered]),
  }
}

/** Asks the provider with the unsaved settings. Throws `iaSemChave` (400), `iaSemOrcamento` (409) or `iaFalhou` (502). */
export async function testIa(
  deps: TestIaDeps,
  { contaId, nome }: LoginSession,
  { pergunta, ia }: IaTest,
): Promise<{ resposta: string; duracaoMs: number }> {
  const draft = await loadDraftIa(deps, contaId, ia)
  const start = performance.now()
  const { reply, texto, record } = await askDraftIa(deps, draft, { nome, pergunta })
  const duracaoMs = Math.round(performance.now() - start)
  await deps.db.transaction(contaId, record)
  if (reply.tipo === 'falha') throw new AppError('iaFalhou', { erro: `A IA não respondeu: ${reply.motivo}.` })
  if (texto === null) throw new AppError('iaFalhou')
  return { resposta: reply.tipo === 'retida' ? withheldText(reply, draft.ia) : texto, duracaoMs }
}

function customerText({ setores }: AiRequest, reply: GuardedAnswer, ia: IaConfig): string | null {
  switch (reply.tipo) {
    case 'texto': {
      const text = cleanResposta(reply.texto)
      return text === '' ? null : text
    }
    case 'transferir': {
      const name = setores.find(({ id }) => id === reply.setor)?.nome ?? reply.setor
      return `${ia.respostasPredefinidas.transferirHumano}\n\n(A conversa iria para o setor ${name}.)`.trim()
    }
    case 'retida': {
      const { naoEntendi, transferirHumano } = ia.respostasPredefinidas
      return ia.transferirSemApoio ? `${naoEntendi}\n\n${transferirHumano}`.trim() : naoEntendi
    }
    case 'falha':
      return null
    default:
      return reply satisfies never
  }
}

/** Shows the customer's text, and what the model wanted to say. */
function withheldText({ texto, motivo, afirmacoes = [] }: GuardedAnswer & { tipo: 'retida' }, ia: IaConfig): string {
  const { transferirSemApoio, respostasPredefinidas } = ia
  const unsupported = afirmacoes.flatMap((afirmacao) => (afirmacao.apoio === null ? [`"${afirmacao.texto}"`] : []))
  const after = transferirSemApoio ? ' A conversa iria para uma pessoa.' : ''
  return [
    respostasPredefinidas.naoEntendi,
    `(Resposta retida: ${unsupported.join(', ')} não está nos dados da loja (${motivo}).${after})`,
    `Resposta da IA: ${texto}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
