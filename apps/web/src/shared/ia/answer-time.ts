const secondsFormat = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export function formatAnswerTime(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${secondsFormat.format(ms / 1000)} s`
}
