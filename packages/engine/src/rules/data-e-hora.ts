const doisDigitos = (numero: number): string => String(numero).padStart(2, '0')

/** `AAAA-MM-DD` → `DD/MM/AAAA`. */
export function emData(data: string): string {
  return data.split('-').toReversed().join('/')
}

/** Minutes since midnight → `HH:MM`. */
export function emHora(minuto: number): string {
  return `${doisDigitos(Math.floor(minuto / 60))}:${doisDigitos(minuto % 60)}`
}
