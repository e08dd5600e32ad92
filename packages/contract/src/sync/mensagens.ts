import { DUPLICATA_TEMPORARIA_MS, LOGS_MANTIDOS } from '#constants.ts'
import type { EstadoMensagem, Mensagem } from '#entities/mensagem.ts'

/** Appends the bubble that is shown until the server confirms the message. */
export function appendTemporary(mensagens: readonly Mensagem[], mensagem: Mensagem): Mensagem[] {
  return [...mensagens, { ...mensagem, temporaria: true }]
}

/** Removes a temporary bubble whose send failed. */
export function removeTemporary(mensagens: readonly Mensagem[], temporaryId: string): Mensagem[] {
  return mensagens.filter((mensagem) => !(mensagem.temporaria === true && mensagem.id === temporaryId))
}

function isSameSent(temporary: Mensagem, mensagem: Mensagem): boolean {
  const distanciaMs = Math.abs(Date.parse(temporary.timestamp) - Date.parse(mensagem.timestamp))
  return (
    temporary.temporaria === true &&
    mensagem.tipo === 'enviada' &&
    temporary.texto === mensagem.texto &&
    distanciaMs <= DUPLICATA_TEMPORARIA_MS
  )
}

function indexOfMensagem(mensagens: readonly Mensagem[], mensagem: Mensagem, idTemporario: string | undefined): number {
  const equal = mensagens.findIndex((m) => m.id === mensagem.id)
  if (equal >= 0) return equal
  if (idTemporario === undefined) return mensagens.findIndex((m) => isSameSent(m, mensagem))
  return mensagens.findIndex((m) => m.temporaria === true && m.id === idTemporario)
}

const DELIVERY_STEPS = ['pendente', 'enviada', 'entregue', 'lida'] as const

interface InDelivery {
  readonly id: string
  readonly estado?: EstadoMensagem | undefined
}

const deliveryStep = ({ estado }: InDelivery): number => DELIVERY_STEPS.findIndex((um) => um === estado)

/**
 * Merges a known message with an update: takes the new content but never moves the delivery state back. The answer
 * to a send says `pendente` and may arrive after the event `enviada`; events of different nodes are not ordered.
 */
export function mergeDelivery<T extends InDelivery>(current: T, mensagem: T): T {
  const atrasada =
    current.id === mensagem.id && deliveryStep(mensagem) >= 0 && deliveryStep(mensagem) < deliveryStep(current)
  return atrasada ? { ...mensagem, estado: current.estado } : mensagem
}

/**
 * Applies a confirmed message to a list, oldest first. A known id is replaced in place. A temporary bubble is
 * confirmed by its id or, without an echoed id, by the same text within 5 s. Keeps the last 100.
 */
export function applyMensagem(
  mensagens: readonly Mensagem[],
  mensagem: Mensagem,
  temporaryId?: string,
): { mensagens: Mensagem[]; nova: boolean } {
  const index = indexOfMensagem(mensagens, mensagem, temporaryId)
  if (index < 0) return { mensagens: [...mensagens, mensagem].slice(-LOGS_MANTIDOS), nova: true }
  const nova = mensagens[index]?.id !== mensagem.id
  const lista = mensagens.map((atual, i) => (i === index ? mergeDelivery(atual, mensagem) : atual))
  // If the answer to the send arrived before the echo, the bubble is still in the list.
  return {
    mensagens: temporaryId === undefined ? lista : removeTemporary(lista, temporaryId),
    nova,
  }
}
