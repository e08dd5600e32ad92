import type { ReactNode } from 'react'

export interface StatCardProps {
  readonly rotulo: string
  readonly valor: ReactNode
  readonly detalhe?: ReactNode
  readonly icone?: ReactNode
}

export function StatCard({ rotulo, valor, detalhe, icone }: StatCardProps) {
  return (
    <div className="card p-4">
      <div className="flex items-center justify-between gap-2 text-sm font-semibold text-muted">
        {rotulo}
        {icone}
      </div>
      <p className="mt-1 text-2xl font-extrabold [overflow-wrap:anywhere] tabular-nums">{valor}</p>
      {detalhe !== undefined && <p className="mt-0.5 text-sm text-muted">{detalhe}</p>}
    </div>
  )
}
