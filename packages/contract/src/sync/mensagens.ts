import { LOGS_MANTIDOS } from '#constants.ts'
import type { EstadoMensagem, Mensagem } from '#entities/mensagem.ts'

const DELIVERY_STEPS = ['pendente', 'enviada', 'entregue', 'lida'] as const

interface InDelivery {
  readonly id: string
  readonly estado?: EstadoMensagem | undefined
}

const deliveryStep = ({ estado }: InDelivery): number => DELIVERY_STEPS.findIndex((step) => step === estado)

/**
 * Merges a known message with an update: takes the new content but never moves the delivery state back. The answer
 * to a send says `pendente` and may arrive after the event `enviada`; events of different nodes are not ordered.
 */
export function mergeDelivery<T extends InDelivery>(current: T, mensagem: T): T {
  const late =
    current.id === mensagem.id && deliveryStep(mensagem) >= 0 && deliveryStep(mensagem) < deliveryStep(current)
  return late ? { ...mensagem, estado: current.estado } : mensagem
}

/** As `mergeDelivery`, and keeps the marks (edit, deletion, reactions, transcript) of the copy with the greater `revisao`. */
export function mergeMensagem(current: Mensagem, mensagem: Mensagem): Mensagem {
  const merged = mergeDelivery(current, mensagem)
  if (current.id !== mensagem.id || (current.revisao ?? 0) <= (mensagem.revisao ?? 0)) return merged
  const { revisao, editada, edicao, apagada, reacoes, reacaoLoja, transcricao } = current
  return { ...merged, revisao, editada, edicao, apagada, reacoes, reacaoLoja, transcricao }
}

/**
 * Applies a message to a list in the order of the ids, which is that of the server. A known id is replaced in place.
 * Keeps the last 100.
 */
export function applyMensagem(
  mensagens: readonly Mensagem[],
  mensagem: Mensagem,
): { mensagens: Mensagem[]; nova: boolean } {
  const nova = !mensagens.some(({ id }) => id === mensagem.id)
  if (nova) {
    const position = mensagens.findLastIndex(({ id }) => id < mensagem.id) + 1
    return { mensagens: mensagens.toSpliced(position, 0, mensagem).slice(-LOGS_MANTIDOS), nova }
  }
  const merged = mensagens.map((known) => (known.id === mensagem.id ? mergeMensagem(known, mensagem) : known))
  return { mensagens: merged, nova }
}
