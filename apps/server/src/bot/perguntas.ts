import * as z from 'zod/mini'
import { descreverHorario } from '@balcao/engine/rules/horario'
import { IA_CONTEXTO } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { AiAnswer, AiRequest, TurnoIa } from '#ports/ai.ts'
import type { Contexto, Contextos } from './contextos.ts'
import type { BotDeps } from './runtime-deps.ts'

export interface Pergunta {
  readonly contaId: string
  readonly contatoId: string
  readonly id: string
  readonly perguntarEm: Date
}

export interface PerguntasOptions {
  readonly contextos: Contextos
  /** Queues the answer as an event of the contact; the engine drops it when it is late. */
  readonly responder: (pergunta: Pergunta, resposta: AiAnswer) => Promise<void>
}

/** Questions to the AI: each waits for the customer's silence, is asked outside the queue and comes back as an event. */
export interface Perguntas {
  readonly agendar: (pergunta: Pergunta) => void
  /** Takes up what a dead process left: called by the node that got the account's lease. */
  readonly recuperar: (contaId: string) => Promise<void>
  readonly stop: () => void
}

export function createPerguntas(deps: BotDeps, { contextos, responder }: PerguntasOptions): Perguntas {
  const { db, log, ai } = deps
  const esperas = new Map<string, NodeJS.Timeout>()
  const emVoo = new Set<string>()

  const perguntar = async (pergunta: Pergunta): Promise<void> => {
    const { contaId, id } = pergunta
    if (emVoo.has(id)) return
    emVoo.add(id)
    try {
      const contexto = await contextos.get(contaId)
      const request = await db.transaction(contaId, (tx) => montar(tx, contexto, pergunta))
      if (request !== null) await responder(pergunta, await ai.answer(request))
    } catch (error) {
      log.error({ err: error, contaId }, 'a question to the AI was left for the next start')
    } finally {
      emVoo.delete(id)
    }
  }

  const agendar = (pergunta: Pergunta): void => {
    const chave = `${pergunta.contaId}|${pergunta.contatoId}`
    clearTimeout(esperas.get(chave))
    const espera = Math.max(0, pergunta.perguntarEm.getTime() - deps.clock.now().getTime())
    const timer = setTimeout(() => {
      esperas.delete(chave)
      void perguntar(pergunta)
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
    stop: () => {
      for (const timer of esperas.values()) clearTimeout(timer)
      esperas.clear()
    },
  }
}

const perguntaRowSchema = z.object({ id: z.string(), contato_id: z.string(), perguntar_em: z.date() })
const linhaSchema = z.object({ direcao: z.enum(['entrada', 'saida']), texto: z.string(), nome: z.string() })

/** What the provider is given, or null when a newer message made the question void. */
async function montar(tx: Tx, contexto: Contexto, { contaId, contatoId, id }: Pergunta): Promise<AiRequest | null> {
  const linhas = await tx.rows(
    linhaSchema,
    `select m.direcao, m.texto, c.nome from perguntas_ia p
     join contatos c on c.conta_id = p.conta_id and c.id = p.contato_id
     join mensagens m on m.conta_id = c.conta_id and m.conversa_id = c.conversa_id
     where p.conta_id = $1 and p.id = $2 and c.id = $3 and m.texto <> '' and m.estado not in ('limite', 'falhou')
       and m.criada_em > now() - make_interval(secs => ${IA_CONTEXTO.janelaMs / 1000})
     order by m.id desc limit ${IA_CONTEXTO.mensagens}`,
    [contaId, id, contatoId],
  )
  if (linhas.length === 0) return null
  const { config, empresa, produtos } = contexto
  // Newest first: what the customer wrote since the last answer is the question, the rest is memory.
  const resposta = linhas.findIndex(({ direcao }) => direcao === 'saida')
  const fim = resposta === -1 ? linhas.length : resposta
  const historico = config.ia.comportamentos.lembrarContexto ? linhas.slice(fim).toReversed().map(toTurno) : []
  return {
    contaId,
    ia: config.ia,
    empresa,
    nomeCliente: linhas[0]?.nome ?? '',
    setores: config.atendimento.setores
      .filter(({ ativo }) => ativo)
      .map((setor) => ({ id: setor.id, nome: setor.nome })),
    produtos: produtos.map(({ nome, descricao, preco }) => ({ nome, descricao, preco })),
    horario: descreverHorario(config.atendimento.horario),
    historico,
    pergunta: linhas
      .slice(0, fim)
      .toReversed()
      .map(({ texto }) => texto)
      .join('\n'),
  }
}

function toTurno({ direcao, texto }: z.output<typeof linhaSchema>): TurnoIa {
  return { de: direcao === 'entrada' ? 'cliente' : 'bot', texto }
}
