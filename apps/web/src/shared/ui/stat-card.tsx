import type { ReactNode } from 'react'

export interface StatCardProps {
  readonly label: string
  readonly value: ReactNode
  readonly detail?: ReactNode
  readonly icon?: ReactNode
}

export function StatCard({ label, value, detail, icon }: StatCardProps) {
  return (
    <div className="card min-w-0 p-3 sm:p-4">
      <div className="flex items-center justify-between gap-2 text-sm font-semibold text-muted">
        {label}
        {icon}
      </div>
      <p className="mt-1 text-lg leading-tight font-extrabold [overflow-wrap:anywhere] tabular-nums sm:text-2xl">
        {value}
      </p>
      {detail !== undefined && <p className="mt-0.5 text-sm text-muted">{detail}</p>}
    </div>
  )
}
