import { Component, type ReactNode, Suspense } from 'react'
import { ErrorState, Skeleton } from './states.tsx'

export interface LazyPartProps {
  /** Object of the sentences "Carregando …" and "Não foi possível abrir …", as in "a aba". */
  readonly name: string
  readonly drawCard?: boolean
  readonly children: ReactNode
}

/** Error boundary: a render error or a chunk that fails to load affects only this part. */
class LazyPartBoundary extends Component<LazyPartProps, { quebrou: boolean }> {
  override state = { quebrou: false }

  static getDerivedStateFromError(): { quebrou: boolean } {
    return { quebrou: true }
  }

  override render() {
    const { name, drawCard = false, children } = this.props
    if (!this.state.quebrou) return children
    return (
      <div className={drawCard ? 'card' : undefined}>
        <ErrorState message={`Não foi possível abrir ${name}.`} onRetry={() => location.reload()} />
      </div>
    )
  }
}

export function LazyPart(props: LazyPartProps) {
  const { name, children } = props
  return (
    <LazyPartBoundary {...props}>
      <Suspense
        fallback={
          <div role="status" aria-label={`Carregando ${name}`} className="grid gap-4">
            <Skeleton className="h-40 w-full" />
            <Skeleton className="h-64 w-full" />
          </div>
        }
      >
        {children}
      </Suspense>
    </LazyPartBoundary>
  )
}
