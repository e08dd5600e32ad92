import type { Horario, Intervalo } from '@balcao/contract/entities/config'
import { type Feriado, feriadosNacionais } from '@balcao/contract/feriados'

/** Exceptions of the weekly horario: national feriados and the dono's own dates. */

type Excecao = Horario['excecoes'][number]

const EXCECOES_MAXIMO = 400
const DIAS_DE_UMA_VEZ = 62
const DIA_MS = 86_400_000

const depois = (data: string, dias: number): string =>
  new Date(Date.parse(`${data}T00:00:00Z`) + dias * DIA_MS).toISOString().slice(0, 10)

const emOrdem = (excecoes: readonly Excecao[]): Excecao[] =>
  excecoes.toSorted((a, b) => (a.data < b.data ? -1 : a.data > b.data ? 1 : 0))

export function feriadosAVista(hoje: string): Feriado[] {
  const ano = Number(hoje.slice(0, 4))
  const ate = `${ano + 1}${hoje.slice(4)}`
  return [...feriadosNacionais(ano), ...feriadosNacionais(ano + 1)].filter(({ data }) => data >= hoje && data < ate)
}

export const excecaoDe = (horario: Horario, data: string): Excecao | undefined =>
  horario.excecoes.find((excecao) => excecao.data === data)

export function porDatas(horario: Horario, novas: readonly Excecao[]): Horario {
  const trocadas = new Set(novas.map(({ data }) => data))
  return { ...horario, excecoes: emOrdem([...horario.excecoes.filter(({ data }) => !trocadas.has(data)), ...novas]) }
}

export function tirarDatas(horario: Horario, datas: readonly string[]): Horario {
  return { ...horario, excecoes: horario.excecoes.filter(({ data }) => !datas.includes(data)) }
}

export function marcarFeriados(horario: Horario, feriados: readonly Feriado[], fechado: boolean): Horario {
  return fechado
    ? porDatas(
        horario,
        feriados.map((feriado) => ({ ...feriado, intervalos: [] })),
      )
    : tirarDatas(
        horario,
        feriados.map(({ data }) => data),
      )
}

/** Consecutive days with equal name and hours, shown as one entry. */
export interface Temporada {
  readonly datas: readonly string[]
  readonly nome: string
  readonly intervalos: readonly Intervalo[]
}

const eFeriado = (data: string, nome: string): boolean =>
  feriadosNacionais(Number(data.slice(0, 4))).some((feriado) => feriado.data === data && feriado.nome === nome)

/** Exceptions from today on, except closed national feriados. */
export function datasProprias(horario: Horario, hoje: string): Temporada[] {
  const temporadas: Temporada[] = []
  for (const { data, nome, intervalos } of emOrdem(horario.excecoes)) {
    if (data < hoje || (intervalos.length === 0 && eFeriado(data, nome))) continue
    const ultima = temporadas.at(-1)
    const seguida =
      ultima !== undefined &&
      ultima.nome === nome &&
      depois(ultima.datas.at(-1) ?? '', 1) === data &&
      JSON.stringify(ultima.intervalos) === JSON.stringify(intervalos)
    if (seguida) temporadas[temporadas.length - 1] = { ...ultima, datas: [...ultima.datas, data] }
    else temporadas.push({ datas: [data], nome, intervalos })
  }
  return temporadas
}

export interface NovaData {
  readonly de: string
  /** Empty: a single day. */
  readonly ate: string
  readonly nome: string
  readonly intervalos: readonly Intervalo[]
}

export type FaltaNaData = { readonly campo: 'de' | 'ate'; readonly mensagem: string }

export function faltaNasDatas({ de, ate }: NovaData, horario: Horario, hoje: string): FaltaNaData | null {
  if (de === '') return { campo: 'de', mensagem: 'Escolha a data.' }
  if (de < hoje) return { campo: 'de', mensagem: 'Essa data já passou.' }
  if (ate !== '' && ate < de) return { campo: 'ate', mensagem: 'O último dia vem antes do primeiro.' }
  const dias = ate === '' ? 1 : (Date.parse(ate) - Date.parse(de)) / DIA_MS + 1
  if (dias > DIAS_DE_UMA_VEZ) return { campo: 'ate', mensagem: `São no máximo ${DIAS_DE_UMA_VEZ} dias de cada vez.` }
  if (horario.excecoes.length + dias > EXCECOES_MAXIMO)
    return { campo: 'de', mensagem: `Cabem no máximo ${EXCECOES_MAXIMO} datas. Remova as que não usa mais.` }
  return null
}

/** Adds one exception per day. Drops exceptions older than a year, so that the limit is not reached. */
export function adicionarDatas(horario: Horario, { de, ate, nome, intervalos }: NovaData, hoje: string): Horario {
  const dias: Excecao[] = []
  for (let data = de; data === de || data <= ate; data = depois(data, 1)) {
    dias.push({ data, nome: nome.trim(), intervalos: [...intervalos] })
  }
  const umAnoAtras = depois(hoje, -366)
  return porDatas({ ...horario, excecoes: horario.excecoes.filter(({ data }) => data >= umAnoAtras) }, dias)
}

const escrita = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** `sex., 25 de dezembro de 2026` from `2026-12-25`, with `… a …` for several days. */
export function datasEmPalavras(datas: readonly string[]): string {
  const [primeira = ''] = datas
  const ultima = datas.at(-1) ?? primeira
  const palavras = escrita.format(Date.parse(primeira))
  return ultima === primeira ? palavras : `${palavras} a ${escrita.format(Date.parse(ultima))}`
}
