import { formatNumber, formatPercent } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { calcularUso } from './uso.ts'

const COR = { verde: 'brand', amarelo: 'warn', vermelho: 'danger' } as const

export function BarraDeUso({ usado, limite }: { usado: number; limite: number }) {
  const uso = calcularUso(usado, limite)
  return (
    <div className="px-2" data-uso={uso.cor}>
      <div className="mb-1.5 flex items-baseline justify-between gap-2 text-sm">
        <span className="font-semibold">Mensagens Hoje</span>
        <span className="text-muted tabular-nums">
          {formatNumber(uso.usado)} / {formatNumber(uso.limite)}
        </span>
      </div>
      <Meter rotulo="Mensagens Hoje" percentual={uso.preenchido} cor={COR[uso.cor]} />
      <p className="mt-1 text-xs text-muted tabular-nums">{formatPercent(uso.percentual)} usado</p>
    </div>
  )
}
