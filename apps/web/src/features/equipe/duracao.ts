const MINUTO_S = 60
const HORA_S = 3600
const DIA_S = 86_400

/** Formats milliseconds: `45 s`, `2 min 10 s`, `1 h 05 min`, `2 dias 3 h`. */
export function formatDuracao(ms: number): string {
  const segundos = Math.max(0, Math.round(ms / 1000))
  if (segundos < MINUTO_S) return `${segundos} s`
  if (segundos < HORA_S) return juntar(`${Math.floor(segundos / MINUTO_S)} min`, segundos % MINUTO_S, 's')
  const minutos = Math.round(segundos / MINUTO_S)
  if (minutos * MINUTO_S < DIA_S) {
    return `${Math.floor(minutos / 60)} h ${String(minutos % 60).padStart(2, '0')} min`
  }
  const horas = Math.round(segundos / HORA_S)
  const dias = Math.floor(horas / 24)
  return juntar(dias === 1 ? '1 dia' : `${dias} dias`, horas % 24, 'h')
}

function juntar(maior: string, resto: number, unidade: string): string {
  return resto === 0 ? maior : `${maior} ${resto} ${unidade}`
}
