import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type PointerEvent, useState, Fragment } from 'react'
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

/** A day without conversas keeps a line, so that the chart shows all its days. */
const barHeight = (count: number, top: number): number => Math.max(1, (count / top) * CHART_HEIGHT)

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
          y={CHART_HEIGHT - barHeight(count, top)}
          height={barHeight(count, top)}
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

type Cell = NonNullable<Relatorio['mapa']>[number]

/** Shown order: a shop's week starts on Monday. */
const WEEKDAYS = [
  { day: 1, short: 'seg', name: 'segunda-feira' },
  { day: 2, short: 'ter', name: 'terça-feira' },
  { day: 3, short: 'qua', name: 'quarta-feira' },
  { day: 4, short: 'qui', name: 'quinta-feira' },
  { day: 5, short: 'sex', name: 'sexta-feira' },
  { day: 6, short: 'sáb', name: 'sábado' },
  { day: 0, short: 'dom', name: 'domingo' },
] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const MARKED_HOURS = new Set([0, 6, 12, 18])
const SHADES = ['bg-brand/20', 'bg-brand/45', 'bg-brand/70', 'bg-brand'] as const

const keyOf = ({ diaSemana, hora }: Pick<Cell, 'diaSemana' | 'hora'>): string => `${diaSemana}-${hora}`

/** Returns the quarter of the fullest cell that a count falls into, 0 to 3. */
function shadeOf(count: number, fullest: number): number {
  return Math.min(SHADES.length - 1, Math.ceil((count / fullest) * SHADES.length) - 1)
}

function legendOf(fullest: number): readonly { readonly shade: string; readonly counts: string }[] {
  const steps = SHADES.map((shade, quarter) => ({
    shade,
    from: Math.floor((quarter * fullest) / SHADES.length) + 1,
    to: Math.floor(((quarter + 1) * fullest) / SHADES.length),
  }))
  return steps
    .filter(({ from, to }) => from <= to)
    .map(({ shade, from, to }) => ({
      shade,
      counts: from === to ? formatNumber(from) : `${formatNumber(from)} a ${formatNumber(to)}`,
    }))
}

function Legend({ fullest }: { fullest: number }) {
  return (
    <ul aria-hidden className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted tabular-nums">
      <li>Conversas em cada hora:</li>
      {[{ shade: 'border bg-sunken', counts: 'nenhuma' }, ...legendOf(fullest)].map(({ shade, counts }) => (
        <li key={counts} className="flex items-center gap-1.5">
          <span className={`size-3.5 flex-none rounded-sm ${shade}`} />
          {counts}
        </li>
      ))}
    </ul>
  )
}

function describeCell({ diaSemana, hora, conversas }: Cell): string {
  const name = WEEKDAYS.find(({ day }) => day === diaSemana)?.name ?? ''
  return `${name}, das ${hora}h às ${hora + 1}h: ${formatNumber(conversas)} ${conversas === 1 ? 'conversa' : 'conversas'}`
}

export function HeatMap({ mapa }: { mapa: readonly Cell[] }) {
  const [lit, setLit] = useState<string | null>(null)
  const counts = new Map(mapa.map((cell) => [keyOf(cell), cell]))
  const fullest = mapa.reduce<Cell | null>(
    (best, cell) => (best === null || cell.conversas > best.conversas ? cell : best),
    null,
  )
  if (fullest === null) return null
  const point = ({ target }: PointerEvent<HTMLElement>): void =>
    setLit(target instanceof HTMLElement ? (target.dataset['cell'] ?? null) : null)
  const pointed = lit === null ? undefined : counts.get(lit)
  const sentence = `Hora mais cheia: ${describeCell(fullest)}`
  return (
    <figure role="img" aria-label={`Conversas por dia da semana e hora. ${sentence}.`}>
      <p aria-hidden className="mb-3 min-h-6 text-sm text-muted first-letter:uppercase">
        {pointed === undefined ? sentence : describeCell(pointed)}
      </p>
      <div
        aria-hidden
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setLit(null)}
        className="grid grid-cols-[2rem_repeat(24,minmax(0,1fr))] gap-0.5 text-xs text-muted"
      >
        {WEEKDAYS.map(({ day, short }) => (
          <Fragment key={day}>
            <span className="leading-5">{short}</span>
            {HOURS.map((hora) => {
              const key = keyOf({ diaSemana: day, hora })
              const count = counts.get(key)?.conversas ?? 0
              const shade = count === 0 ? 'bg-sunken' : SHADES[shadeOf(count, fullest.conversas)]
              return <span key={hora} data-cell={key} className={`h-5 rounded-sm ${shade}`} />
            })}
          </Fragment>
        ))}
        <span />
        {HOURS.map((hora) => (
          <span key={hora} className="overflow-visible whitespace-nowrap tabular-nums">
            {MARKED_HOURS.has(hora) ? `${hora}h` : ''}
          </span>
        ))}
      </div>
      <Legend fullest={fullest.conversas} />
    </figure>
  )
}
