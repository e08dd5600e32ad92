import { useSyncExternalStore } from 'react'
import { formatDate, formatIsoDate } from '#shared/format.ts'

const TICK_MS = 15_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const listeners = new Set<() => void>()
let currentTime = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  currentTime = Date.now()
  timer ??= setInterval(() => {
    currentTime = Date.now()
    for (const notify of listeners) notify()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Current time in ms, updated every 15 s by one clock for all rows. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => currentTime)
}

/** Whole minutes since the instant, never negative, because server and browser clocks differ. */
export function minutesSince(instant: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(instant)) / MINUTE_MS))
}

export function formatWait(minutes: number): string {
  if (minutes < 1) return 'agora'
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${String(rest).padStart(2, '0')}`}`
  return `${Math.floor(minutes / (24 * 60))} d`
}

export type WaitUrgency = 'calma' | 'atencao' | 'urgente'

export function waitUrgency(minutes: number): WaitUrgency {
  if (minutes >= 15) return 'urgente'
  return minutes >= 5 ? 'atencao' : 'calma'
}

/** Today's date in the account's time zone. Changes at midnight, because a panel stays open overnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => formatIsoDate(Date.now()))
}

export function dayName(instant: string, today: string): string {
  const day = formatIsoDate(instant)
  if (day === today) return 'Hoje'
  return Date.parse(today) - Date.parse(day) === DAY_MS ? 'Ontem' : formatDate(instant)
}
