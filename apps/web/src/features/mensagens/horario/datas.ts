import type { Horario, Intervalo } from '@balcao/contract/entities/config'
import { type Feriado, listFeriados } from '@balcao/contract/feriados'

/** Exceptions of the weekly horario: national feriados and the dono's own dates. */

type HorarioException = Horario['excecoes'][number]

const EXCEPTIONS_MAX = 400
const DAYS_PER_ADD_MAX = 62
const DAY_MS = 86_400_000

const addDays = (data: string, dias: number): string =>
  new Date(Date.parse(`${data}T00:00:00Z`) + dias * DAY_MS).toISOString().slice(0, 10)

const sortByDate = (excecoes: readonly HorarioException[]): HorarioException[] =>
  excecoes.toSorted((a, b) => (a.data < b.data ? -1 : a.data > b.data ? 1 : 0))

export function upcomingFeriados(today: string): Feriado[] {
  const ano = Number(today.slice(0, 4))
  const ate = `${ano + 1}${today.slice(4)}`
  return [...listFeriados(ano), ...listFeriados(ano + 1)].filter(({ data }) => data >= today && data < ate)
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

const isFeriado = (data: string, nome: string): boolean =>
  listFeriados(Number(data.slice(0, 4))).some((feriado) => feriado.data === data && feriado.nome === nome)

/** Exceptions from today on, except closed national feriados. */
export function ownDates(horario: Horario, today: string): DateRange[] {
  const temporadas: DateRange[] = []
  for (const { data, nome, intervalos } of sortByDate(horario.excecoes)) {
    if (data < today || (intervalos.length === 0 && isFeriado(data, nome))) continue
    const ultima = temporadas.at(-1)
    const seguida =
      ultima !== undefined &&
      ultima.nome === nome &&
      addDays(ultima.datas.at(-1) ?? '', 1) === data &&
      JSON.stringify(ultima.intervalos) === JSON.stringify(intervalos)
    if (seguida) temporadas[temporadas.length - 1] = { ...ultima, datas: [...ultima.datas, data] }
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
  const dias = ate === '' ? 1 : (Date.parse(ate) - Date.parse(de)) / DAY_MS + 1
  if (dias > DAYS_PER_ADD_MAX) return { field: 'ate', message: `São no máximo ${DAYS_PER_ADD_MAX} dias de cada vez.` }
  if (horario.excecoes.length + dias > EXCEPTIONS_MAX)
    return { field: 'de', message: `Cabem no máximo ${EXCEPTIONS_MAX} datas. Remova as que não usa mais.` }
  return null
}

/** Adds one exception per day. Drops exceptions older than a year, so that the limit is not reached. */
export function addDates(horario: Horario, { de, ate, nome, intervalos }: NewDates, today: string): Horario {
  const dias: HorarioException[] = []
  for (let data = de; data === de || data <= ate; data = addDays(data, 1)) {
    dias.push({ data, nome: nome.trim(), intervalos: [...intervalos] })
  }
  const umAnoAtras = addDays(today, -366)
  return putDates({ ...horario, excecoes: horario.excecoes.filter(({ data }) => data >= umAnoAtras) }, dias)
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
  const [primeira = ''] = dates
  const ultima = dates.at(-1) ?? primeira
  const palavras = writtenDate.format(Date.parse(primeira))
  return ultima === primeira ? palavras : `${palavras} a ${writtenDate.format(Date.parse(ultima))}`
}
