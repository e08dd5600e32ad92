import clsx from 'clsx'
import { Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTS } from '#shared/texts.ts'
import { Button } from './button.tsx'

export interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly icon?: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ title, children, icon, action }: EmptyStateProps) {
  return (
    <div className="mx-auto max-w-sm px-4 py-10 text-center">
      {icon !== undefined && (
        <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-sunken text-muted">{icon}</div>
      )}
      <p className="font-bold">{title}</p>
      {children !== undefined && <div className="mt-1 text-muted">{children}</div>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  )
}

export interface ErrorStateProps {
  readonly message: string
  readonly onRetry: () => void
}

export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto max-w-sm px-4 py-10 text-center">
      <div className="mx-auto mb-3 grid size-12 place-items-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert size={22} aria-hidden />
      </div>
      <p className="font-bold">{message}</p>
      <Button className="mt-4" onClick={onRetry}>
        Tentar de novo
      </Button>
    </div>
  )
}

export function Skeleton({ className = 'h-5 w-full' }: { className?: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />
}

export interface QueryStateProps<D> {
  readonly query: {
    readonly data: D | undefined
    readonly error: Error | null
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
  readonly skeleton: ReactNode
  readonly drawCard?: boolean
  readonly children: (dados: D) => ReactNode
}

/**
 * Shows the data, the loading state or the error of a query. After a failed refresh the old data stays, with a
 * warning.
 */
export function QueryState<D>({ query, skeleton, drawCard = false, children }: QueryStateProps<D>) {
  const { data, error, isFetching, refetch } = query
  const attempt = (): void => void refetch()
  const moldura = drawCard ? 'card' : undefined
  if (error instanceof ApiError && error.status === 403) {
    return (
      <div className={moldura}>
        <EmptyState title={TEXTS.acessoRestrito} icon={<Lock size={22} aria-hidden />}>
          {error.message}
        </EmptyState>
      </div>
    )
  }
  if (data === undefined) {
    if (error === null || isFetching) return skeleton
    return (
      <div className={moldura}>
        <ErrorState message={error.message} onRetry={attempt} />
      </div>
    )
  }
  return (
    <>
      {error !== null && (
        <p
          role="status"
          className={clsx('bg-warn-soft px-4 py-2 text-sm font-semibold text-warn-ink', drawCard && 'rounded-card')}
        >
          Não foi possível atualizar: {error.message}{' '}
          <button type="button" className="min-h-8 underline" onClick={attempt}>
            Tentar de novo
          </button>
        </p>
      )}
      {children(data)}
    </>
  )
}
