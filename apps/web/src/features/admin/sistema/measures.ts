const oneDecimal = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** For example `1,5 GB`. */
export function formatBytes(bytes: number): string {
  const level = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${oneDecimal.format(bytes / 1024 ** level)} ${UNITS[level] ?? ''}`
}

/** The two largest units of a duration: `3 d 4 h`, `12 min`, `8 s`. */
export function formatLongDuration(seconds: number): string {
  const integers = Math.max(0, Math.round(seconds))
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(integers / 86_400), 'd'],
    [Math.floor(integers / 3_600) % 24, 'h'],
    [Math.floor(integers / 60) % 60, 'min'],
    [integers % 60, 's'],
  ]
  const first = parts.findIndex(([amount]) => amount > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
