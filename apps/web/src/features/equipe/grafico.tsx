import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type PointerEvent, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { formatShortDay, formatWeekday } from './periodo.ts'

type ChartDays = Relatorio['dias']

/** Width of one bar with its gap, in viewBox units. The drawing stretches to the container. */
const BAR_STEP = 10
const CHART_HEIGHT = 100

const conversaCount = (quantas: number): string => `${formatNumber(quantas)} ${quantas === 1 ? 'conversa' : 'conversas'}`

/** Smallest of 1, 2, 5, 10, 20, 50, … that is not below the maximum. */
export function axisTopOf(highest: number): number {
  if (highest <= 5) return 5
  const dezena = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 5, 10].map((vezes) => vezes * dezena).find((topo) => topo >= highest) ?? highest
}

function describeChart(dias: ChartDays): string {
  const total = dias.reduce((soma, dia) => soma + dia.conversas, 0)
  const cheio = dias.reduce((maior, dia) => (dia.conversas > maior.conversas ? dia : maior), dias[0] ?? NO_DAY)
  const inicio = `${formatNumber(total)} no período`
  return cheio.conversas === 0 ? inicio : `${inicio}. O dia mais cheio: ${describeDay(cheio)}.`
}
const NO_DAY = { dia: '', conversas: 0 }

function describeDay({ dia, conversas: quantas }: { dia: string; conversas: number }): string {
  return `${formatWeekday(dia)}, ${conversaCount(quantas)}`
}

function Bars({ dias, topo, aceso }: { dias: ChartDays; topo: number; aceso: number | null }) {
  return (
    <svg
      viewBox={`0 0 ${dias.length * BAR_STEP} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
      className="absolute inset-0 size-full"
    >
      {dias.map(({ dia, conversas: quantas }, indice) => (
        <rect
          key={dia}
          x={indice * BAR_STEP + 1.2}
          width={BAR_STEP - 2.4}
          y={CHART_HEIGHT - (quantas / topo) * CHART_HEIGHT}
          height={(quantas / topo) * CHART_HEIGHT}
          className={aceso === null || aceso === indice ? 'fill-brand' : 'fill-brand opacity-40'}
        />
      ))}
    </svg>
  )
}

export function DayChart({ dias }: { dias: ChartDays }) {
  const [aceso, setAceso] = useState<number | null>(null)
  const topo = axisTopOf(Math.max(...dias.map((dia) => dia.conversas)))
  const apontar = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const indice = Math.floor(((clientX - left) / width) * dias.length)
    setAceso(indice >= 0 && indice < dias.length ? indice : null)
  }
  const apontado = aceso === null ? undefined : dias[aceso]
  const marcas = [...new Set([0, Math.floor((dias.length - 1) / 2), dias.length - 1])].flatMap((i) => dias[i] ?? [])
  return (
    <figure role="img" aria-label={`Conversas por dia: ${describeChart(dias)}`}>
      <p aria-hidden className="mb-3 min-h-6 text-sm text-muted first-letter:uppercase">
        {apontado === undefined ? describeChart(dias) : describeDay(apontado)}
      </p>
      <div aria-hidden className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted tabular-nums">
        <div className="flex flex-col justify-between text-right leading-none">
          <span>{formatNumber(topo)}</span>
          <span>0</span>
        </div>
        <div
          className="relative h-44 border-y"
          onPointerMove={apontar}
          onPointerDown={apontar}
          onPointerLeave={() => setAceso(null)}
        >
          <div className="absolute inset-x-0 top-1/2 border-t border-dashed" />
          <Bars dias={dias} topo={topo} aceso={aceso} />
        </div>
        <div className="col-start-2 mt-1.5 flex justify-between">
          {marcas.map(({ dia }) => (
            <span key={dia}>{formatShortDay(dia)}</span>
          ))}
        </div>
      </div>
    </figure>
  )
}
