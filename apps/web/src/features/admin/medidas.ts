const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** For example `1,5 GB`. */
export function formatBytes(bytes: number): string {
  const nivel = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${oneDecimal.format(bytes / 1024 ** nivel)} ${UNITS[nivel] ?? ''}`
}

/** The two largest units of a duration: `3 d 4 h`, `12 min`, `8 s`. */
export function formatLongDuration(seconds: number): string {
  const inteiros = Math.max(0, Math.round(seconds))
  const partes: readonly (readonly [number, string])[] = [
    [Math.floor(inteiros / 86_400), 'd'],
    [Math.floor(inteiros / 3_600) % 24, 'h'],
    [Math.floor(inteiros / 60) % 60, 'min'],
    [inteiros % 60, 's'],
  ]
  const primeira = partes.findIndex(([quanto]) => quanto > 0)
  if (primeira === -1) return '0 s'
  return partes
    .slice(primeira, primeira + 2)
    .filter(([quanto]) => quanto > 0)
    .map(([quanto, unidade]) => `${quanto} ${unidade}`)
    .join(' ')
}
