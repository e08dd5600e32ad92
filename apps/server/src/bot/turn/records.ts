import { type BotEffect, reachesCustomer } from '@balcao/engine/effect'
import { parseState } from '@balcao/engine/state'
import type { Tx } from '#db/transaction.ts'
import { insertAvaliacao } from '#modules/avaliacoes/index.ts'
import { deleteQuestion, insertQuestion, recordLimitReached } from '#modules/conversas/index.ts'
import { recordRespostaIa } from '#modules/ia/index.ts'
import { insertConsentimento } from '#modules/lgpd/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import { NOT_ANSWERED_LOG, ratedText, WAITING_FOR_PERSON_TEXT } from '#bot/texts.ts'
import type { AnsweredQuestion, Decision } from './types.ts'

/** Rare writes of a batch. Each kind is a separate statement, because most batches have none. */

type RecordDeps = Pick<BotDeps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'realtime' | 'log'>

/** True when the decision needs more than the statement of the whole batch. */
export function hasRecords({ effects, turn, mensagens }: Decision): boolean {
  if (mensagens.some(({ extras }) => extras !== undefined)) return true
  if (turn.tipo === 'evento' && turn.answered !== undefined) return true
  return effects.some((effect) => !reachesCustomer(effect))
}

/** Writes ratings, questions to the AI, consents and log lines, after the messages and one by one. */
export async function insertRecords(tx: Tx, deps: RecordDeps, decisions: readonly Decision[]): Promise<void> {
  for (const decision of decisions) {
    for (const effect of decision.effects) await insertRecord(tx, deps, decision, effect)
    const { turn } = decision
    if (turn.tipo === 'evento' && turn.answered !== undefined) {
      await recordAnswer(tx, deps, decision, turn.answered)
    }
  }
}

async function insertRecord(tx: Tx, deps: RecordDeps, decision: Decision, effect: BotEffect): Promise<void> {
  const { contaId, contato, now, conversaId } = decision
  switch (effect.tipo) {
    case 'registrarAvaliacao': {
      const { nota } = effect
      const id = deps.ids.uuid()
      await insertAvaliacao(tx, contaId, { id, conversaId, contatoId: contato.id, nota, em: now })
      await insertLog(tx, deps, contaId, { tipo: 'bot', mensagem: ratedText(nota) })
      return
    }
    case 'perguntarIa': {
      const askAt = new Date(now.getTime() + effect.esperaMs)
      const { pergunta: previous } = parseState(contato.estado)
      await insertQuestion(tx, contaId, { id: effect.perguntaId, contatoId: contato.id, askAt, previous })
      return
    }
    case 'registrarConsentimento': {
      const { channel, avisoVersao } = decision
      const consentimento = { id: deps.ids.uuid(), contatoId: contato.id, act: effect.ato, avisoVersao }
      await insertConsentimento(tx, contaId, { ...consentimento, channel, em: now })
      return
    }
    case 'registrarLog':
      await insertLog(tx, deps, contaId, { tipo: effect.nivel, mensagem: effect.mensagem })
      return
    case 'abrirConversaHumana': {
      const protocolo = decision.changes.find(({ id }) => id === conversaId)?.protocolo ?? null
      const detalhes = { setor: effect.setor, ...(protocolo === null ? {} : { protocolo }) }
      await insertLog(tx, deps, contaId, { tipo: 'bot', mensagem: WAITING_FOR_PERSON_TEXT, detalhes })
      return
    }
    case 'enviarTexto':
    case 'enviarImagem':
    case 'finalizarConversa':
      return
    default:
      effect satisfies never
  }
}

/** Deletes the question, counts its cost and stores what led to the answer. */
async function recordAnswer(
  tx: Tx,
  deps: RecordDeps,
  { contaId, mensagens, now, day }: Decision,
  { perguntaId, request, answer }: AnsweredQuestion,
): Promise<void> {
  await deleteQuestion(tx, contaId, perguntaId)
  const reply = answer.tipo === 'falha' ? undefined : mensagens.find(({ direcao }) => direcao === 'saida')
  const mensagem = reply === undefined ? null : { id: reply.id, texto: reply.texto }
  await recordRespostaIa(tx, deps, contaId, { request, answer, mensagem, now, day })
}

/** Writes the log line of the daily limit. Returns the contas that are full. */
export async function recordFullContas(
  tx: Tx,
  deps: RecordDeps,
  decisions: readonly Decision[],
): Promise<readonly string[]> {
  const full = decisions.filter(({ mensagens }) => mensagens.some(({ estado }) => estado === 'limite'))
  for (const { contaId, day } of full) await recordLimitReached(tx, deps, contaId, day)
  return full.map(({ contaId }) => contaId)
}

/** Logs for the owner that these messages were stored without an answer. */
export async function logNotAnswered(tx: Tx, deps: RecordDeps, decisions: readonly Decision[]): Promise<void> {
  for (const { contaId } of decisions) await insertLog(tx, deps, contaId, NOT_ANSWERED_LOG)
}
