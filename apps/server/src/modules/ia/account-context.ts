import * as z from 'zod/mini'
import { channelOf } from '@balcao/contract/connectors'
import { chavesOf, isProvedorReady, type MidiaLida, midiasLidas } from '@balcao/contract/presets/provedores-ia'
import type { Cupom } from '@balcao/contract/entities/cupom'
import type { Trecho } from '@balcao/contract/entities/fonte'
import type { Config } from '@balcao/contract/entities/config'
import type { Produto } from '@balcao/contract/entities/produto'
import type { BotContext } from '@balcao/engine/context'
import type { IaConversa } from '@balcao/engine/ia/conversa'
import { searchProdutos } from '@balcao/engine/ia/produtos'
import { isBudgetUsed } from '@balcao/engine/ia/price'
import { buildSystemPrompt } from '@balcao/engine/ia/system-prompt'
import { storedLine } from '#db/statement/line.ts'
import { contaId, sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type LineSections, loadConfig } from '#modules/configuracao/index.ts'
import { loadAviso } from '#modules/lgpd/index.ts'
import { type PageLink, pageLinkOf } from '#modules/cardapio/index.ts'
import { type LineFacts, listLineFacts } from '#modules/contas/index.ts'
import { listCupons } from '#modules/pedidos/index.ts'
import { listProdutos } from '#modules/produtos/index.ts'
import type { ReadMidia, AiRequest, AiMidia } from '#ports/ai.ts'
import { readMonth } from './budget.ts'

export interface AccountContext {
  readonly contaId: string
  readonly empresa: string
  readonly fuso: string
  readonly manutencao: boolean
  readonly config: Config
  /** `versao_contexto` of the conta, read before everything else here. */
  readonly contextVersion: number
  readonly versao: number
  /** All lines, deleted ones too. */
  readonly linhas: readonly LineFacts[]
  readonly lineSections: LineSections
  /** Of the line on which the customer writes, by default the main one: its name, and the setor that receives handovers without one. Empty: Geral. */
  readonly linha: string
  readonly setor: string
  readonly produtos: readonly Produto[]
  /** Empty while the shop takes no orders. */
  readonly cupons: readonly Cupom[]
  /** Files of customers that go to the AI: the owner allows it, the model reads them, the server can read files. */
  readonly iaReadsMidia: readonly MidiaLida[]
  /** End of the month whose budget the AI used up, in ms. Until then it is off. Null: it may answer. */
  readonly iaPausedUntil: number | null
  /** The address of the menu on the web for one customer. Null: no text names it, or the shop has no page. */
  readonly pageLink: PageLink | null
  readonly aviso: { readonly texto: string; readonly versao: number } | null
}

export type AccountContextDeps = Pick<Deps, 'vault' | 'settings' | 'clock'> & { readonly readMidia?: ReadMidia }

const findConta = oneRow(
  'ia: find conta',
  z.object({ empresa: z.string(), fuso: z.string(), manutencao: z.boolean(), versaoContexto: z.int() }),
  sql`select empresa, fuso, manutencao, versao_contexto from contas where id = ${contaId}`,
  { prepared: true },
)

export async function loadAccountContext(tx: Tx, deps: AccountContextDeps, contaId: string): Promise<AccountContext> {
  // The version first: a change between two of these statements leaves an old version, and the next message reloads.
  const conta = await findConta(tx, { contaId })
  if (conta === null) throw new Error('conta not found')
  const { versaoContexto: contextVersion, ...facts } = conta
  const { config, linhas: lineSections, versao } = await loadConfig(tx, deps, contaId)
  const linhas = await listLineFacts(tx, { contaId })
  const produtos = (await listProdutos(tx, { contaId })).filter(({ ativo }) => ativo)
  const cupons = config.loja.pedidos ? await listCupons(tx, contaId) : []
  const aviso = await loadAviso(tx, deps, contaId)
  const { lerMidia, provedor, modeloGemini } = config.ia
  const iaReadsMidia = deps.readMidia !== undefined && lerMidia ? midiasLidas(provedor, modeloGemini) : []
  const iaPausedUntil = await pausedUntil(tx, deps, contaId, config.ia.orcamentoCentavosMes)
  const main = linhas.find(({ principal }) => principal)
  const lines = { linhas, lineSections, linha: main?.nome ?? '', setor: '' }
  const pageLink = pageLinkOf(deps, contaId, { config, lineSections })
  return {
    contaId,
    ...facts,
    contextVersion,
    config,
    versao,
    ...lines,
    produtos,
    cupons,
    iaReadsMidia,
    iaPausedUntil,
    pageLink,
    aviso,
  }
}

