import * as z from 'zod/mini'
import { MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import type { AiAnswer, AiRequest, ReadMidia } from '#ports/ai.ts'
import type { AccountContext, AccountContexts } from './contextos.ts'
import { readQuestion, buildCustomerRequest } from './reunir-pergunta.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { AnsweredQuestion } from './turno.ts'

export interface AiQuestion {
  readonly contaId: string
  readonly contatoId: string
  readonly id: string
  readonly askAt: Date
}

export interface AiQuestionsOptions {
  readonly contexts: AccountContexts
  /** Queues the answer as an event of the contato; the engine ignores a late one. Resolves after the commit. */
  readonly answer: (pergunta: AiQuestion, respondida: AnsweredQuestion) => Promise<void>
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
  const esperas = new Map<string, NodeJS.Timeout>()
  const emVoo = new Map<string, RunningQuestion>()
  let parado = false

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
    const pedido = await buildCustomerRequest({ context: contexto, contatoId, question: reunida, now: clock.now(), readMidia: lerMidia })
    deps.crashPoint('ia.antes')
    const resposta = reasonNotToAsk(contexto, pergunta, pedido, clock.now()) ?? (await ai.answer(pedido, controller.signal))
    // A newer fragment replaced this question, or the process is stopping. The row stays for the next run.
    if (controller.signal.aborted) return
    deps.crashPoint('ia.depois')
    await answer(pergunta, { perguntaId: id, request: pedido, answer: resposta })
  }

  const voar = async (pergunta: AiQuestion): Promise<void> => {
    const chave = questionKey(pergunta)
    if (parado || emVoo.get(chave)?.id === pergunta.id) return
    emVoo.get(chave)?.controller.abort()
    const voo: RunningQuestion = { id: pergunta.id, controller: new AbortController() }
    emVoo.set(chave, voo)
    try {
      await perguntar(pergunta, voo)
    } catch (error) {
      // A newer question is scheduled; this error must not replace it.
      if (voo.controller.signal.aborted) return
      log.error({ err: error, contaId: pergunta.contaId }, 'AI question failed, retrying')
      if (!esperas.has(chave)) agendar({ ...pergunta, askAt: new Date(clock.now().getTime() + RETRY_MS) })
    } finally {
      if (emVoo.get(chave) === voo) emVoo.delete(chave)
    }
  }

  const agendar = (pergunta: AiQuestion): void => {
    if (parado) return
    ai.warmUp?.()
    const chave = questionKey(pergunta)
    clearTimeout(esperas.get(chave))
    const emAndamento = emVoo.get(chave)
    if (emAndamento !== undefined && emAndamento.id !== pergunta.id) emAndamento.controller.abort()
    const espera = pergunta.askAt.getTime() - clock.now().getTime()
    if (espera <= 0) {
      esperas.delete(chave)
      void voar(pergunta)
      return
    }
    const timer = setTimeout(() => {
      esperas.delete(chave)
      void voar(pergunta)
    }, espera)
    esperas.set(chave, timer)
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
      const chave = `${contaId}|${contatoId}`
      clearTimeout(esperas.get(chave))
      esperas.delete(chave)
      emVoo.get(chave)?.controller.abort()
    },
    stop: () => {
      parado = true
      for (const timer of esperas.values()) clearTimeout(timer)
      esperas.clear()
      for (const { controller } of emVoo.values()) controller.abort()
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
  const falha = (motivo: string): AiAnswer => ({ tipo: 'falha', motivo })
  if (manutencao) return falha('o bot está em manutenção')
  if (!config.ia.ativa || config.gemini.apiKey === '') return falha('a IA foi desativada ou está sem API Key')
  if (pedido.pergunta === '') return falha('a mensagem do cliente não existe mais')
  const atraso = agora.getTime() - askAt.getTime()
  return atraso > MENSAGEM_ANTIGA_MS ? falha('o servidor esteve parado e a pergunta ficou antiga') : null
}
