import { REDEFINICAO_MS } from '@balcao/contract/constants'

export type TipoEmail = 'cadastro' | 'ativacao' | 'redefinicao' | 'convite' | 'limite' | 'semConexao'

const MINUTO_MS = 60_000
const DIA_MS = 24 * 60 * MINUTO_MS

/** Minutes before each retry. After the last one the mail is given up. */
const ESPERAS_MIN = [1, 5, 30, 60, 120, 240, 480, 720, 720]

export const TENTATIVAS_MAXIMO = ESPERAS_MIN.length + 1

/**
 * Maximum age per type. After a long outage of the mail server, expired links and outdated notices stay in the list
 * but are not sent.
 */
export const VALIDADE_MS: Readonly<Record<TipoEmail, number>> = {
  cadastro: 3 * DIA_MS,
  ativacao: 3 * DIA_MS,
  convite: 3 * DIA_MS,
  redefinicao: REDEFINICAO_MS,
  limite: 6 * 60 * MINUTO_MS,
  semConexao: 2 * 60 * MINUTO_MS,
}

/** How long a node has a mail reserved for sending. */
export const RESERVA_MS = 3 * MINUTO_MS

/** Mails with a login link: sealed at rest and sent even with notifications off. */
export const COM_SEGREDO: readonly TipoEmail[] = ['redefinicao', 'convite']

export function isComSegredo(tipo: string): boolean {
  return COM_SEGREDO.some((secreto) => secreto === tipo)
}

export function proximaTentativa(agora: Date, tentativas: number): Date {
  const espera = ESPERAS_MIN[Math.max(tentativas, 1) - 1] ?? ESPERAS_MIN.at(-1) ?? 1
  return new Date(agora.getTime() + espera * MINUTO_MS)
}

export function semSegredo(texto: string): string {
  return texto.replace(/token=[\w-]+/g, 'token=…')
}