async function pausedUntil(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  contaId: string,
  orcamento: number | null,
): Promise<number | null> {
  if (orcamento === null) return null
  const { cost, endsAt } = await readMonth(tx, contaId, clock.now())
  return isBudgetUsed(cost, orcamento) ? endsAt.getTime() : null
}

const lineContexts = new WeakMap<AccountContext, Map<string, AccountContext>>()

/** `mensagens.canal` of what leaves on a line. */
export function channelOfLine({ contaId, config, linhas }: AccountContext, linhaId: string): string {
  const line = linhas.find(({ id }) => id === linhaId)
  return channelOf({ conector: line?.conector ?? config.whatsapp.conector, linha: storedLine({ contaId, linhaId }) })
}

export function isLineDeleted({ linhas }: AccountContext, linhaId: string): boolean {
  return linhas.some(({ id, removida }) => removida && id === linhaId)
}

/** The context of one line: its own menu, hours and AI in the place of the account's, its name and its setor. */
export function contextOfLine(context: AccountContext, linhaId: string): AccountContext {
  const { setor = '', nome = '', principal = true } = context.linhas.find(({ id }) => id === linhaId) ?? {}
  const sections = context.lineSections[linhaId]
  if (principal && setor === '' && sections === undefined) return context
  const ofLines = lineContexts.get(context) ?? new Map<string, AccountContext>()
  lineContexts.set(context, ofLines)
  const fresh = ofLines.get(linhaId) ?? {
    ...context,
    config: configOfLine(context.config, sections),
    linha: nome,
    setor,
  }
  ofLines.set(linhaId, fresh)
  return fresh
}

function configOfLine(config: Config, sections: LineSections[string] | undefined): Config {
  if (sections === undefined) return config
  const { menu, horario, iaAtiva } = sections
  return {
    ...config,
    menu: menu ?? config.menu,
    atendimento: horario === null ? config.atendimento : { ...config.atendimento, horario },
    ia: iaAtiva === null ? config.ia : { ...config.ia, ativa: iaAtiva },
  }
}

const engineContexts = new WeakMap<AccountContext, BotContext>()

export function toBotContext(context: AccountContext): BotContext {
  const done = engineContexts.get(context)
  if (done !== undefined) return done
  const { config, empresa, iaReadsMidia, aviso } = context
  const fresh: BotContext = {
    config,
    empresa,
    linha: context.linha,
    iaAvailable: config.ia.ativa && context.iaPausedUntil === null && isProvedorReady(config),
    iaReadsMidia,
    ...(context.setor === '' ? {} : { setor: context.setor }),
    ...(aviso === null ? {} : { avisoPrivacidade: aviso.texto }),
    cupons: context.cupons,
    produtos: context.produtos.map(({ ordem: _, ativo: __, linkCheckout, imagemUrl, ...shown }) => ({
      ...shown,
      ...(linkCheckout === '' ? {} : { linkCheckout }),
      ...(imagemUrl === null ? {} : { imagemUrl }),
    })),
  }
  engineContexts.set(context, fresh)
  return fresh
}

export interface AiRequestInput extends IaConversa {
  readonly contaId: string
  /** Null for a test by the owner. */
  readonly contatoId: string | null
  readonly contexto: BotContext
  readonly nomeCliente: string
  readonly agora: Date
  readonly midias: readonly AiMidia[]
  readonly trechos?: readonly Trecho[]
}

/** Builds the provider request for customer questions and tests. `historico` and `pergunta` must be masked already. */
export function buildAiRequest(input: AiRequestInput): AiRequest {
  const { contaId, contatoId, contexto, nomeCliente, agora, historico, pergunta, midias, trechos = [] } = input
  const { ia, atendimento } = contexto.config
  const { produtos } = contexto
  return {
    contaId,
    contatoId,
    provedor: ia.provedor,
    urlBase: ia.provedor === 'compativel' ? ia.urlBase : '',
    apiKey: chavesOf(contexto.config)[ia.provedor],
    modelo: ia.modeloGemini,
    temperatura: ia.temperaturaResposta,
    instrucoes: buildSystemPrompt({ contexto, nomeCliente, agora: agora.getTime(), trechos }),
    historico,
    pergunta,
    midias,
    setores: atendimento.setores.filter(({ ativo }) => ativo).map(({ id, nome }) => ({ id, nome })),
    procurarProdutos: produtos.length === 0 ? null : (search) => searchProdutos(produtos, search),
    trechos,
  }
}
