import type { PeriodoLog } from '@balcao/contract/routes/registros'

const DIA_MS = 86_400_000

/** Normalises text for search: lower case, no accents. The table below does the same in SQL. */
export function semAcentos(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
/** Contains both cases, because `lower()` ignores accented letters under some collations. */
export const ACENTOS = [
  'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
  'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn',
] as const

/**
 * Returns the interval `[desde, ate)` of a period; null is open. Days are local to the conta, `semana` is the last
 * 7 days, `mes` the last calendar month.
 */
export function inicioDoPeriodo(
  periodo: PeriodoLog,
  agora: Date,
  fuso: string,
): { readonly desde: Date | null; readonly ate: Date | null } {
  switch (periodo) {
    case 'hoje':
      return { desde: inicioDoDia(agora, fuso), ate: null }
    case 'ontem': {
      const hoje = inicioDoDia(agora, fuso)
      return { desde: inicioDoDia(new Date(hoje.getTime() - 1), fuso), ate: hoje }
    }
    case 'semana':
      return { desde: new Date(agora.getTime() - 7 * DIA_MS), ate: null }
    case 'mes': {
      return { desde: umMesAntes(agora), ate: null }
    }
    case 'todos':
      return { desde: null, ate: null }
    default:
      return periodo satisfies never
  }
}

/** Same day of the month before, or its last day if it is shorter. */
function umMesAntes(agora: Date): Date {
  const antes = new Date(agora)
  antes.setUTCMonth(antes.getUTCMonth() - 1)
  if (antes.getUTCDate() !== agora.getUTCDate()) antes.setUTCDate(0)
  return antes
}

/** Start of the local day. On a day whose midnight is skipped by a clock change, returns the first existing time. */
export function inicioDoDia(instante: Date, fuso: string): Date {
  const meiaNoite = new Date(instante.getTime() - desdeMeiaNoiteMs(instante, fuso))
  const erro = desdeMeiaNoiteMs(meiaNoite, fuso)
  if (erro === 0) return meiaNoite
  // A clock change happened since midnight. A large error means the previous evening, a small one means after
  // midnight.
  return new Date(meiaNoite.getTime() + (erro > DIA_MS / 2 ? DIA_MS - erro : -erro))
}

function desdeMeiaNoiteMs(instante: Date, fuso: string): number {
  const partes = new Intl.DateTimeFormat('en-US', {
    timeZone: fuso,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instante)
  const de = (tipo: string): number => Number(partes.find(({ type }) => type === tipo)?.value ?? 0)
  return ((de('hour') * 60 + de('minute')) * 60 + de('second')) * 1000 + (instante.getTime() % 1000)
}
