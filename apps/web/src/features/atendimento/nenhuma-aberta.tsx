import { MessageCircle } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'

export interface NenhumaAbertaProps {
  readonly haConversas: boolean
  readonly proxima: string | undefined
  readonly onAbrir: (id: string) => void
}

export function NenhumaAberta({ haConversas, proxima, onAbrir }: NenhumaAbertaProps) {
  return (
    <div className="wall grid flex-1 place-items-center">
      <div className="rounded-card bg-surface">
        <EmptyState
          titulo="Escolha uma conversa"
          icone={<MessageCircle size={22} aria-hidden />}
          acao={
            proxima !== undefined && (
              <Button variante="primary" onClick={() => onAbrir(proxima)}>
                Abrir a que espera há mais tempo
              </Button>
            )
          }
        >
          {haConversas
            ? 'Use J e K para andar pela lista e Enter para abrir.'
            : 'Quando um cliente pedir uma pessoa, a conversa dele aparece na lista ao lado.'}
        </EmptyState>
      </div>
    </div>
  )
}
