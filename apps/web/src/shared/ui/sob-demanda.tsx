import { Component, type ReactNode, Suspense } from 'react'
import { ErrorState, Skeleton } from './states.tsx'

export interface SobDemandaProps {
  /** Object of the sentences "Carregando …" and "Não foi possível abrir …", as in "a aba". */
  readonly oQue: string
  /** Set when no parent draws a card: the error state then draws its own. */
  readonly emCartao?: boolean
  readonly children: ReactNode
}

/** Error boundary: a render error or a chunk that fails to load affects only this part. */
class Contencao extends Component<SobDemandaProps, { quebrou: boolean }> {
  override state = { quebrou: false }

  static getDerivedStateFromError(): { quebrou: boolean } {
    return { quebrou: true }
  }

  override render() {
    const { oQue, emCartao = false, children } = this.props
    if (!this.state.quebrou) return children
    return (
      <div className={emCartao ? 'card' : undefined}>
        <ErrorState mensagem={`Não foi possível abrir ${oQue}.`} onTentar={() => location.reload()} />
      </div>
    )
  }
}

export function SobDemanda(props: SobDemandaProps) {
  const { oQue, children } = props
  return (
    <Contencao {...props}>
      <Suspense
        fallback={
          <div role="status" aria-label={`Carregando ${oQue}`} className="grid gap-4">
            <Skeleton className="h-40 w-full" />
            <Skeleton className="h-64 w-full" />
          </div>
        }
      >
        {children}
      </Suspense>
    </Contencao>
  )
}
