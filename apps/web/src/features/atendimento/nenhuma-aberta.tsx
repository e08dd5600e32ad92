import { MessageCircle } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'

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
