import type { Horario, Intervalo } from '@balcao/contract/entities/config'
import { type Feriado, listFeriados } from '@balcao/contract/presets/feriados'

type HorarioException = Horario['excecoes'][number]

const EXCEPTIONS_MAX = 400
const DAYS_PER_ADD_MAX = 62
const DAY_MS = 86_400_000

const addDays = (data: string, days: number): string =>
  new Date(Date.parse(`${data}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const sortByDate = (excecoes: readonly HorarioException[]): HorarioException[] =>
  excecoes.toSorted((a, b) => (a.data < b.data ? -1 : a.data > b.data ? 1 : 0))

export function upcomingFeriados(today: string): Feriado[] {
  const ano = Number(today.slice(0, 4))
  const until = `${ano + 1}${today.slice(4)}`
  return [...listFeriados(ano), ...listFeriados(ano + 1)].filter(({ data }) => data >= today && data < until)
}

export const exceptionOn = (horario: Horario, date: string): HorarioException | undefined =>
  horario.excecoes.find((excecao) => excecao.data === date)

export function putDates(horario: Horario, added: readonly HorarioException[]): Horario {
  const trocadas = new Set(added.map(({ data }) => data))
  return { ...horario, excecoes: sortByDate([...horario.excecoes.filter(({ data }) => !trocadas.has(data)), ...added]) }
}

export function removeDates(horario: Horario, dates: readonly string[]): Horario {
  return { ...horario, excecoes: horario.excecoes.filter(({ data }) => !dates.includes(data)) }
}

export function markFeriados(horario: Horario, feriados: readonly Feriado[], closed: boolean): Horario {
  return closed
    ? putDates(
        horario,
        feriados.map((feriado) => ({ ...feriado, intervalos: [] })),
      )
    : removeDates(
        horario,
        feriados.map(({ data }) => data),
      )
}

/** Consecutive days with equal name and hours, shown as one entry. */
export interface DateRange {
  readonly datas: readonly string[]
  readonly nome: string
  readonly intervalos: readonly Intervalo[]
}

const isFeriado = (data: string, name: string): boolean =>
  listFeriados(Number(data.slice(0, 4))).some((feriado) => feriado.data === data && feriado.nome === name)

/** Exceptions from today on, except closed national feriados. */
export function ownDates(horario: Horario, today: string): DateRange[] {
  const temporadas: DateRange[] = []
  for (const { data, nome, intervalos } of sortByDate(horario.excecoes)) {
    if (data < today || (intervalos.length === 0 && isFeriado(data, nome))) continue
    const last = temporadas.at(-1)
    const seguida =
      last !== undefined &&
      last.nome === nome &&
      addDays(last.datas.at(-1) ?? '', 1) === data &&
      JSON.stringify(last.intervalos) === JSON.stringify(intervalos)
    if (seguida) temporadas[temporadas.length - 1] = { ...last, datas: [...last.datas, data] }
    else temporadas.push({ datas: [data], nome, intervalos })
  }
  return temporadas
}

export interface NewDates {
  readonly de: string
  /** Empty: a single day. */
  readonly ate: string
  readonly nome: string
  readonly intervalos: readonly Intervalo[]
}

export type DateError = { readonly field: 'de' | 'ate'; readonly message: string }

export function datesError({ de, ate }: NewDates, horario: Horario, today: string): DateError | null {
  if (de === '') return { field: 'de', message: 'Escolha a data.' }
  if (de < today) return { field: 'de', message: 'Essa data já passou.' }
  if (ate !== '' && ate < de) return { field: 'ate', message: 'O último dia vem antes do primeiro.' }
  const days = ate === '' ? 1 : (Date.parse(ate) - Date.parse(de)) / DAY_MS + 1
  if (days > DAYS_PER_ADD_MAX) return { field: 'ate', message: `São no máximo ${DAYS_PER_ADD_MAX} dias de cada vez.` }
  if (horario.excecoes.length + days > EXCEPTIONS_MAX)
    return { field: 'de', message: `Cabem no máximo ${EXCEPTIONS_MAX} datas. Remova as que não usa mais.` }
  return null
}

/** Adds one exception per day. Drops exceptions older than a year, so that the limit is not reached. */
export function addDates(horario: Horario, { de, ate, nome, intervalos }: NewDates, today: string): Horario {
  const days: HorarioException[] = []
  for (let data = de; data === de || data <= ate; data = addDays(data, 1)) {
    days.push({ data, nome: nome.trim(), intervalos: [...intervalos] })
  }
  const umAnoAtras = addDays(today, -366)
  return putDates({ ...horario, excecoes: horario.excecoes.filter(({ data }) => data >= umAnoAtras) }, days)
}

const writtenDate = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** `sex., 25 de dezembro de 2026` from `2026-12-25`, with `… a …` for several days. */
export function formatDates(dates: readonly string[]): string {
  const [first = ''] = dates
  const last = dates.at(-1) ?? first
  const words = writtenDate.format(Date.parse(first))
  return last === first ? words : `${words} a ${writtenDate.format(Date.parse(last))}`
}
