import type { ReactNode } from 'react'

export interface StatCardProps {
  readonly rotulo: string
  readonly valor: ReactNode
  readonly detalhe?: ReactNode
  readonly icone?: ReactNode
}

export function StatCard({ rotulo, valor, detalhe, icone }: StatCardProps) {
  return (
    <div className="card min-w-0 p-3 sm:p-4">
      <div className="flex items-center justify-between gap-2 text-sm font-semibold text-muted">
        {rotulo}
        {icone}
      </div>
      <p className="mt-1 text-lg leading-tight font-extrabold [overflow-wrap:anywhere] tabular-nums sm:text-2xl">
        {valor}
      </p>
      {detalhe !== undefined && <p className="mt-0.5 text-sm text-muted">{detalhe}</p>}
    </div>
  )
}
