import type { Aba } from '@balcao/contract/constants'
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'

const AcessoRestrito = lazy(async () => ({ default: (await import('./acesso-restrito.tsx')).AcessoRestrito }))

function EsqueletoDaAba() {
  return (
    <div role="status" aria-label="Carregando a aba" className="grid gap-4">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}

/** A tab that breaks, or whose code does not arrive, takes nothing else with it. */
class Contencao extends Component<{ children: ReactNode }, { quebrou: boolean }> {
  override state = { quebrou: false }

  static getDerivedStateFromError(): { quebrou: boolean } {
    return { quebrou: true }
  }

  override render() {
    if (!this.state.quebrou) return this.props.children
    return <ErrorState mensagem="Não foi possível abrir esta aba." onTentar={() => location.reload()} />
  }
}

export interface ConteudoDaAbaProps {
  readonly liberada: boolean
  /** Where who may not be here can go. */
  readonly permitida: Aba | null
  readonly componente: ComponentType
}

export function ConteudoDaAba({ liberada, permitida, componente: Conteudo }: ConteudoDaAbaProps) {
  return (
    <Contencao>
      <Suspense fallback={<EsqueletoDaAba />}>
        {liberada ? <Conteudo /> : <AcessoRestrito permitida={permitida} />}
      </Suspense>
    </Contencao>
  )
}
