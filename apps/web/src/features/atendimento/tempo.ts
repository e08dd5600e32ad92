import { useSyncExternalStore } from 'react'
import { formatDate, formatIsoDate } from '#shared/format.ts'

const PASSO_MS = 15_000
const MINUTO_MS = 60_000
const DIA_MS = 24 * 60 * MINUTO_MS

const ouvintes = new Set<() => void>()
let agora = Date.now()
let relogio: ReturnType<typeof setInterval> | undefined

function assinar(ouvinte: () => void): () => void {
  ouvintes.add(ouvinte)
  agora = Date.now()
  relogio ??= setInterval(() => {
    agora = Date.now()
    for (const um of ouvintes) um()
  }, PASSO_MS)
  return () => {
    ouvintes.delete(ouvinte)
    if (ouvintes.size > 0) return
    clearInterval(relogio)
    relogio = undefined
  }
}

/** Current time in ms, updated every 15 s by one clock for all rows. */
export function useAgora(): number {
  return useSyncExternalStore(assinar, () => agora)
}

/** Whole minutes since the instant, never negative, because server and browser clocks differ. */
export function minutosDesde(instante: string, agoraMs: number): number {
  return Math.max(0, Math.floor((agoraMs - Date.parse(instante)) / MINUTO_MS))
}

/** For example `agora`, `3 min`, `2 h`, `4 d`. */
export function duracao(minutos: number): string {
  if (minutos < 1) return 'agora'
  if (minutos < 60) return `${minutos} min`
  return minutos < 24 * 60 ? `${Math.floor(minutos / 60)} h` : `${Math.floor(minutos / (24 * 60))} d`
}

export type Urgencia = 'calma' | 'atencao' | 'urgente'

export function urgenciaDe(minutos: number): Urgencia {
  if (minutos >= 15) return 'urgente'
  return minutos >= 5 ? 'atencao' : 'calma'
}

/** Today's date in the account's time zone. Changes at midnight, because a panel stays open overnight. */
export function useHoje(): string {
  return useSyncExternalStore(assinar, () => formatIsoDate(Date.now()))
}

/** `Hoje`, `Ontem` or the date, in the account's time zone. */
export function nomeDoDia(instante: string, hoje: string): string {
  const dia = formatIsoDate(instante)
  if (dia === hoje) return 'Hoje'
  return Date.parse(hoje) - Date.parse(dia) === DIA_MS ? 'Ontem' : formatDate(instante)
}
