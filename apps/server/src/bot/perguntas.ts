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
  /** Queues the answer as an event of the contact; the engine drops it when it is late. Resolves after the commit. */
  readonly responder: (pergunta: Pergunta, respondida: Respondida) => Promise<void>
}

/**
 * Questions to the AI: each waits for the customer's silence, is asked outside the queue and comes back as an event. Its row in
 * `perguntas_ia` goes away in the transaction that takes the answer, so a process that dies before asks again, and one that
 * dies after does not.
 */
export interface Perguntas {
  readonly agendar: (pergunta: Pergunta) => void
  /** Takes up what a dead process left: called by the node that got the account's lease. */
  readonly recuperar: (contaId: string) => Promise<void>
  /** The contact is gone: nobody asks for it any longer. */
  readonly esquecer: (contaId: string, contatoId: string) => void
  readonly stop: () => void
}

/** After an error of our own (the database was away): the question stays and is tried again. */
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

  /** A file that cannot be read is a file the model does not get: the words are answered all the same. */
  const lerMidia: LerMidia = async (contaId, url) => {
    try {
      return (await deps.lerMidia?.(contaId, url)) ?? null
    } catch (error) {
      log.warn({ err: error, contaId }, 'a picture or a recording could not be read for the AI')
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
    // A newer fragment took this question's place, or this process ends: whoever comes next asks.
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
      // A newer one is on its way, and must not be called back for this one.
      if (voo.controle.signal.aborted) return
      log.error({ err: error, contaId: pergunta.contaId }, 'a question to the AI is tried again')
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

/** Why the provider is not asked after all, as the answer the engine gets; null when it is. */
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
