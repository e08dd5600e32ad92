import * as z from 'zod/mini'
import type { IaLine } from '@balcao/engine/ia/conversa'
import { cleanSummary, needsSummary, SUMMARY_PROMPT, summaryQuestion } from '@balcao/engine/ia/summary'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { localDay } from '#lib/time.ts'
import { createGate } from '#lib/queue/gate.ts'
import { storeSummary } from '#modules/conversas/index.ts'
import {
  type AccountContext,
  buildAiRequest,
  contextOfLine,
  recordRespostasIa,
  toBotContext,
} from '#modules/ia/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import type { AiRequest } from '#ports/ai.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { AccountContexts } from '#bot/context.ts'

export interface HandedOver {
  readonly contaId: string
  readonly linhaId: string
  readonly contatoId: string
  readonly conversaId: string
}

type BriefDeps = Pick<BotDeps, 'db' | 'log' | 'metrics' | 'ai' | 'clock' | 'ids' | 'realtime' | 'vault' | 'mailQueued'>

/** Below the four questions of an account at once, so that customers who wait for an answer come first. */
const AT_ONCE = 8
const PER_CONTA = 1
const WAITING = 100
const WAITING_PER_CONTA = 20
const LINES_MAX = 40
const TEMPERATURE = 0.2

const listLines = manyRows(
  'ia: list mensagens to summarize',
  z.object({ id: z.string(), direcao: z.enum(['entrada', 'saida']), texto: z.string() }),
  sql`select id, direcao, texto from mensagens
      where conta_id = ${contaId} and conversa_id = ${value('conversaId', 'uuid')} and texto <> ''
      order by id desc limit ${value('max', 'int')}`,
  { prepared: true, planner: 'indexes' },
)

/** One for all: its stack trace would cost more than the refusal. */
const TOO_MANY = new Error('too many summaries wait')

/**
 * Summaries by the AI of conversas that came to people, asked after the commit of the hand-off. A summary is left out
 * when it fails, when too many wait, or when the process ends: the operador has the messages.
 */
export class AiBriefs {
  readonly #deps: BriefDeps
  readonly #contexts: Pick<AccountContexts, 'get'>
  readonly #stopping = new AbortController()
  readonly #gate = createGate({
    ...{ atOnce: AT_ONCE, runningPerKey: () => PER_CONTA, waiting: WAITING, waitingPerKey: WAITING_PER_CONTA },
    full: () => TOO_MANY,
  })

  constructor(deps: BriefDeps, contexts: Pick<AccountContexts, 'get'>) {
    this.#deps = deps
    this.#contexts = contexts
  }

  schedule(handed: HandedOver): void {
    if (this.#stopping.signal.aborted) return
    this.#gate
      .run(() => this.#summarize(handed), handed.contaId)
      .catch((err: unknown) => {
        // In a rush of hand-offs a line for each of them would hide the others.
        if (err !== TOO_MANY) this.#deps.log.warn({ err, contaId: handed.contaId }, 'summary for people left out')
      })
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #summarize(handed: HandedOver): Promise<void> {
    const { db, clock, ai, metrics, realtime } = this.#deps
    const { contaId, conversaId } = handed
    const context = contextOfLine(await this.#contexts.get(contaId), handed.linhaId)
    if (!toBotContext(context).iaAvailable || context.manutencao) return
    const request = await this.#requestOf(context, handed)
    if (request === null || this.#stopping.signal.aborted) return
    const answer = await ai.answer(request, this.#stopping.signal)
    if (answer.registro !== undefined) metrics.observeAi(answer.registro.duracaoMs / 1_000)
    const ia = answer.tipo === 'texto' ? cleanSummary(answer.texto) : ''
    const now = clock.now()
    await db.transaction(contaId, async (tx) => {
      const day = localDay(now, context.fuso)
      const orcamento = context.config.ia.orcamentoCentavosMes
      await recordRespostasIa(tx, this.#deps, [{ contaId, request, answer, mensagem: null, now, day, orcamento }])
      const stored = ia === '' ? null : await storeSummary(tx, { contaId, id: conversaId, ia })
      if (stored === null) return
      const event = { userId: contaId, conversaId, ia }
      tx.afterCommit(() => realtime.publishConversa(contaId, 'resumoConversa', event, audienceOf(stored)))
    })
  }

  /** Null: the customer wrote nothing to summarize. */
  async #requestOf(context: AccountContext, { contaId, contatoId, conversaId }: HandedOver): Promise<AiRequest | null> {
    const { db, clock } = this.#deps
    const read = { planner: 'indexes', oneTrip: true } as const
    const rows = await db.read(contaId, (tx) => listLines(tx, { contaId, conversaId, max: LINES_MAX }), read)
    const lines = rows.toReversed().map(({ id, direcao, texto }): IaLine => {
      return { id, texto, de: direcao === 'entrada' ? 'cliente' : 'bot' }
    })
    if (!needsSummary(lines)) return null
    const request = buildAiRequest({
      ...{ contaId, contatoId, contexto: toBotContext(context), nomeCliente: '', agora: clock.now() },
      ...{ historico: [], pergunta: summaryQuestion(lines), midias: [] },
    })
    const alone = { setores: [], procurarProdutos: null }
    return { ...request, ...alone, instrucoes: SUMMARY_PROMPT, temperatura: TEMPERATURE }
  }
}
