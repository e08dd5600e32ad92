const twoDigits = (numero: number): string => String(numero).padStart(2, '0')

/** `AAAA-MM-DD` → `DD/MM/AAAA`. */
export function formatLocalDate(date: string): string {
  return date.split('-').toReversed().join('/')
}

/** Minutes since midnight → `HH:MM`. */
export function formatLocalTime(minute: number): string {
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}
