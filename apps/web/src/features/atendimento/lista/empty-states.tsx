import { Inbox, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState } from '#shared/ui/states.tsx'
import { type ConversaListFilter, isFiltering } from './filters.ts'

function NoConversas({
  filtro,
  onLimpar,
  acao,
}: {
  filtro: ConversaListFilter
  onLimpar: () => void
  acao: ReactNode
}) {
  const icone = <Inbox size={22} aria-hidden />
  if (isFiltering(filtro)) {
    const soFinalizadas = filtro.status === 'finalizada' && filtro.busca === '' && filtro.setor === null
    return (
      <EmptyState
        title={soFinalizadas ? 'Nenhuma conversa finalizada' : 'Nada com este filtro'}
        icon={icone}
        action={<Button onClick={onLimpar}>Limpar filtros</Button>}
      >
        {soFinalizadas
          ? 'As conversas finalizadas saem da lista e ficam guardadas aqui.'
          : 'Nenhuma conversa combina com o que foi escolhido.'}
      </EmptyState>
    )
  }
  if (filtro.ownSetores !== null) {
    return (
      <EmptyState
        title="Ninguém esperando nos seus setores"
        icon={icone}
        action={<Button onClick={onLimpar}>Ver todos os setores</Button>}
      >
        Os outros setores podem ter conversas.
      </EmptyState>
    )
  }
  return (
    <EmptyState title="Ninguém esperando" icon={icone} action={acao}>
      Quando um cliente pedir para falar com uma pessoa, a conversa aparece aqui.
    </EmptyState>
  )
}

export interface EmptyConversaListProps {
  readonly error: Error | null
  readonly filter: ConversaListFilter
  readonly action: ReactNode
  readonly onClear: () => void
  readonly onRetry: () => void
}

export function EmptyConversaList({ error, filter, action, onClear, onRetry }: EmptyConversaListProps) {
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState title={TEXTS.acessoRestrito} icon={<Lock size={22} aria-hidden />}>
        {error.message}
      </EmptyState>
    )
  }
  if (error !== null) return <ErrorState message={error.message} onRetry={onRetry} />
  return <NoConversas filtro={filter} onLimpar={onClear} acao={action} />
}
