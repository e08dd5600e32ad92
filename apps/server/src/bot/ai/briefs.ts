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
const READ_AT_ONCE = 50
const TEMPERATURE = 0.2

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

/** One for all: its stack trace would cost more than the refusal. */
const TOO_MANY = new Error('too many summaries wait')

interface QueuedRead {
  readonly key: string
  readonly handed: HandedOver
}

interface AskedBrief {
  readonly handed: HandedOver
  readonly context: AccountContext
  readonly request: AiRequest
}

/**
 * Summaries by the AI of conversas that came to people, asked after the commit of the hand-off. A summary is left out
 * when it fails, when too many wait, or when the process ends: the operador has the messages.
 */
export class AiBriefs {
  readonly #deps: BriefDeps
  readonly #contexts: Pick<AccountContexts, 'get'>
  readonly #stopping = new AbortController()
  readonly #reads: Batcher<QueuedRead>
  readonly #gate = createGate({
    ...{ atOnce: AT_ONCE, runningPerKey: () => PER_CONTA, waiting: WAITING, waitingPerKey: WAITING_PER_CONTA },
    full: () => TOO_MANY,
  })

  constructor(deps: BriefDeps, contexts: Pick<AccountContexts, 'get'>) {
    this.#deps = deps
    this.#contexts = contexts
    this.#reads = new Batcher({
      ...{ max: READ_AT_ONCE, slots: 1, groupOf: ({ handed }) => handed.contaId },
      handleBatch: async (batch) => {
        const handed = batch.map((queued) => queued.handed)
        await this.#readAll(handed).catch((err: unknown) => this.#leftOut(err, handed[0]?.contaId))
        return []
      },
    })
  }

  schedule(handed: HandedOver): void {
    if (!this.#stopping.signal.aborted) this.#reads.add({ key: handed.conversaId, handed })
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Reads what was said in these conversas, and asks for those that are worth a summary. */
  async #readAll(all: readonly HandedOver[]): Promise<void> {
    const ready = (await Promise.all(all.map((handed) => this.#withContext(handed)))).filter((one) => one !== null)
    if (ready.length === 0 || this.#stopping.signal.aborted) return
    const i = ready.map(({ handed }) => handed)
    const contas = [...new Set(i.map(({ contaId }) => contaId))]
    const options = { planner: 'indexes', oneTrip: true } as const
    const rows = await this.#deps.db.read(contas, (tx) => listLines(tx, { i }), options)
    const lines = Map.groupBy(rows, ({ n }) => n - 1)
    for (const [place, { handed, context }] of ready.entries()) {
      const said = (lines.get(place) ?? []).map(({ id, direcao, texto }): IaLine => {
        return { id, texto, de: direcao === 'entrada' ? 'cliente' : 'bot' }
      })
      if (!needsSummary(said)) continue
      const asked = { handed, context, request: this.#requestOf(context, handed, said) }
      this.#gate.run(() => this.#summarize(asked), handed.contaId).catch((err) => this.#leftOut(err, handed.contaId))
    }
  }

  /** Null: the conta asks no AI now, or its settings could not be read. */
  async #withContext(handed: HandedOver): Promise<Omit<AskedBrief, 'request'> | null> {
    const { contaId, linhaId } = handed
    try {
      const context = contextOfLine(await this.#contexts.get(contaId), linhaId)
      return toBotContext(context).iaAvailable && !context.manutencao ? { handed, context } : null
    } catch (error) {
      this.#leftOut(error, contaId)
      return null
    }
  }

  /** In a rush of hand-offs a line for each of them would hide the others. */
  #leftOut(err: unknown, contaId: string | undefined): void {
    if (err !== TOO_MANY) this.#deps.log.warn({ err, contaId }, 'summary for people left out')
  }

  async #summarize({ handed: { contaId, conversaId }, context, request }: AskedBrief): Promise<void> {
    const { db, clock, ai, metrics, realtime } = this.#deps
    if (this.#stopping.signal.aborted) return
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
