import { formatNumber } from '#shared/format.ts'

/** Counts with their names, such as those of a file that was read. */
export function FigureList({ figures }: { readonly figures: readonly (readonly [label: string, value: number])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([label, value]) => (
        <div key={label} className="rounded-card bg-sunken p-3">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-lg font-bold tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
