import clsx from 'clsx'

/** `56/1000`: only counts, never refuses (spec §5). */
export function Counter({ usado, total }: { usado: number; total: number }) {
  return (
    <span className={clsx('text-xs tabular-nums', usado > total ? 'font-semibold text-warn-ink' : 'text-muted')}>
      {usado}/{total}
    </span>
  )
}
