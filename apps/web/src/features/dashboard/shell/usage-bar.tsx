import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { calculateUsage } from './daily-usage.ts'

const USAGE_COLOR = { verde: 'brand', amarelo: 'warn', vermelho: 'danger' } as const

export function DailyUsageBar({ usado, limite }: { usado: number; limite: number }) {
  const uso = calculateUsage(usado, limite)
  return (
    <div className="px-2" data-uso={uso.color}>
      <div className="mb-1.5 flex items-baseline justify-between gap-2 text-sm">
        <span className="font-semibold">Mensagens Hoje</span>
        <span className="text-muted tabular-nums">
          {formatNumber(uso.used)} / {formatNumber(uso.limite)}
        </span>
      </div>
      <Meter label="Mensagens Hoje" percent={uso.filled} color={USAGE_COLOR[uso.color]} />
      <p className="mt-1 text-xs text-muted tabular-nums">{formatPercent(uso.percent)} usado</p>
    </div>
  )
}
