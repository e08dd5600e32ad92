import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type PointerEvent, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { formatShortDay, formatWeekday } from './period.ts'

type ChartDays = Relatorio['dias']

/** Width of one bar with its gap, in viewBox units. The drawing stretches to the container. */
const BAR_STEP = 10
const CHART_HEIGHT = 100

const conversaCount = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'conversa' : 'conversas'}`

/** Smallest of 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, … that is not below the maximum. */
export function axisTopOf(highest: number): number {
  if (highest <= 5) return 5
  const ten = 10 ** Math.floor(Math.log10(highest))
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((times) => times * ten).find((top) => top >= highest) ?? highest
}

function describeChart(days: ChartDays): string {
  const total = days.reduce((sum, day) => sum + day.conversas, 0)
  const full = days.reduce((largest, day) => (day.conversas > largest.conversas ? day : largest), days[0] ?? NO_DAY)
  const start = `${formatNumber(total)} no período`
  return full.conversas === 0 ? start : `${start}. O dia mais cheio: ${describeDay(full)}.`
}
const NO_DAY = { dia: '', conversas: 0 }

function describeDay({ dia, conversas: count }: { dia: string; conversas: number }): string {
  return `${formatWeekday(dia)}, ${conversaCount(count)}`
}

function Bars({ dias, top, lit }: { dias: ChartDays; top: number; lit: number | null }) {
  return (
    <svg
      viewBox={`0 0 ${dias.length * BAR_STEP} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      className="absolute inset-0 size-full"
    >
      {dias.map(({ dia, conversas: count }, index) => (
        <rect
          key={dia}
          x={index * BAR_STEP + 1.2}
          width={BAR_STEP - 2.4}
          y={CHART_HEIGHT - (count / top) * CHART_HEIGHT}
          height={(count / top) * CHART_HEIGHT}
          className={lit === null || lit === index ? 'fill-brand' : 'fill-brand opacity-40'}
        />
      ))}
    </svg>
  )
}

export function DayChart({ dias }: { dias: ChartDays }) {
  const [lit, setLit] = useState<number | null>(null)
  const top = axisTopOf(Math.max(...dias.map((day) => day.conversas)))
  const point = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * dias.length)
    setLit(index >= 0 && index < dias.length ? index : null)
  }
  const pointed = lit === null ? undefined : dias[lit]
  const marks = [...new Set([0, Math.floor((dias.length - 1) / 2), dias.length - 1])].flatMap((i) => dias[i] ?? [])
  return (
    <figure role="img" aria-label={`Conversas por dia: ${describeChart(dias)}`}>
      <p aria-hidden className="mb-3 min-h-6 text-sm text-muted first-letter:uppercase">
        {pointed === undefined ? describeChart(dias) : describeDay(pointed)}
      </p>
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted tabular-nums">
        <div className="flex flex-col justify-between text-right leading-none">
          <span>{formatNumber(top)}</span>
          <span>0</span>
        </div>
        <div
          className="relative h-44 border-y"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setLit(null)}
        >
          <div className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <Bars dias={dias} top={top} lit={lit} />
        </div>
        <div className="col-start-2 mt-1.5 flex justify-between">
          {marks.map(({ dia }) => (
            <span key={dia}>{formatShortDay(dia)}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}
