import * as z from 'zod/mini'
import { MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import type { AiAnswer, AiRequest, ReadMidia } from '#ports/ai.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import type { AccountContexts } from '#bot/turn/context.ts'
import { readQuestion, buildCustomerRequest } from './gather.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { AnsweredQuestion } from '#bot/turn/types.ts'

export interface AiQuestion {
  readonly contaId: string
  readonly contatoId: string
  readonly id: string
  readonly askAt: Date
}

export interface AiQuestionsOptions {
  readonly contexts: AccountContexts
  /** Queues the answer as an event of the contato; the engine ignores a late one. Resolves after the commit. */
  readonly answer: (pergunta: AiQuestion, answered: AnsweredQuestion) => Promise<void>
}

/**
 * Questions to the AI. Each one waits for the customer's pause, runs outside the queue and returns as an event. The
 * row in `perguntas_ia` is deleted in the transaction of the answer, so a question is repeated only if the process
 * dies before that commit.
 */
export interface AiQuestions {
  readonly schedule: (pergunta: AiQuestion) => void
  readonly recover: (contaId: string) => Promise<void>
  readonly forget: (contaId: string, contatoId: string) => void
  readonly stop: () => void
}

/** Wait after an error of our own, such as a lost database connection. */
const RETRY_MS = 5_000

interface RunningQuestion {
  readonly id: string
  readonly controller: AbortController
}

export function createAiQuestions(deps: BotDeps, { contexts, answer }: AiQuestionsOptions): AiQuestions {
  const { db, log, ai, clock } = deps
  const waits = new Map<string, NodeJS.Timeout>()
  const inFlight = new Map<string, RunningQuestion>()
  let stopped = false

  /** When a file cannot be read, the question is sent without it. */
  const lerMidia: ReadMidia = async (contaId, url) => {
    try {
      return (await deps.readMidia?.(contaId, url)) ?? null
    } catch (error) {
      log.warn({ err: error, contaId }, 'media not readable for the AI')
      return null
    }
  }

  const perguntar = async (pergunta: AiQuestion, { controller }: RunningQuestion): Promise<void> => {
    const { contaId, contatoId, id } = pergunta
    const contexto = await contexts.get(contaId)
    const reunida = await db.transaction(contaId, (tx) => readQuestion(tx, clock.now(), pergunta), 'indices')
    if (reunida === null || controller.signal.aborted) return
    const pedido = await buildCustomerRequest({
      context: contexto,
      contatoId,
      question: reunida,
      now: clock.now(),
      readMidia: lerMidia,
    })
    deps.crashPoint('ia.antes')
    const reply =
      reasonNotToAsk(contexto, pergunta, pedido, clock.now()) ?? (await ai.answer(pedido, controller.signal))
    // A newer fragment replaced this question, or the process is stopping. The row stays for the next run.
    if (controller.signal.aborted) return
    deps.crashPoint('ia.depois')
    await answer(pergunta, { perguntaId: id, request: pedido, answer: reply })
  }

  const voar = async (pergunta: AiQuestion): Promise<void> => {
    const key = questionKey(pergunta)
    if (stopped || inFlight.get(key)?.id === pergunta.id) return
    inFlight.get(key)?.controller.abort()
    const voo: RunningQuestion = { id: pergunta.id, controller: new AbortController() }
    inFlight.set(key, voo)
    try {
      await perguntar(pergunta, voo)
    } catch (error) {
      // A newer question is scheduled; this error must not replace it.
      if (voo.controller.signal.aborted) return
      log.error({ err: error, contaId: pergunta.contaId }, 'AI question failed, retrying')
      if (!waits.has(key)) agendar({ ...pergunta, askAt: new Date(clock.now().getTime() + RETRY_MS) })
    } finally {
      if (inFlight.get(key) === voo) inFlight.delete(key)
    }
  }

  const agendar = (pergunta: AiQuestion): void => {
    if (stopped) return
    ai.warmUp?.()
    const key = questionKey(pergunta)
    clearTimeout(waits.get(key))
    const inProgress = inFlight.get(key)
    if (inProgress !== undefined && inProgress.id !== pergunta.id) inProgress.controller.abort()
    const wait = pergunta.askAt.getTime() - clock.now().getTime()
    if (wait <= 0) {
      waits.delete(key)
      void voar(pergunta)
      return
    }
    const timer = setTimeout(() => {
      waits.delete(key)
      void voar(pergunta)
    }, wait)
    waits.set(key, timer)
  }

  return {
    schedule: agendar,
    recover: async (contaId) => {
      const rows = await db.transaction(contaId, (tx) =>
        tx.rows(questionRowSchema, 'select id, contato_id, perguntar_em from perguntas_ia where conta_id = $1', [
          contaId,
        ]),
      )
      for (const row of rows) {
        agendar({ contaId, id: row.id, contatoId: row.contato_id, askAt: row.perguntar_em })
      }
    },
    forget: (contaId, contatoId) => {
      const key = `${contaId}|${contatoId}`
      clearTimeout(waits.get(key))
      waits.delete(key)
      inFlight.get(key)?.controller.abort()
    },
    stop: () => {
      stopped = true
      for (const timer of waits.values()) clearTimeout(timer)
      waits.clear()
      for (const { controller } of inFlight.values()) controller.abort()
    },
  }
}

const questionRowSchema = z.object({ id: z.string(), contato_id: z.string(), perguntar_em: z.date() })

function questionKey({ contaId, contatoId }: AiQuestion): string {
  return `${contaId}|${contatoId}`
}

/** Returns the failure to report instead of asking the provider, or null when the question may be asked. */
function reasonNotToAsk(
  { config, manutencao }: AccountContext,
  { askAt }: AiQuestion,
  pedido: AiRequest,
  agora: Date,
): AiAnswer | null {
  const failure = (motivo: string): AiAnswer => ({ tipo: 'falha', motivo })
  if (manutencao) return failure('o bot está em manutenção')
  if (!config.ia.ativa || config.gemini.apiKey === '') return failure('a IA foi desativada ou está sem API Key')
  if (pedido.pergunta === '') return failure('a mensagem do cliente não existe mais')
  const delay = agora.getTime() - askAt.getTime()
  return delay > MENSAGEM_ANTIGA_MS ? failure('o servidor esteve parado e a pergunta ficou antiga') : null
}
