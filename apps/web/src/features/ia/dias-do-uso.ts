import type { UsoIa } from '@balcao/contract/entities/resposta-ia'

export type DiaDeUso = UsoIa['dias'][number]

const DIAS = 30
const UM_DIA_MS = 86_400_000

/** Current date in the account's time zone, such as `2026-11-21`. */
export function diaDeHoje(fuso: string, agora = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: fuso, dateStyle: 'short' }).format(agora)
}

/** The 30 days up to today, oldest first. Missing days count zero. */
export function ultimosDias(dias: readonly DiaDeUso[], hoje: string): DiaDeUso[] {
  const porDia = new Map(dias.map((dia) => [dia.dia, dia]))
  const fim = Date.parse(`${hoje}T00:00:00Z`)
  return Array.from({ length: DIAS }, (_vazio, indice) => {
    const dia = new Date(fim - (DIAS - 1 - indice) * UM_DIA_MS).toISOString().slice(0, 10)
    return porDia.get(dia) ?? { dia, perguntas: 0, tokensEntrada: 0, tokensSaida: 0 }
  })
}

/** `21/11` from `2026-11-21`. */
export function diaCurto(dia: string): string {
  return `${dia.slice(8, 10)}/${dia.slice(5, 7)}`
}
