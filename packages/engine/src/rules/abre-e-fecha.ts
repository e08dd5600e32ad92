import type { Horario } from '@balcao/contract/entities/config'
import { emData, emHora } from './data-e-hora.ts'
import { abertoEm, cruza, DIA_POR_EXTENSO, intervalosDo, type Local, localDe, minutos, vizinho } from './horario.ts'

const MEIA_NOITE = 24 * 60
/** Days searched ahead for the next change. A shop may be closed for a whole season. */
const DIAS_A_FRENTE = 400

export interface Mudanca extends Local {
  /** Local days from now: 0 today, 1 tomorrow. */
  readonly emDias: number
}

export interface Situacao {
  readonly aberto: boolean
  /** Next opening or closing. Null when there is none within 400 days. */
  readonly muda: Mudanca | null
}

/**
 * Minutes of a local day at which the state may change, in order. An interval that ends at 24:00 ends at minute 0
 * of the next day.
 */
function limitesDe(horario: Horario, data: string): number[] {
  const hoje = vizinho(data, 0)
  const ontem = vizinho(data, -1)
  const limites = intervalosDo(horario, hoje.data, hoje.dia).flatMap((i) =>
    cruza(i) ? [minutos(i.inicio)] : [minutos(i.inicio), minutos(i.fim)],
  )
  for (const i of intervalosDo(horario, ontem.data, ontem.dia)) {
    if (cruza(i) || minutos(i.fim) === MEIA_NOITE) limites.push(minutos(i.fim) % MEIA_NOITE)
  }
  return limites.filter((minuto) => minuto < MEIA_NOITE).toSorted((a, b) => a - b)
}

/** Returns whether the shop is open at an instant (ms) and when that changes next. */
export function situacaoDe(horario: Horario, instante: number): Situacao {
  const agora = localDe(instante, horario.fuso)
  const aberto = abertoEm(horario, agora)
  for (let emDias = 0; emDias <= DIAS_A_FRENTE; emDias += 1) {
    const { data, dia } = vizinho(agora.data, emDias)
    for (const minuto of limitesDe(horario, data)) {
      const local = { data, dia, minuto }
      const jaFoi = emDias === 0 && minuto <= agora.minuto
      if (!jaFoi && abertoEm(horario, local) !== aberto) return { aberto, muda: { ...local, emDias } }
    }
  }
  return { aberto, muda: null }
}

function quando({ emDias, data, dia, minuto }: Mudanca): string {
  if (minuto === 0 && emDias === 1) return 'à meia-noite'
  const hora = `às ${emHora(minuto)}`
  if (emDias === 0) return hora
  if (emDias === 1) return `amanhã ${hora}`
  return emDias < 7 ? `${DIA_POR_EXTENSO[dia]} ${hora}` : `em ${emData(data).slice(0, 5)} ${hora}`
}

/**
 * For example 'aberto, fecha às 18:00' or 'fechado (Natal), abre amanhã às 08:00'. Times are in the shop's time
 * zone.
 */
export function descreverAgora(horario: Horario, instante: number): string {
  const { aberto, muda } = situacaoDe(horario, instante)
  if (aberto) return muda === null ? 'aberto o tempo todo' : `aberto, fecha ${quando(muda)}`
  const hoje = localDe(instante, horario.fuso).data
  const excecao = horario.excecoes.find(({ data, intervalos }) => data === hoje && intervalos.length === 0)
  const motivo = excecao === undefined || excecao.nome === '' ? '' : ` (${excecao.nome})`
  return `fechado${motivo}, ${muda === null ? 'sem hora para abrir' : `abre ${quando(muda)}`}`
}
