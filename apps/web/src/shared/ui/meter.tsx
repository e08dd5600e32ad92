export interface MeterProps {
  readonly rotulo: string
  /** 0 to 100; higher values are drawn as 100. */
  readonly percentual: number
  readonly cor?: 'brand' | 'warn' | 'danger'
}

const COR = { brand: 'bg-brand', warn: 'bg-warn-fill', danger: 'bg-danger' } as const

export function Meter({ rotulo, percentual, cor = 'brand' }: MeterProps) {
  const cheio = Math.min(100, Math.max(0, percentual))
  return (
    <div
      role="meter"
      aria-label={rotulo}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(cheio)}
      className="h-2 overflow-hidden rounded-full bg-line"
    >
      <div className={`h-full rounded-full ${COR[cor]}`} style={{ width: `${cheio}%` }} />
    </div>
  )
}
