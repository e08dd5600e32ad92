import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export interface EmptyStateProps {
  readonly titulo: string
  /** Why it is empty. */
  readonly children?: ReactNode
  readonly icone?: ReactNode
  /** The one thing to do. */
  readonly acao?: ReactNode
}

export function EmptyState({ titulo, children, icone, acao }: EmptyStateProps) {
  return (
    <div className="mx-auto max-w-sm px-4 py-10 text-center">
      {icone !== undefined && (
        <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-sunken text-muted">{icone}</div>
      )}
      <p className="font-bold">{titulo}</p>
      {children !== undefined && <div className="mt-1 text-muted">{children}</div>}
      {acao !== undefined && <div className="mt-4">{acao}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  /** What the server said, or the call's own sentence. */
  readonly mensagem: string
  readonly onTentar: () => void
}

export function ErrorState({ mensagem, onTentar }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto max-w-sm px-4 py-10 text-center">
      <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert size={22} aria-hidden />
      </div>
      <p className="font-bold">{mensagem}</p>
      <Button className="mt-4" onClick={onTentar}>
        Tentar de novo
      </Button>
    </div>
  )
}

/** The shape of what is coming. Announced once for the whole group by its parent's `aria-busy`. */
export function Skeleton({ className = 'h-5 w-full' }: { className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />
}
