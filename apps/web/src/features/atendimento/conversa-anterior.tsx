import { formatDateTime } from '#shared/format.ts'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useConversaAvulsa } from './dados.ts'
import { Mensagens } from './mensagens.tsx'

export interface ConversaAnteriorProps {
  readonly id: string
  readonly protocolo: string
  readonly onFechar: () => void
}

export function ConversaAnterior({ id, protocolo, onFechar }: ConversaAnteriorProps) {
  const { data: conversa, error, refetch } = useConversaAvulsa(id, true)
  return (
    <Dialog aberto titulo={`Conversa ${protocolo}`} largura="lg" onFechar={onFechar}>
      <div className="-mx-5 -mb-5 flex h-[70dvh] flex-col">
        {conversa !== undefined ? (
          <>
            <p className="px-5 pb-3 text-sm text-muted">
              {conversa.cliente.nome} · {formatDateTime(conversa.iniciadoEm)}
              {conversa.operador !== undefined && ` · com ${conversa.operador}`}
            </p>
            <Mensagens conversa={conversa} />
          </>
        ) : error === null ? (
          <Skeleton className="m-5 h-24" />
        ) : (
          <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
        )}
      </div>
    </Dialog>
  )
}
