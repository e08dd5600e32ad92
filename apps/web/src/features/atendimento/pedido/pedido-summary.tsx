import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import { formatTime } from '#shared/format.ts'
import { NextStep } from '#shared/pedidos/pedido-card.tsx'
import {
  deliveryLabel,
  formatCents,
  isOpenPedido,
  paymentLabel,
  PEDIDO_STATUS_LABEL,
  shortItems,
} from '#shared/pedidos/pedido-texts.ts'
import { Chip } from '#shared/ui/chip.tsx'

interface PedidoSummaryProps {
  readonly pedido: Pedido
  readonly onOpen: () => void
  readonly onMove: (status: StatusPedido) => void
}

/** A pedido beside or inside the chat: its facts, its details by a press, and its next step. */
export function PedidoSummary({ pedido, onOpen, onMove }: PedidoSummaryProps) {
  const { numero, status, criadoEm, entrega, pagamento, totalCentavos } = pedido
  return (
    <div className="relative grid min-w-0 gap-1 rounded-xl border bg-surface p-2.5 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <button
          type="button"
          className="min-h-6 text-left font-bold underline after:absolute after:inset-0"
          onClick={onOpen}
        >
          Pedido nº {numero}
        </button>
        <Chip tone={isOpenPedido(pedido) ? 'azul' : 'cinza'}>{PEDIDO_STATUS_LABEL[status]}</Chip>
      </div>
      <p className="line-clamp-3 break-words">{shortItems(pedido)}</p>
      <p className="break-words text-muted">
        {deliveryLabel(entrega)} · {paymentLabel(pagamento)}
      </p>
      <p className="flex justify-between gap-2 tabular-nums">
        <time dateTime={criadoEm} className="text-muted">
          {formatTime(criadoEm)}
        </time>
        <b>{formatCents(totalCentavos)}</b>
      </p>
      <NextStep pedido={pedido} onMove={onMove} />
    </div>
  )
}
