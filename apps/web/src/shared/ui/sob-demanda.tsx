import { Component, type ReactNode, Suspense } from 'react'
import { ErrorState, Skeleton } from './states.tsx'

export interface SobDemandaProps {
  /** What is coming, as in "a aba". */
  readonly oQue: string
  /** Nothing around it draws a card: what stands in the place of the content brings its own. */
  readonly emCartao?: boolean
  readonly children: ReactNode
}

/** What breaks in it, or whose code does not arrive, takes nothing else with it. */
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

/** A page within the page, whose code is fetched when it is first shown: its shape until then. */
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
