/** Dates `AAAA-MM-DD` in the account's time zone, both included. */
export interface Periodo {
  readonly de: string
  readonly ate: string
}

export const PREDEFINIDOS = ['hoje', '7dias', '30dias', 'mes'] as const
export type Predefinido = (typeof PREDEFINIDOS)[number]

const DIAS_NO_MAXIMO = 366
const DIA_MS = 86_400_000

/** Date in a time zone. If the browser does not know the zone, its own zone is used. */
export function hojeEm(fuso: string, agora: Date): string {
  try {
    return diaNoFuso(agora, fuso)
  } catch {
    return diaNoFuso(agora, undefined)
  }
}

function diaNoFuso(agora: Date, fuso: string | undefined): string {
  // The Swedish format is `AAAA-MM-DD`, as `<input type="date">` needs it.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short' }).format(agora)
}

export function somarDias(dia: string, dias: number): string {
  return new Date(Date.parse(`${dia}T00:00:00Z`) + dias * DIA_MS).toISOString().slice(0, 10)
}

export function periodoDe(predefinido: Predefinido, hoje: string): Periodo {
  switch (predefinido) {
    case 'hoje':
      return { de: hoje, ate: hoje }
    case '7dias':
      return { de: somarDias(hoje, -6), ate: hoje }
    case '30dias':
      return { de: somarDias(hoje, -29), ate: hoje }
    case 'mes':
      return { de: `${hoje.slice(0, 7)}-01`, ate: hoje }
    default:
      return predefinido satisfies never
  }
}

export function conferirPeriodo({ de, ate }: Periodo): { readonly de?: string; readonly ate?: string } {
  if (de === '') return { de: 'Escolha a data inicial' }
  if (ate === '') return { ate: 'Escolha a data final' }
  if (ate < de) return { ate: 'A data final deve ser igual à inicial ou depois dela' }
  return somarDias(de, DIAS_NO_MAXIMO - 1) < ate ? { ate: `Escolha no máximo ${DIAS_NO_MAXIMO} dias` } : {}
}

/** `21/11/2026` from `2026-11-21`. */
export function formatDia(dia: string): string {
  return dia.split('-').toReversed().join('/')
}

export function formatDiaCurto(dia: string): string {
  return formatDia(dia).slice(0, 5)
}

const semana = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', timeZone: 'UTC' })

export function formatDiaDaSemana(dia: string): string {
  return `${semana.format(new Date(`${dia}T00:00:00Z`))}, ${formatDiaCurto(dia)}`
}

/** `21/11/2026`, or `23/10/2026 a 21/11/2026`. */
export function formatPeriodo({ de, ate }: Periodo): string {
  return de === ate ? formatDia(de) : `${formatDia(de)} a ${formatDia(ate)}`
}
