const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

const EXACT_S = 600

/** Formats milliseconds: `45 s`, `2 min 10 s`, from 10 minutes on `13 min`, `1 h 05 min`, `2 dias 3 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < MINUTE_S) return `${seconds} s`
  if (seconds < EXACT_S) return joinUnits(`${Math.floor(seconds / MINUTE_S)} min`, seconds % MINUTE_S, 's')
  const minutes = Math.round(seconds / MINUTE_S)
  if (minutes < 60) return `${minutes} min`
  if (minutes * MINUTE_S < DAY_S) {
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
  }
  const hours = Math.round(seconds / HOUR_S)
  const days = Math.floor(hours / 24)
  return joinUnits(days === 1 ? '1 dia' : `${days} dias`, hours % 24, 'h')
}

function joinUnits(largest: string, rest: number, unit: string): string {
  return rest === 0 ? largest : `${largest} ${rest} ${unit}`
}
