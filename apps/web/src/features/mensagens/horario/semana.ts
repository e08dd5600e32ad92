import type { Dia } from '@balcao/contract/constants'
import type { Horario, Intervalo } from '@balcao/contract/entities/config'

export const SEMANA: readonly Dia[] = ['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom']

export const NOME_DO_DIA: Readonly<Record<Dia, string>> = {
  seg: 'Segunda-feira',
  ter: 'Terça-feira',
  qua: 'Quarta-feira',
  qui: 'Quinta-feira',
  sex: 'Sexta-feira',
  sab: 'Sábado',
  dom: 'Domingo',
}

export const DESTINOS: readonly { readonly rotulo: string; readonly dias: readonly Dia[] }[] = [
  { rotulo: 'Segunda a sexta', dias: ['seg', 'ter', 'qua', 'qui', 'sex'] },
  { rotulo: 'Sábado e domingo', dias: ['sab', 'dom'] },
  { rotulo: 'Todos os dias', dias: SEMANA },
  ...SEMANA.map((dia) => ({ rotulo: `Só ${NOME_DO_DIA[dia].toLowerCase()}`, dias: [dia] })),
]

export const PERIODOS_MAXIMO = 10
const DIA_MIN = 24 * 60
const ABERTURA: Intervalo = { inicio: '08:00', fim: '18:00' }

const minutos = (hora: string): number => Number(hora.slice(0, 2)) * 60 + Number(hora.slice(3))
const hora = (total: number): string =>
  `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`

/** End in minutes from the start of the day. Above 1,440 if the interval passes midnight. */
const fimDe = ({ inicio, fim }: Intervalo): number => minutos(fim) + (minutos(fim) <= minutos(inicio) ? DIA_MIN : 0)

export const passaDaMeiaNoite = (intervalo: Intervalo): boolean =>
  intervalo.inicio !== '' && intervalo.fim !== '' && fimDe(intervalo) > DIA_MIN

export function faltaNosPeriodos(intervalos: readonly Intervalo[]): string | undefined {
  if (intervalos.some(({ inicio, fim }) => inicio === '' || fim === ''))
    return 'Preencha a hora de abrir e a de fechar.'
  if (intervalos.some(({ inicio, fim }) => inicio === fim)) return 'A hora de abrir e a de fechar são iguais.'
  const emOrdem = intervalos.toSorted((a, b) => minutos(a.inicio) - minutos(b.inicio))
  const sobrepostos = emOrdem.some((atual, indice) => {
    const seguinte = emOrdem[indice + 1]
    return seguinte !== undefined && minutos(seguinte.inicio) < fimDe(atual)
  })
  return sobrepostos ? 'Dois períodos se sobrepõem: o segundo só pode começar quando o primeiro termina.' : undefined
}

export function faltaNaSemana(horario: Horario): string | null {
  for (const dia of SEMANA) {
    const falta = faltaNosPeriodos(horario.dias[dia])
    if (falta !== undefined) return `${NOME_DO_DIA[dia]}: ${falta}`
  }
  return null
}

/** Adds a period one hour after the last. Null if the day has no time left. */
export function maisUmPeriodo(intervalos: readonly Intervalo[]): Intervalo[] | null {
  if (intervalos.length === 0) return [ABERTURA]
  const fim = Math.max(...intervalos.map(fimDe))
  const inicio = fim + 60
  if (Number.isNaN(inicio) || inicio >= DIA_MIN || intervalos.length >= PERIODOS_MAXIMO) return null
  return [...intervalos, { inicio: hora(inicio), fim: hora(Math.min(inicio + 240, DIA_MIN)) }]
}

export function mudarDia(horario: Horario, dia: Dia, intervalos: readonly Intervalo[]): Horario {
  return { ...horario, dias: { ...horario.dias, [dia]: [...intervalos] } }
}

export function copiarDia(horario: Horario, de: Dia, para: readonly Dia[]): Horario {
  return para.reduce((feito, dia) => mudarDia(feito, dia, horario.dias[de]), horario)
}

/** `08:00 às 12:00 e 13:30 às 18:00`, or `Fechado`. */
export function periodosEmPalavras(intervalos: readonly Intervalo[]): string {
  const palavras = intervalos.map(({ inicio, fim }) =>
    inicio === '00:00' && fim === '24:00' ? '24 horas' : `${inicio} às ${fim === '24:00' ? '00:00' : fim}`,
  )
  return palavras.length === 0 ? 'Fechado' : palavras.join(' e ')
}
