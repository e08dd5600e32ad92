import { AppError } from '#errors.ts'

/** Local days in the form `AAAA-MM-DD`, both included. */
export interface ReportPeriod {
  readonly de: string
  readonly ate: string
}

const DEFAULT_DAYS = 30
export const DAYS_MAX = 366
/** Lower bound, because PostgreSQL accepts years that JavaScript formats differently. */
const FIRST_DAY = '2000-01-01'
const DAY_MS = 86_400_000

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

function countDays({ de, ate }: ReportPeriod): number {
  return (Date.parse(`${ate}T00:00:00Z`) - Date.parse(`${de}T00:00:00Z`)) / DAY_MS + 1
}

export function daysOf(period: ReportPeriod): string[] {
  return Array.from({ length: countDays(period) }, (_, i) => addDays(period.de, i))
}

/** Parses the requested period. Default: the 30 days up to today. Throws `dadosInvalidos`. */
export function parsePeriod(
  requested: { readonly de?: string | undefined; readonly ate?: string | undefined },
  today: string,
): ReportPeriod {
  const ate = requested.ate ?? today
  // Checked first, because the default start is computed from `ate`.
  if (ate < FIRST_DAY) throw invalidPeriod('ate', 'Escolha uma data mais recente')
  const de = requested.de ?? addDays(ate, 1 - DEFAULT_DAYS)
  if (de < FIRST_DAY) throw invalidPeriod('de', 'Escolha uma data mais recente')
  if (de > ate) throw invalidPeriod('de', 'A data inicial deve vir antes da final')
  if (countDays({ de, ate }) > DAYS_MAX) throw invalidPeriod('ate', `Escolha no máximo ${DAYS_MAX} dias`)
  return { de, ate }
}

function invalidPeriod(caminho: string, mensagem: string): AppError {
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}
