import * as z from 'zod/mini'
import type { IaLine } from '@balcao/engine/ia/conversa'
import { cleanSummary, needsSummary, SUMMARY_PROMPT, summaryQuestion } from '@balcao/engine/ia/summary'
import { columns, rawSql, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { localDay } from '#lib/time.ts'
import { Batcher } from '#lib/queue/batcher.ts'
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
const SELECTED_AT_ONCE = 50
const TEMPERATURE = 0.2
const READ = { planner: 'indexes', oneTrip: true } as const

const listLines = manyRows(
  'ia: list mensagens to summarize',
  z.object({ n: z.int(), id: z.string(), direcao: z.enum(['entrada', 'saida']), texto: z.string() }),
  sql`
select i.n::int as n, m.* from ${columns('i', { contaId: 'uuid', conversaId: 'uuid' }, { number: 'n' })}
cross join lateral (
  select id, direcao, texto from mensagens m
  where m.conta_id = i.conta_id and m.conversa_id = i.conversa_id and m.texto <> ''
  order by m.id desc limit ${rawSql(String(LINES_MAX))}
) m order by i.n, m.id`,
  { prepared: true, planner: 'indexes' },
)

/** All refusals share this error, because building a stack trace for each costs more than refusing. */
const TOO_MANY = new Error('too many summaries wait')

interface QueuedBrief {
  readonly key: string
  readonly handed: HandedOver
}

/**
 * Summaries by the AI of conversas that came to people, asked after the commit of the hand-off. A summary is left out
 * when it fails, when too many wait, or when the process ends: the operador has the messages.
 */
export class AiBriefs {
  readonly #deps: BriefDeps
  readonly #contexts: Pick<AccountContexts, 'get'>
  readonly #stopping = new AbortController()
  readonly #selection: Batcher<QueuedBrief>
  readonly #gate = createGate({
    ...{ atOnce: AT_ONCE, runningPerKey: () => PER_CONTA, waiting: WAITING, waitingPerKey: WAITING_PER_CONTA },
    full: () => TOO_MANY,
  })

  constructor(deps: BriefDeps, contexts: Pick<AccountContexts, 'get'>) {
    this.#deps = deps
    this.#contexts = contexts
    this.#selection = new Batcher({
      ...{ max: SELECTED_AT_ONCE, slots: 1, groupOf: ({ handed }) => handed.contaId },
      handleBatch: async (batch) => {
        const handed = batch.map((queued) => queued.handed)
        await this.#selectAll(handed).catch((err: unknown) => this.#leftOut(err, handed[0]?.contaId))
        return []
      },
    })
  }

  schedule(handed: HandedOver): void {
    if (!this.#stopping.signal.aborted) this.#selection.add({ key: handed.conversaId, handed })
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Queues a request for each conversa that needs a summary. */
  async #selectAll(all: readonly HandedOver[]): Promise<void> {
    const contexts = await Promise.all(all.map((handed) => this.#contextOf(handed)))
    const ready = all.filter((_, place) => contexts[place] !== null)
    if (ready.length === 0 || this.#stopping.signal.aborted) return
    const said = await this.#listLinesOf(ready)
    for (const [place, handed] of ready.entries()) {
      if (!needsSummary(said[place] ?? [])) continue
      this.#gate
        .run(() => this.#summarize(handed), handed.contaId)
        .catch((err: unknown) => this.#leftOut(err, handed.contaId))
    }
  }

  /** Null: the conta asks no AI now, or its settings could not be read. */
  async #contextOf({ contaId, linhaId }: HandedOver): Promise<AccountContext | null> {
    try {
      const context = contextOfLine(await this.#contexts.get(contaId), linhaId)
      return toBotContext(context).iaAvailable && !context.manutencao ? context : null
    } catch (error) {
      this.#leftOut(error, contaId)
      return null
    }
  }

  /** An entry for each conversa, its oldest line first. */
  async #listLinesOf(handed: readonly HandedOver[]): Promise<IaLine[][]> {
    const contas = [...new Set(handed.map(({ contaId }) => contaId))]
    const rows = await this.#deps.db.read(contas, (tx) => listLines(tx, { i: handed }), READ)
    const ofPlace = Map.groupBy(rows, ({ n }) => n - 1)
    return handed.map((_, place) =>
      (ofPlace.get(place) ?? []).map(({ id, direcao, texto }) => {
        return { id, texto, de: direcao === 'entrada' ? 'cliente' : 'bot' }
      }),
    )
  }

  /** Refusals are not logged: a rush of hand-offs would hide all other lines. */
  #leftOut(err: unknown, contaId: string | undefined): void {
    if (err !== TOO_MANY) this.#deps.log.warn({ err, contaId }, 'summary for people left out')
  }

  /** Reads settings and mensagens again, because the request may have waited. */
  async #summarize(handed: HandedOver): Promise<void> {
    const { db, clock, ai, metrics, realtime } = this.#deps
    const { contaId, conversaId } = handed
    const context = await this.#contextOf(handed)
    if (context === null) return
    const [lines = []] = await this.#listLinesOf([handed])
    if (!needsSummary(lines) || this.#stopping.signal.aborted) return
    const request = this.#requestOf(context, handed, lines)
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

  #requestOf(context: AccountContext, { contaId, contatoId }: HandedOver, lines: readonly IaLine[]): AiRequest {
    const request = buildAiRequest({
      ...{ contaId, contatoId, contexto: toBotContext(context), nomeCliente: '', agora: this.#deps.clock.now() },
      ...{ historico: [], pergunta: summaryQuestion(lines), midias: [] },
    })
    const alone = { setores: [], procurarProdutos: null }
    return { ...request, ...alone, instrucoes: SUMMARY_PROMPT, temperatura: TEMPERATURE }
  }
}
