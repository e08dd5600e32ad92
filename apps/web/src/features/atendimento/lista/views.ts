import { type ConversaReader, mayReadConversa, mayReadQueue } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { marksOf } from './reading.ts'

/** The views of a person. The server applies the same rules and the same order to its pages. */

export type ListView = 'minhas' | 'fila' | 'mencoes' | 'semResposta' | 'todas'

function isHidden(conversa: Conversa, nowMs: number): boolean {
  const { lembrarEm } = marksOf(conversa)
  return lembrarEm !== undefined && Date.parse(lembrarEm) > nowMs
}

/** `mencoes` depends on notices, so only the server knows it: the loaded conversas of its list all belong to it. */
export function isInView(conversa: Conversa, visao: ListView, me: ConversaReader, nowMs: number): boolean {
  if (visao === 'todas' || visao === 'mencoes') return true
  if (isHidden(conversa, nowMs) || conversa.status === 'finalizada') return false
  const { status, operadorId } = conversa
  if (visao === 'minhas') return status === 'em_atendimento' && operadorId === me.usuarioId
  if (visao === 'fila') return status === 'aguardando' && mayReadQueue(me, conversa)
  return isUnanswered(conversa) && mayReadConversa(me, conversa)
}

export function isUnanswered({ status, semRespostaDesde }: Conversa): boolean {
  return status !== 'finalizada' && semRespostaDesde !== undefined
}

/** ISO instants in UTC sort as text. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function groupOf(conversa: Conversa): number {
  if (marksOf(conversa).fixada && conversa.status !== 'finalizada') return 0
  return isUnanswered(conversa) ? 1 : 2
}

/** Pinned ones first, then those without an answer, longest first, then by latest activity. */
export function compareInView(a: Conversa, b: Conversa): number {
  const groups = groupOf(a) - groupOf(b)
  if (groups !== 0) return groups
  const { semRespostaDesde: since = '' } = a
  const { semRespostaDesde: other = '' } = b
  if (isUnanswered(a) && isUnanswered(b)) return compareText(since, other) || compareText(a.id, b.id)
  if (isUnanswered(a) !== isUnanswered(b)) return isUnanswered(a) ? -1 : 1
  return compareText(b.ultimaAtividade, a.ultimaAtividade) || compareText(b.id, a.id)
}
