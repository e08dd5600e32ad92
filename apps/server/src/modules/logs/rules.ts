import type { PeriodoLog } from '@balcao/contract/routes/registros'

const DIA_MS = 86_400_000

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
      const desde = new Date(agora)
      desde.setUTCMonth(desde.getUTCMonth() - 1)
      return { desde, ate: null }
    }
    case 'todos':
      return { desde: null, ate: null }
    default:
      return periodo satisfies never
  }
}

/** The local midnight before an instant, on a day without a clock change. */
export function inicioDoDia(instante: Date, fuso: string): Date {
  const partes = new Intl.DateTimeFormat('en-US', {
    timeZone: fuso,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instante)
  const de = (tipo: string): number => Number(partes.find(({ type }) => type === tipo)?.value ?? 0)
  const desdeMeiaNoite = ((de('hour') * 60 + de('minute')) * 60 + de('second')) * 1000 + (instante.getTime() % 1000)
  return new Date(instante.getTime() - desdeMeiaNoite)
}
