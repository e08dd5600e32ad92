import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { formatNumber, formatPercent } from '#shared/format.ts'

type WaitClasses = NonNullable<Relatorio['espera']>

function nameOf({ ateMin }: WaitClasses[number], before: number): string {
  if (ateMin === null) return `Mais de ${minutes(before)}`
  return before === 0 ? `Até ${minutes(ateMin)}` : `De ${minutes(before)} a ${minutes(ateMin)}`
}

const minutes = (count: number): string => (count === 60 ? '1 hora' : `${count} min`)

/** How long customers waited for the first answer. `conversas` also counts those without an answer. */
export function WaitDistribution({ espera, conversas }: { espera: WaitClasses; conversas: number }) {
  const answered = espera.reduce((sum, { conversas: count }) => sum + count, 0)
  const rows = [
    ...espera.map((item, index) => ({ name: nameOf(item, espera[index - 1]?.ateMin ?? 0), count: item.conversas })),
    { name: 'Sem resposta', count: Math.max(0, conversas - answered) },
  ]
  const total = Math.max(1, answered, conversas)
  return (
    <ul className="grid gap-2 text-sm">
      {rows.map(({ name, count }) => (
        <li
          key={name}
          className="grid grid-cols-[8rem_minmax(0,1fr)_5.5rem] items-center gap-x-3 gap-y-1 max-sm:grid-cols-[minmax(0,1fr)_auto]"
        >
          <span>{name}</span>
          <span aria-hidden className="h-3 overflow-hidden rounded-full bg-line max-sm:order-last max-sm:col-span-2">
            <span className="block h-full rounded-full bg-brand" style={{ width: `${(count / total) * 100}%` }} />
          </span>
          <span className="text-right whitespace-nowrap tabular-nums">
            {formatNumber(count)}{' '}
            <span className="text-muted">({formatPercent(Math.round((count / total) * 100))})</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
