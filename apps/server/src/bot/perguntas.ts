import * as z from 'zod/mini'
import { MENSAGEM_ANTIGA_MS } from '@balcao/contract/constants'
import type { AiAnswer, AiRequest, LerMidia } from '#ports/ai.ts'
import type { Contexto, Contextos } from './contextos.ts'
import { lerPergunta, pedirDoCliente } from './reunir-pergunta.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Respondida } from './turno.ts'

export interface Pergunta {
  readonly contaId: string
  readonly contatoId: string
  readonly id: string
  readonly perguntarEm: Date
}

export interface PerguntasOptions {
  readonly contextos: Contextos
  /** Queues the answer as an event of the contato; the engine ignores a late one. Resolves after the commit. */
  readonly responder: (pergunta: Pergunta, respondida: Respondida) => Promise<void>
}

/**
 * Questions to the AI. Each one waits for the customer's pause, runs outside the queue and returns as an event. The
 * row in `perguntas_ia` is deleted in the transaction of the answer, so a question is repeated only if the process
 * dies before that commit.
 */
export interface Perguntas {
  readonly agendar: (pergunta: Pergunta) => void
  readonly recuperar: (contaId: string) => Promise<void>
  readonly esquecer: (contaId: string, contatoId: string) => void
  readonly stop: () => void
}

/** Wait after an error of our own, such as a lost database connection. */
const RETENTAR_MS = 5_000

interface Voo {
  readonly id: string
  readonly controle: AbortController
}

export function createPerguntas(deps: BotDeps, { contextos, responder }: PerguntasOptions): Perguntas {
  const { db, log, ai, clock } = deps
  const esperas = new Map<string, NodeJS.Timeout>()
  const emVoo = new Map<string, Voo>()
  let parado = false

  /** When a file cannot be read, the question is sent without it. */
  const lerMidia: LerMidia = async (contaId, url) => {
    try {
      return (await deps.lerMidia?.(contaId, url)) ?? null
    } catch (error) {
      log.warn({ err: error, contaId }, 'media not readable for the AI')
      return null
    }
  }

  const perguntar = async (pergunta: Pergunta, { controle }: Voo): Promise<void> => {
    const { contaId, contatoId, id } = pergunta
    const contexto = await contextos.get(contaId)
    const reunida = await db.transaction(contaId, (tx) => lerPergunta(tx, clock.now(), pergunta), 'indices')
    if (reunida === null || controle.signal.aborted) return
    const pedido = await pedirDoCliente({ contexto, contatoId, reunida, agora: clock.now(), lerMidia })
    deps.falha('ia.antes')
    const resposta = naoPerguntar(contexto, pergunta, pedido, clock.now()) ?? (await ai.answer(pedido, controle.signal))
    // A newer fragment replaced this question, or the process is stopping. The row stays for the next run.
    if (controle.signal.aborted) return
    deps.falha('ia.depois')
    await responder(pergunta, { perguntaId: id, pedido, resposta })
  }

  const voar = async (pergunta: Pergunta): Promise<void> => {
    const chave = chaveDe(pergunta)
    if (parado || emVoo.get(chave)?.id === pergunta.id) return
    emVoo.get(chave)?.controle.abort()
    const voo: Voo = { id: pergunta.id, controle: new AbortController() }
    emVoo.set(chave, voo)
    try {
      await perguntar(pergunta, voo)
    } catch (error) {
      // A newer question is scheduled; this error must not replace it.
      if (voo.controle.signal.aborted) return
      log.error({ err: error, contaId: pergunta.contaId }, 'AI question failed, retrying')
      if (!esperas.has(chave)) agendar({ ...pergunta, perguntarEm: new Date(clock.now().getTime() + RETENTAR_MS) })
    } finally {
      if (emVoo.get(chave) === voo) emVoo.delete(chave)
    }
  }

  const agendar = (pergunta: Pergunta): void => {
    if (parado) return
    ai.aquecer?.()
    const chave = chaveDe(pergunta)
    clearTimeout(esperas.get(chave))
    const emAndamento = emVoo.get(chave)
    if (emAndamento !== undefined && emAndamento.id !== pergunta.id) emAndamento.controle.abort()
    const espera = pergunta.perguntarEm.getTime() - clock.now().getTime()
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
    agendar,
    recuperar: async (contaId) => {
      const rows = await db.transaction(contaId, (tx) =>
        tx.rows(perguntaRowSchema, 'select id, contato_id, perguntar_em from perguntas_ia where conta_id = $1', [
          contaId,
        ]),
      )
      for (const row of rows) {
        agendar({ contaId, id: row.id, contatoId: row.contato_id, perguntarEm: row.perguntar_em })
      }
    },
    esquecer: (contaId, contatoId) => {
      const chave = `${contaId}|${contatoId}`
      clearTimeout(esperas.get(chave))
      esperas.delete(chave)
      emVoo.get(chave)?.controle.abort()
    },
    stop: () => {
      parado = true
      for (const timer of esperas.values()) clearTimeout(timer)
      esperas.clear()
      for (const { controle } of emVoo.values()) controle.abort()
    },
  }
}

const perguntaRowSchema = z.object({ id: z.string(), contato_id: z.string(), perguntar_em: z.date() })

function chaveDe({ contaId, contatoId }: Pergunta): string {
  return `${contaId}|${contatoId}`
}

/** Returns the failure to report instead of asking the provider, or null when the question may be asked. */
function naoPerguntar(
  { config, manutencao }: Contexto,
  { perguntarEm }: Pergunta,
  pedido: AiRequest,
  agora: Date,
): AiAnswer | null {
  const falha = (motivo: string): AiAnswer => ({ tipo: 'falha', motivo })
  if (manutencao) return falha('o bot está em manutenção')
  if (!config.ia.ativa || config.gemini.apiKey === '') return falha('a IA foi desativada ou está sem API Key')
  if (pedido.pergunta === '') return falha('a mensagem do cliente não existe mais')
  const atraso = agora.getTime() - perguntarEm.getTime()
  return atraso > MENSAGEM_ANTIGA_MS ? falha('o servidor esteve parado e a pergunta ficou antiga') : null
}
