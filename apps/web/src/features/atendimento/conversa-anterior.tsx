import { formatDateTime } from '#shared/format.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useSingleConversa } from './lista/use-conversas.ts'
import { MensagemList } from './conversa/mensagem-list.tsx'

export interface EarlierConversaProps {
  readonly id: string
  readonly protocolo: string
  readonly onClose: () => void
}

export function EarlierConversa({ id, protocolo, onClose }: EarlierConversaProps) {
  const { data: conversa, error, refetch } = useSingleConversa(id, true)
  return (
    <Dialog open title={`Conversa ${protocolo}`} width="lg" onClose={onClose}>
      <div className="-mx-5 -mb-5 flex h-[70dvh] flex-col">
        {conversa !== undefined ? (
          <>
            <p className="px-5 pb-3 text-sm text-muted">
              {conversa.cliente.nome} · {formatDateTime(conversa.iniciadoEm)}
              {conversa.operador !== undefined && ` · com ${conversa.operador}`}
            </p>
            <MensagemList conversa={conversa} />
          </>
        ) : error === null ? (
          <Skeleton className="m-5 h-24" />
        ) : (
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        )}
      </div>
    </Dialog>
  )
}
