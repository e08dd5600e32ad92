import { DUPLICATA_TEMPORARIA_MS, LOGS_MANTIDOS } from '#constants.ts'
import type { EstadoMensagem, Mensagem } from '#entities/mensagem.ts'

/** Adds to a conversation the bubble shown until the server confirms it (spec §4 "Sending a message"). */
export function incluirTemporaria(mensagens: readonly Mensagem[], mensagem: Mensagem): Mensagem[] {
  return [...mensagens, { ...mensagem, temporaria: true }]
}

/** Takes a temporary bubble away: its send failed and the text went back to the input. */
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
 * What is told of a message over what is known of it: the newer words, and the step that is further on its way. The answer to a
 * send says 'pendente' and may come after the event that says it left; nodes do not wait for each other either.
 */
export function comOMaisNovo<T extends ACaminho>(atual: T, mensagem: T): T {
  const atrasada = atual.id === mensagem.id && passo(mensagem) >= 0 && passo(mensagem) < passo(atual)
  return atrasada ? { ...mensagem, estado: atual.estado } : mensagem
}

/**
 * A confirmed message over a conversation's list, oldest first (spec §4 "Duplicate check", decisions §6).
 * The same id is never shown twice: it takes the old one's place. A temporary bubble is confirmed by its id;
 * only when the server tells none, by the same text within `DUPLICATA_TEMPORARIA_MS`. Keeps the last `LOGS_MANTIDOS`.
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
  // The answer of the send may have come first: then the echo must not leave the bubble behind.
  return {
    mensagens: idTemporario === undefined ? lista : removerTemporaria(lista, idTemporario),
    nova,
  }
}
