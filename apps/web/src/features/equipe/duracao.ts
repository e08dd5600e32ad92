const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/** Formats milliseconds: `45 s`, `2 min 10 s`, `1 h 05 min`, `2 dias 3 h`. */
export function formatDuration(ms: number): string {
  const segundos = Math.max(0, Math.round(ms / 1000))
  if (segundos < MINUTE_S) return `${segundos} s`
  if (segundos < HOUR_S) return joinUnits(`${Math.floor(segundos / MINUTE_S)} min`, segundos % MINUTE_S, 's')
  const minutos = Math.round(segundos / MINUTE_S)
  if (minutos * MINUTE_S < DAY_S) {
    return `${Math.floor(minutos / 60)} h ${String(minutos % 60).padStart(2, '0')} min`
  }
  const horas = Math.round(segundos / HOUR_S)
  const dias = Math.floor(horas / 24)
  return joinUnits(dias === 1 ? '1 dia' : `${dias} dias`, horas % 24, 'h')
}

function joinUnits(maior: string, resto: number, unidade: string): string {
  return resto === 0 ? maior : `${maior} ${resto} ${unidade}`
}
