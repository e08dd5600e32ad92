import { Inbox, Lock, MessageCircle, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { servesNoLinha } from '#shared/conta/linha-look.ts'
import { useUsuario } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState } from '#shared/ui/states.tsx'
import { type ConversaListFilter, isFiltering } from './filters.ts'
import type { ListView } from './views.ts'

export interface EmptyConversaListProps {
  readonly error: Error | null
  readonly filter: ConversaListFilter
  readonly action: ReactNode
  readonly onClear: () => void
  readonly onRetry: () => void
}

function NoMatches({ filter, onClear }: Pick<EmptyConversaListProps, 'filter' | 'onClear'>) {
  const onlyFinished = filter.status === 'finalizada' && !isFiltering({ ...filter, status: 'todos' })
  return (
    <EmptyState
      title={onlyFinished ? 'Nenhuma conversa finalizada' : 'Nada com este filtro'}
      icon={<Inbox size={22} aria-hidden />}
      action={<Button onClick={onClear}>Limpar filtros</Button>}
    >
      {onlyFinished
        ? 'As conversas finalizadas saem da lista e ficam guardadas aqui.'
        : 'Nenhuma conversa combina com o que foi escolhido.'}
    </EmptyState>
  )
}

const EMPTY_VIEW: Readonly<Record<Exclude<ListView, 'todas'>, { readonly title: string; readonly text: string }>> = {
  minhas: { title: 'Nenhuma conversa com você', text: 'As conversas que você assume aparecem aqui.' },
  fila: { title: 'Ninguém na fila', text: 'Quem pede uma pessoa nos seus setores espera aqui.' },
  mencoes: { title: 'Nenhuma menção', text: 'Quando alguém chamar você em uma nota, a conversa aparece aqui.' },
  semResposta: { title: 'Todos têm resposta', text: 'Nenhum cliente espera uma mensagem da loja.' },
}

function EmptyView({ visao, onClear }: { readonly visao: Exclude<ListView, 'todas'>; readonly onClear: () => void }) {
  const { title, text } = EMPTY_VIEW[visao]
  return (
    <EmptyState
      title={title}
      icon={<Inbox size={22} aria-hidden />}
      action={<Button onClick={onClear}>Ver todas as conversas</Button>}
    >
      {text}
    </EmptyState>
  )
}

export function EmptyConversaList({ error, filter, action, onClear, onRetry }: EmptyConversaListProps) {
  const { linhas } = useUsuario()
  if (error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState title={TEXTS.acessoRestrito} icon={<Lock size={22} aria-hidden />}>
        {error.message}
      </EmptyState>
    )
  }
  if (error !== null) return <ErrorState message={error.message} onRetry={onRetry} />
  if (servesNoLinha(linhas)) {
    return (
      <EmptyState title="Nenhuma linha para você" icon={<Unplug size={22} aria-hidden />}>
        A linha que você atendia foi excluída. Peça a quem cuida da conta para escolher outra.
      </EmptyState>
    )
  }
  if (isFiltering(filter)) return <NoMatches filter={filter} onClear={onClear} />
  if (filter.visao !== 'todas') return <EmptyView visao={filter.visao} onClear={onClear} />
  return (
    <EmptyState title="Ninguém esperando" icon={<Inbox size={22} aria-hidden />} action={action}>
      Quando um cliente pedir para falar com uma pessoa, a conversa aparece aqui.
    </EmptyState>
  )
}

export interface NoOpenConversaProps {
  readonly hasConversas: boolean
  readonly next: string | undefined
  readonly onOpen: (id: string) => void
}

export function NoOpenConversa({ hasConversas, next, onOpen }: NoOpenConversaProps) {
  return (
    <div className="wall grid flex-1 place-items-center">
      <div className="rounded-card bg-surface">
        <EmptyState
          title="Escolha uma conversa"
          icon={<MessageCircle size={22} aria-hidden />}
          action={
            next !== undefined && (
              <Button variant="primary" onClick={() => onOpen(next)}>
                Abrir a que espera há mais tempo
              </Button>
            )
          }
        >
          {hasConversas
            ? 'Use J e K para andar pela lista e Enter para abrir.'
            : 'Quando um cliente pedir uma pessoa, a conversa dele aparece na lista ao lado.'}
        </EmptyState>
      </div>
    </div>
  )
}
