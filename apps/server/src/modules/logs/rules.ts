import type { PeriodoLog } from '@balcao/contract/routes/registros'

const DIA_MS = 86_400_000

/** Letters as they are searched for: without accents, in lower case. `ACENTOS` says the same to the database. */
export function semAcentos(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
/** Both cases: not every database knows the small letter of an accented one. */
export const ACENTOS = [
  'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
  'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn',
] as const

/** `[desde, ate)` of a period; null is open. Days are the account's own, the week is 7 days and the month 1 month back. */
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

/** The same day of the month before; the last one of a month that is too short for it. */
function umMesAntes(agora: Date): Date {
  const antes = new Date(agora)
  antes.setUTCMonth(antes.getUTCMonth() - 1)
  if (antes.getUTCDate() !== agora.getUTCDate()) antes.setUTCDate(0)
  return antes
}

/** The beginning of an instant's local day, whatever the clocks did since: where midnight does not exist, what comes first. */
export function inicioDoDia(instante: Date, fuso: string): Date {
  const meiaNoite = new Date(instante.getTime() - desdeMeiaNoiteMs(instante, fuso))
  const erro = desdeMeiaNoiteMs(meiaNoite, fuso)
  if (erro === 0) return meiaNoite
  // An hour was skipped since, and this is the evening before; or one was repeated, and this is after midnight.
  return new Date(meiaNoite.getTime() + (erro > DIA_MS / 2 ? DIA_MS - erro : -erro))
}

/** What the wall clock has counted of the day. */
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
