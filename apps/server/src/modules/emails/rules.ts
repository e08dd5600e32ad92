import { REDEFINICAO_MS } from '@balcao/contract/constants'

export type MailType = 'cadastro' | 'ativacao' | 'redefinicao' | 'convite' | 'limite' | 'semConexao' | 'seguranca'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** After the last one the mail is given up. */
const RETRY_WAITS_MIN = [1, 5, 30, 60, 120, 240, 480, 720, 720]

export const ATTEMPTS_MAX = RETRY_WAITS_MIN.length + 1

/** Older mails stay in the list but are not sent. */
export const VALIDITY_MS: Readonly<Record<MailType, number>> = {
  cadastro: 3 * DAY_MS,
  ativacao: 3 * DAY_MS,
  convite: 3 * DAY_MS,
  seguranca: 3 * DAY_MS,
  redefinicao: REDEFINICAO_MS,
  limite: 6 * 60 * MINUTE_MS,
  semConexao: 2 * 60 * MINUTE_MS,
}

export const RESERVATION_MS = 3 * MINUTE_MS

/** Mails with a login link: sealed at rest and sent even with notifications off. */
const SECRET_MAIL_TYPES: readonly MailType[] = ['redefinicao', 'convite']

export function hasSecret(type: string): boolean {
  return SECRET_MAIL_TYPES.some((secreto) => secreto === type)
}

export function nextAttemptAt(now: Date, attempts: number): Date {
  const wait = RETRY_WAITS_MIN[Math.max(attempts, 1) - 1] ?? RETRY_WAITS_MIN.at(-1) ?? 1
  return new Date(now.getTime() + wait * MINUTE_MS)
}

export function withoutSecret(text: string): string {
  return text.replace(/token=[\w-]+/g, 'token=…')
}
