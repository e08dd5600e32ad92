import { REDEFINICAO_MS } from '@balcao/contract/constants'

/** Why a mail was written. */
export type TipoEmail = 'cadastro' | 'ativacao' | 'redefinicao' | 'convite' | 'limite' | 'semConexao'

const MINUTO_MS = 60_000
const DIA_MS = 24 * 60 * MINUTO_MS

/** Minutes to wait after the first, second, … failure; after the last there is no other attempt. */
const ESPERAS_MIN = [1, 5, 30, 60, 120, 240, 480, 720, 720]

export const TENTATIVAS_MAXIMO = ESPERAS_MIN.length + 1

/**
 * Older mails are no news any more: they stay to be read and are not sent. A mail server that comes back after a night must not
 * bring a link that is over, the limit of a day that is gone, or a bot that was back long ago.
 */
export const VALIDADE_MS: Readonly<Record<TipoEmail, number>> = {
  cadastro: 3 * DIA_MS,
  ativacao: 3 * DIA_MS,
  convite: 3 * DIA_MS,
  redefinicao: REDEFINICAO_MS,
  limite: 6 * 60 * MINUTO_MS,
  semConexao: 2 * 60 * MINUTO_MS,
}

/** While one node speaks to the mail server, the others leave the mail alone. */
export const RESERVA_MS = 3 * MINUTO_MS

/** These carry a link that lets its reader in: sealed at rest, sent even with notifications off. */
export const COM_SEGREDO: readonly TipoEmail[] = ['redefinicao', 'convite']

export function isComSegredo(tipo: string): boolean {
  return COM_SEGREDO.some((secreto) => secreto === tipo)
}

/** When to try again after `tentativas` attempts. */
export function proximaTentativa(agora: Date, tentativas: number): Date {
  const espera = ESPERAS_MIN[Math.max(tentativas, 1) - 1] ?? ESPERAS_MIN.at(-1) ?? 1
  return new Date(agora.getTime() + espera * MINUTO_MS)
}

/** The text without what opens the door: for mails that already reached their reader. */
export function semSegredo(texto: string): string {
  return texto.replace(/token=[\w-]+/g, 'token=…')
}
