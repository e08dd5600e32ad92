import clsx from 'clsx'

export function Counter({ usado, total }: { usado: number; total: number }) {
  return (
    <span className={clsx('text-xs tabular-nums', usado > total ? 'font-semibold text-warn-ink' : 'text-muted')}>
      {usado}/{total}
    </span>
  )
}
