import { DUPLICATA_TEMPORARIA_MS, LOGS_MANTIDOS } from '#constants.ts'
import type { EstadoMensagem, Mensagem } from '#entities/mensagem.ts'

/** Appends the bubble that is shown until the server confirms the message. */
export function incluirTemporaria(mensagens: readonly Mensagem[], mensagem: Mensagem): Mensagem[] {
  return [...mensagens, { ...mensagem, temporaria: true }]
}

/** Removes a temporary bubble whose send failed. */
export function removerTemporaria(mensagens: readonly Mensagem[], idTemporario: string): Mensagem[] {
  return mensagens.filter((mensagem) => !(mensagem.temporaria === true && mensagem.id === idTemporario))
}

function mesmaEnviada(temporaria: Mensagem, mensagem: Mensagem): boolean {
  const distanciaMs = Math.abs(Date.parse(temporaria.timestamp) - Date.parse(mensagem.timestamp))
  return (
    temporaria.temporaria === true &&
    mensagem.tipo === 'enviada' &&
    temporaria.texto === mensagem.texto &&
    distanciaMs <= DUPLICATA_TEMPORARIA_MS
  )
}

function indiceDe(mensagens: readonly Mensagem[], mensagem: Mensagem, idTemporario: string | undefined): number {
  const igual = mensagens.findIndex((m) => m.id === mensagem.id)
  if (igual >= 0) return igual
  if (idTemporario === undefined) return mensagens.findIndex((m) => mesmaEnviada(m, mensagem))
  return mensagens.findIndex((m) => m.temporaria === true && m.id === idTemporario)
}

const CAMINHO = ['pendente', 'enviada', 'entregue', 'lida'] as const

interface ACaminho {
  readonly id: string
  readonly estado?: EstadoMensagem | undefined
}

const passo = ({ estado }: ACaminho): number => CAMINHO.findIndex((um) => um === estado)

/**
 * Merges a known message with an update: takes the new content but never moves the delivery state back. The answer
 * to a send says `pendente` and may arrive after the event `enviada`; events of different nodes are not ordered.
 */
export function comOMaisNovo<T extends ACaminho>(atual: T, mensagem: T): T {
  const atrasada = atual.id === mensagem.id && passo(mensagem) >= 0 && passo(mensagem) < passo(atual)
  return atrasada ? { ...mensagem, estado: atual.estado } : mensagem
}

/**
 * Applies a confirmed message to a list, oldest first. A known id is replaced in place. A temporary bubble is
 * confirmed by its id or, without an echoed id, by the same text within 5 s. Keeps the last 100.
 */
export function aplicarMensagem(
  mensagens: readonly Mensagem[],
  mensagem: Mensagem,
  idTemporario?: string,
): { mensagens: Mensagem[]; nova: boolean } {
  const indice = indiceDe(mensagens, mensagem, idTemporario)
  if (indice < 0) return { mensagens: [...mensagens, mensagem].slice(-LOGS_MANTIDOS), nova: true }
  const nova = mensagens[indice]?.id !== mensagem.id
  const lista = mensagens.map((atual, i) => (i === indice ? comOMaisNovo(atual, mensagem) : atual))
  // If the answer to the send arrived before the echo, the bubble is still in the list.
  return {
    mensagens: idTemporario === undefined ? lista : removerTemporaria(lista, idTemporario),
    nova,
  }
}
