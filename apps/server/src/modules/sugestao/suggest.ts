import type { Trecho } from '@balcao/contract/entities/fonte'
import type { Sugestao } from '@balcao/contract/entities/sugestao'
import { isProvedorReady } from '@balcao/contract/presets/provedores-ia'
import type { BotContext } from '@balcao/engine/context'
import type { IaConversa } from '@balcao/engine/ia/conversa'
import { buildDraftPrompt, readSuggestion, sourcesOf } from '@balcao/engine/ia/suggestion/draft'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { localDay } from '#lib/time.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { findServed, type ServedConversa } from '#modules/conversas/index.ts'
import { embeddingAccessOf, listWithFontes, searchFontes } from '#modules/fontes/index.ts'
import {
  askGuarded,
  buildAiRequest,
  contextOfLine,
  type GuardedAnswer,
  loadAccountContext,
  recordRespostasIa,
  toBotContext,
} from '#modules/ia/index.ts'
import type { AiRequest } from '#ports/ai.ts'
import { readQuestion } from './conversa-lines.ts'

export type SuggestDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'log' | 'realtime' | 'vault' | 'ai' | 'settings' | 'embeddings' | 'mailQueued'
>

/** Writes a draft for the person. Throws the errors of the route. */
export async function suggestReply(deps: SuggestDeps, session: LoginSession, conversaId: string): Promise<Sugestao> {
  const { contaId } = session
  const asked = await prepare(deps, session, conversaId)
  const { request, contexto, day, now } = asked
  const orcamento = contexto.config.ia.orcamentoCentavosMes
  const answer = await askGuarded(deps.ai, request, { contexto, agora: now.getTime() })
  await deps.db.transaction(contaId, (tx) =>
    recordRespostasIa(tx, deps, [{ contaId, request, answer, mensagem: null, now, day, orcamento }]),
  )
  return toSugestao(asked, answer)
}

interface Asked {
  readonly request: AiRequest
  readonly contexto: BotContext
  readonly day: string
  readonly now: Date
}

async function prepare(deps: SuggestDeps, session: LoginSession, conversaId: string): Promise<Asked> {
  const { contaId, usuarioId } = session
  const now = deps.clock.now()
  const { served, account, question, hasFontes } = await deps.db.transaction(contaId, async (tx) => {
    const answered = requireAnswerable(await findServed(tx, contaId, conversaId, session), session)
    await countAttempt(tx, deps, testLimit('sugestao', usuarioId))
    return {
      served: answered,
      account: contextOfLine(await loadAccountContext(tx, deps, contaId), answered.linhaId),
      question: await readQuestion(tx, { contaId, conversaId }),
      hasFontes: (await listWithFontes(tx, { contas: [contaId], now })).length > 0,
    }
  })
  const contexto = toBotContext(account)
  requireIa(contexto)
  if (question === null) throw new AppError('semSugestao')
  const trechos = hasFontes ? await findPieces(deps, contexto, { contaId, pergunta: question.pergunta }) : []
  const request = buildRequest({ contaId, contexto, question, served, now, trechos })
  return { request, contexto, now, day: localDay(now, account.fuso) }
}

/** As for a message of the person. */
function requireAnswerable(served: ServedConversa | null, { usuarioId }: LoginSession): ServedConversa {
  if (served === null) throw new AppError('naoEncontrado')
  const { status, operadorId, operador } = served
  if (status === 'finalizada') throw new AppError('conversaFinalizada')
  const isFree = status === 'aguardando' || operadorId === null
  if (!isFree && operadorId !== usuarioId) throw new AppError('conversaAssumida', { operadorId, operador })
  return served
}

function requireIa({ config, iaAvailable }: BotContext): void {
  if (!isProvedorReady(config)) throw new AppError('iaSemChave')
  if (!config.ia.ativa) throw new AppError('iaDesligada')
  if (!iaAvailable) throw new AppError('iaSemOrcamento')
}

/** The pieces of the shop's sources for the question. An error leaves the draft without them. */
async function findPieces(
  deps: SuggestDeps,
  { config }: BotContext,
  question: { readonly contaId: string; readonly pergunta: string },
): Promise<readonly Trecho[]> {
  try {
    return await searchFontes(deps, { ...question, access: embeddingAccessOf(config) })
  } catch (error) {
    deps.log.warn({ err: error, contaId: question.contaId }, 'sources not searched, draft asked without them')
    return []
  }
}

interface RequestInput {
  readonly trechos: readonly Trecho[]
  readonly contaId: string
  readonly contexto: BotContext
  readonly question: IaConversa
  readonly served: ServedConversa
  readonly now: Date
}

/** As a customer's question, without the tool that hands over. `contatoId` null: the limit counts the person. */
function buildRequest({ contaId, contexto, question, served, now, trechos }: RequestInput): AiRequest {
  const nomeCliente = served.nome
  const of = { contaId, contatoId: null, contexto, nomeCliente, agora: now, midias: [], trechos }
  const instrucoes = buildDraftPrompt({ contexto, nomeCliente, agora: now.getTime(), trechos })
  return { ...buildAiRequest({ ...of, ...question }), instrucoes, setores: [] }
}

function toSugestao(asked: Asked, answer: GuardedAnswer): Sugestao {
  if (answer.tipo === 'falha') throw new AppError('iaFalhou', { erro: `A IA não respondeu: ${answer.motivo}.` })
  const sugestao = answer.tipo === 'texto' ? supportedDraft(asked, answer.texto) : null
  if (sugestao === null) throw new AppError('semSugestao')
  return sugestao
}

/** Null when the model wrote no draft, or one that shares no words with the texts of the shop. */
function supportedDraft({ request, contexto }: Asked, raw: string): Sugestao | null {
  const texto = readSuggestion(raw)
  if (texto === null) return null
  const fontes = sourcesOf(texto, { contexto, trechos: request.trechos })
  return fontes.length === 0 ? null : { texto, fontes }
}
