import { DIAS, type Dia, FUSO_PADRAO } from '@balcao/contract/constants'
import type { Horario, Intervalo } from '@balcao/contract/entities/config'

export interface Local {
  /** `AAAA-MM-DD`. */
  readonly data: string
  readonly dia: Dia
  /** Minutes since local midnight. */
  readonly minuto: number
}

const DIA_MS = 86_400_000
const MEIA_NOITE = 24 * 60
const formatos = new Map<string, Intl.DateTimeFormat>()
const ultimos = new Map<string, { readonly minuto: number; readonly local: Local }>()

/**
 * Caches one formatter per time zone, because creating one is slow. An unknown zone falls back to the default, then
 * to UTC.
 */
function formato(fuso: string): Intl.DateTimeFormat {
  const pronto = formatos.get(fuso)
  if (pronto !== undefined) return pronto
  const novo = criarFormato(fuso) ?? formato(fuso === FUSO_PADRAO ? 'UTC' : FUSO_PADRAO)
  formatos.set(fuso, novo)
  return novo
}

function criarFormato(fuso: string): Intl.DateTimeFormat | null {
  const opcoes = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: fuso, ...opcoes })
  } catch {
    return null
  }
}

/**
 * Returns local day and minute of an instant (ms). Caches the last minute per zone, because many messages arrive
 * within one minute.
 */
export function localDe(instante: number, fuso: string): Local {
  const minuto = Math.floor(instante / 60_000)
  const ultimo = ultimos.get(fuso)
  if (ultimo?.minuto === minuto) return ultimo.local
  const local = lerLocal(instante, fuso)
  ultimos.set(fuso, { minuto, local })
  return local
}

function lerLocal(instante: number, fuso: string): Local {
  const partes: Record<string, string> = {}
  for (const { type, value } of formato(fuso).formatToParts(instante)) partes[type] = value
  const data = `${partes['year']}-${partes['month']}-${partes['day']}`
  const semana = new Date(`${data}T00:00:00Z`).getUTCDay()
  return { data, dia: DIAS[semana] ?? 'dom', minuto: Number(partes['hour']) * 60 + Number(partes['minute']) }
}

/** Converts `HH:MM` to minutes since midnight. */
export const minutos = (hora: string): number => Number(hora.slice(0, 2)) * 60 + Number(hora.slice(3))

export function vizinho(data: string, dias: number): { data: string; dia: Dia } {
  const outro = new Date(Date.parse(`${data}T00:00:00Z`) + dias * DIA_MS)
  return { data: outro.toISOString().slice(0, 10), dia: DIAS[outro.getUTCDay()] ?? 'dom' }
}

/** Opening hours of a day. An exception for the date has priority over the weekday. */
export function intervalosDo(horario: Horario, data: string, dia: Dia): readonly Intervalo[] {
  return horario.excecoes.find((excecao) => excecao.data === data)?.intervalos ?? horario.dias[dia]
}

/** True if the interval crosses midnight. */
export const cruza = ({ inicio, fim }: Intervalo): boolean => minutos(fim) <= minutos(inicio)

/** True if the shop is open at an instant (ms). `fim` is exclusive. */
export function estaAberto(horario: Horario, instante: number): boolean {
  return abertoEm(horario, localDe(instante, horario.fuso))
}

export function abertoEm(horario: Horario, { data, dia, minuto }: Local): boolean {
  const hoje = intervalosDo(horario, data, dia)
  if (hoje.some((i) => minuto >= minutos(i.inicio) && (cruza(i) || minuto < minutos(i.fim)))) return true
  const ontem = vizinho(data, -1)
  return intervalosDo(horario, ontem.data, ontem.dia).some((i) => cruza(i) && minuto < minutos(i.fim))
}

/**
 * Returns an id of the closed period around an instant (ms), so that the bot reports it only once. Looks back 60
 * days.
 */
export function periodoFechado(horario: Horario, instante: number): string {
  const { data, minuto } = localDe(instante, horario.fuso)
  for (let recuo = 0; recuo <= 60; recuo += 1) {
    const { data: d, dia } = vizinho(data, -recuo)
    const agora = minuto + recuo * MEIA_NOITE
    const fins = intervalosDo(horario, d, dia)
      .map((i) => minutos(i.fim) + (cruza(i) ? MEIA_NOITE : 0))
      .filter((fim) => fim <= agora)
    if (fins.length > 0) return `${d}+${Math.max(...fins)}`
  }
  return 'sempre'
}

export const DIA_POR_EXTENSO: Readonly<Record<Dia, string>> = {
  seg: 'segunda',
  ter: 'terça',
  qua: 'quarta',
  qui: 'quinta',
  sex: 'sexta',
  sab: 'sábado',
  dom: 'domingo',
}
const SEMANA: readonly Dia[] = ['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom']

const hora = (valor: string): string =>
  valor.endsWith(':00') ? `${Number(valor.slice(0, 2))}h` : `${Number(valor.slice(0, 2))}h${valor.slice(3)}`

/** Describes the week in Portuguese: 'segunda a sexta, das 8h às 18h; sábado, das 9h às 12h'. */
export function descreverHorario(horario: Horario): string {
  const grupos: { dias: Dia[]; texto: string }[] = []
  for (const dia of SEMANA) {
    const texto = horario.dias[dia].map((i) => `das ${hora(i.inicio)} às ${hora(i.fim)}`).join(' e ')
    const ultimo = grupos.at(-1)
    if (ultimo?.texto === texto) ultimo.dias.push(dia)
    else grupos.push({ dias: [dia], texto })
  }
  const abertos = grupos.filter(({ texto }) => texto !== '')
  return abertos.length === 0
    ? 'sem horário de atendimento'
    : abertos.map(({ dias, texto }) => `${juntar(dias)}, ${texto}`).join('; ')
}

function juntar(dias: readonly Dia[]): string {
  const nomes = dias.map((dia) => DIA_POR_EXTENSO[dia])
  const [primeiro = ''] = nomes
  return nomes.length <= 2 ? nomes.join(' e ') : `${primeiro} a ${nomes.at(-1) ?? ''}`
}
