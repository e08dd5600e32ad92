import type { Horario } from '@balcao/contract/entities/config'
import { emData, emHora } from './data-e-hora.ts'
import { abertoEm, cruza, DIA_POR_EXTENSO, intervalosDo, type Local, localDe, minutos, vizinho } from './horario.ts'

/** When the business opens or closes next, and how it is said. Pure, as the hours themselves. */

const MEIA_NOITE = 24 * 60
/** How far ahead is looked: the longest closed season that somebody would write down. */
const DIAS_A_FRENTE = 400

export interface Mudanca extends Local {
  /** Local days from now: 0 today, 1 tomorrow. */
  readonly emDias: number
}

export interface Situacao {
  readonly aberto: boolean
  /** The next opening or closing; null when there is none within a year. */
  readonly muda: Mudanca | null
}

/** The minutes of a local day at which something may begin or end, in order. What ends at 24:00 ends at the next day's 0. */
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

/** Open or closed at an instant (ms), and until when. */
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

/** 'aberto, fecha às 18:00'; 'fechado (Natal), abre amanhã às 08:00'. Times in the business's zone. */
export function descreverAgora(horario: Horario, instante: number): string {
  const { aberto, muda } = situacaoDe(horario, instante)
  if (aberto) return muda === null ? 'aberto o tempo todo' : `aberto, fecha ${quando(muda)}`
  const hoje = localDe(instante, horario.fuso).data
  const excecao = horario.excecoes.find(({ data, intervalos }) => data === hoje && intervalos.length === 0)
  const motivo = excecao === undefined || excecao.nome === '' ? '' : ` (${excecao.nome})`
  return `fechado${motivo}, ${muda === null ? 'sem hora para abrir' : `abre ${quando(muda)}`}`
}
