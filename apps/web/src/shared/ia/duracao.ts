const segundos = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

export function formatarDuracao(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${segundos.format(ms / 1000)} s`
}
