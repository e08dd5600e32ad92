import { Component, type ReactNode } from 'react'
import { ErrorState } from '#shared/ui/states.tsx'

/** A page that breaks, or whose code does not arrive, leaves the conversations alone. */
export class Contencao extends Component<{ children: ReactNode }, { quebrou: boolean }> {
  override state = { quebrou: false }

  static getDerivedStateFromError(): { quebrou: boolean } {
    return { quebrou: true }
  }

  override render() {
    if (!this.state.quebrou) return this.props.children
    return (
      <div className="card">
        <ErrorState mensagem="Não foi possível abrir esta página." onTentar={() => location.reload()} />
      </div>
    )
  }
}
