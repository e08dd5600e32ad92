const segundos = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })

/** `850 ms`, `2,4 s`: how long an answer took. */
export function formatarDuracao(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${segundos.format(ms / 1000)} s`
}
