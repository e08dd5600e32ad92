export interface MeterProps {
  readonly label: string
  /** 0 to 100; higher values are drawn as 100. */
  readonly percent: number
  readonly color?: 'brand' | 'warn' | 'danger'
}

const COLOR = { brand: 'bg-brand', warn: 'bg-warn-fill', danger: 'bg-danger' } as const

export function Meter({ label, percent, color = 'brand' }: MeterProps) {
  const full = Math.min(100, Math.max(0, percent))
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(full)}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div className={`h-full rounded-full ${COLOR[color]}`} style={{ width: `${full}%` }} />
    </div>
  )
}
