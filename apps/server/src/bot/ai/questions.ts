import { IA_ESPERA_MAX_S, MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import { isProvedorReady } from '@balcao/contract/presets/provedores-ia'
import { isBudgetUsed } from '@balcao/engine/ia/price'
import { listHolders } from '#modules/bot/index.ts'
import {
  type AccountContext,
  askGuarded,
  contextOfLine,
  listOverdueQuestions,
  listQuestions,
  type PendingQuestion,
  toBotContext,
} from '#modules/ia/index.ts'
import type { AiAnswer, ReadMidia } from '#ports/ai.ts'
import type { LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { AccountContexts } from '#bot/context.ts'
import type { AnsweredQuestion } from '#bot/turn/types.ts'
import { buildCustomerRequest, findTrechos, QuestionReader } from './gather.ts'

type QuestionDeps = Pick<
  BotDeps,
  'db' | 'log' | 'metrics' | 'ai' | 'embeddings' | 'clock' | 'fleet' | 'readMidia' | 'crashPoint'
>

export interface AiQuestionsOptions {
  readonly contexts: AccountContexts
  /** Queues the answer as an event of the contato; the engine ignores a late one. Resolves after the commit. */
  readonly answer: (question: PendingQuestion, answered: AnsweredQuestion) => Promise<void>
}

const RETRY_MS = 5_000
/** After this delay the leader asks a question whose bot no node has. */
const UNHELD_MS = 30_000

interface RunningQuestion {
  readonly id: string
  readonly controller: AbortController
}

/**
 * Questions to the AI. Each one waits for the customer's pause, runs outside the queue and returns as an event. The
 * row in `perguntas_ia` is deleted in the transaction of the answer, so a question is repeated only if the process
 * dies before that commit.
 */
export class AiQuestions {
  readonly #deps: QuestionDeps
  readonly #options: AiQuestionsOptions
  readonly #reader: QuestionReader
  readonly #waits = new Map<string, NodeJS.Timeout>()
  readonly #running = new Map<string, RunningQuestion>()
  #stopped = false

  constructor(deps: QuestionDeps, options: AiQuestionsOptions) {
    this.#deps = deps
    this.#options = options
    this.#reader = new QuestionReader(deps)
  }

  schedule(question: PendingQuestion): void {
    if (this.#stopped) return
    void this.#warmUp(question.contaId)
    const key = questionKey(question)
    clearTimeout(this.#waits.get(key))
    const running = this.#running.get(key)
    if (running !== undefined && running.id !== question.id) running.controller.abort()
    // The maximum holds after the clock was set back.
    const untilAsked = question.askAt.getTime() - this.#deps.clock.now().getTime()
    const waitMs = Math.min(untilAsked, IA_ESPERA_MAX_S * 1_000)
    if (waitMs <= 0) {
      this.#waits.delete(key)
      void this.#run(question)
      return
    }
    const timer = setTimeout(() => {
      this.#waits.delete(key)
      void this.#run(question)
    }, waitMs)
    this.#waits.set(key, timer)
  }

  async recover({ contaId, linhaId }: LineKey): Promise<void> {
    const questions = await this.#deps.db.transaction(contaId, (tx) => listQuestions(tx, { contaId, linhaId }))
    for (const question of questions) this.schedule(question)
  }

  /**
   * Schedules stored questions that this node dropped: their commit succeeded and its answer was lost. A question that
   * waits or runs here is skipped, because it is the same or a newer one.
   */
  recoverOverdue(questions: readonly PendingQuestion[]): void {
    for (const question of questions) {
      const key = questionKey(question)
      if (!this.#waits.has(key) && !this.#running.has(key)) this.schedule(question)
    }
  }

  async recoverUnheld(): Promise<void> {
    const until = new Date(this.#deps.clock.now().getTime() - UNHELD_MS)
    const late = await this.#deps.db.transaction('*', async (tx) => {
      const questions = await listOverdueQuestions(tx, { until, linhas: null })
      const holders = await listHolders(tx, [...new Set(questions.map(({ linhaId }) => linhaId))])
      return questions.filter(({ linhaId }) => !holders.has(linhaId))
    })
    this.recoverOverdue(late)
  }

  /** Cancels the questions of a line whose bot ended on this node. Their rows stay for the next node. */
  release({ linhaId }: LineKey): void {
    const ofLine = (key: string): boolean => key.startsWith(`${linhaId}|`)
    for (const key of [...this.#waits.keys()].filter(ofLine)) {
      clearTimeout(this.#waits.get(key))
      this.#waits.delete(key)
    }
    for (const key of [...this.#running.keys()].filter(ofLine)) {
      this.#running.get(key)?.controller.abort()
      this.#running.delete(key)
    }
  }

  /** On all lines. */
  forget(contatoId: string): void {
    for (const key of [...this.#waits.keys(), ...this.#running.keys()]) {
      if (!key.endsWith(`|${contatoId}`)) continue
      clearTimeout(this.#waits.get(key))
      this.#waits.delete(key)
      this.#running.get(key)?.controller.abort()
    }
  }

  stop(): void {
    this.#stopped = true
    for (const timer of this.#waits.values()) clearTimeout(timer)
    this.#waits.clear()
    for (const { controller } of this.#running.values()) controller.abort()
  }

  async #run(question: PendingQuestion): Promise<void> {
    const key = questionKey(question)
    if (this.#stopped || this.#running.get(key)?.id === question.id) return
    this.#running.get(key)?.controller.abort()
    const running: RunningQuestion = { id: question.id, controller: new AbortController() }
    this.#running.set(key, running)
    try {
      await this.#ask(question, running.controller.signal)
    } catch (error) {
      // A newer question is scheduled; this error must not replace it.
      if (running.controller.signal.aborted) return
      this.#deps.log.error({ err: error, contaId: question.contaId }, 'AI question failed, retrying')
      const askAt = new Date(this.#deps.clock.now().getTime() + RETRY_MS)
      if (!this.#waits.has(key)) this.schedule({ ...question, askAt })
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key)
    }
  }

  async #ask(question: PendingQuestion, signal: AbortSignal): Promise<void> {
    const { clock, metrics, ai, crashPoint } = this.#deps
    const { contaId, contatoId, id } = question
    const gathered = await this.#reader.read(question)
    if (gathered === null || signal.aborted) return
    const account = await this.#options.contexts.getAt(contaId, gathered.contextVersion)
    const context = contextOfLine(account, question.linhaId)
    const trechos = await findTrechos(this.#deps, context, gathered, signal)
    const input = { context, contatoId, question: gathered, now: clock.now(), trechos }
    const { request, sent } = buildCustomerRequest({ ...input, readMidia: this.#readMidia })
    crashPoint('ia.antes')
    const { orcamentoCentavosMes: orcamento } = context.config.ia
    const asked = { question, pergunta: request.pergunta, hasBudget: !isBudgetUsed(gathered.monthCost, orcamento) }
    const facts = { contexto: toBotContext(context), agora: input.now.getTime() }
    const answer = reasonNotToAsk(context, asked, clock.now()) ?? (await askGuarded(ai, request, facts, signal))
    if (answer.registro !== undefined) metrics.observeAi(answer.registro.duracaoMs / 1_000)
    // A newer fragment replaced this question, or the process is stopping. The row stays for the next run.
    if (signal.aborted) return
    crashPoint('ia.depois')
    await this.#options.answer(question, { perguntaId: id, request: sent(), answer, orcamento })
  }

  /** Loads the SDK of the conta's provider while the question waits. */
  async #warmUp(contaId: string): Promise<void> {
    const context = await this.#options.contexts.get(contaId).catch(() => null)
    if (context !== null) this.#deps.ai.warmUp?.(context.config.ia.provedor)
  }

  readonly #readMidia: ReadMidia = async (contaId, url) => {
    try {
      return (await this.#deps.readMidia?.(contaId, url)) ?? null
    } catch (error) {
      this.#deps.log.warn({ err: error, contaId }, 'media not readable for the AI')
      return null
    }
  }
}

function questionKey({ linhaId, contatoId }: Pick<PendingQuestion, 'linhaId' | 'contatoId'>): string {
  return `${linhaId}|${contatoId}`
}

interface AskedQuestion {
  readonly question: PendingQuestion
  readonly pergunta: string
  readonly hasBudget: boolean
}

function reasonNotToAsk(
  { config, manutencao }: AccountContext,
  { question: { askAt }, pergunta, hasBudget }: AskedQuestion,
  now: Date,
): AiAnswer | null {
  const failure = (motivo: string): AiAnswer => ({ tipo: 'falha', motivo })
  if (manutencao) return failure('o bot está em manutenção')
  if (!config.ia.ativa || !isProvedorReady(config)) return failure('a IA foi desativada ou está sem API Key')
  if (!hasBudget) return failure('o orçamento da IA deste mês acabou')
  if (pergunta === '') return failure('a mensagem do cliente não existe mais')
  const delayMs = now.getTime() - askAt.getTime()
  return delayMs > MENSAGEM_ANTIGA_MS ? failure('o servidor esteve parado e a pergunta ficou antiga') : null
}
