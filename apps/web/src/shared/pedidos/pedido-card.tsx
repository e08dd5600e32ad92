import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import { nextStatus } from '@balcao/engine/pedidos/status'
import clsx from 'clsx'
import { EllipsisVertical } from 'lucide-react'
import type { DragEvent } from 'react'
import { formatTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { Menu, type MenuItem } from '#shared/ui/menu.tsx'
import { deliveryLabel, formatCents, formatMinutes, paymentLabel, pedidoMinutes, STEP_LABEL } from './pedido-texts.ts'

export interface PedidoCardProps {
  readonly pedido: Pedido
  readonly nowMs: number
  readonly items: readonly MenuItem[]
  /** Undefined: the card cannot be dragged. */
  readonly onGrab: ((event: DragEvent<HTMLElement>) => void) | undefined
  readonly onDrop: () => void
  readonly onOpen: () => void
  readonly onMove: (status: StatusPedido) => void
}

export const PAYMENT_TONE: Readonly<Record<Pedido['pagamento']['estado'], ChipTone>> = {
  pendente: 'cinza',
  informado: 'amarelo',
  confirmado: 'verde',
}

const LATE_MINUTES = 30

/** The id of the button that opens the pedido. The board moves the focus to it. */
export const pedidoButtonId = (id: string): string => `pedido-${id}`

export function PedidoCard({ pedido, nowMs, items, onGrab, onDrop, onOpen, onMove }: PedidoCardProps) {
  const { id, numero, cliente, entrega, pagamento, totalCentavos, observacao, status } = pedido
  return (
    <li
      data-pedido={id}
      draggable={onGrab !== undefined}
      onDragStart={onGrab}
      onDragEnd={onDrop}
      className="card relative grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2 p-3"
    >
      <div className="flex items-center gap-2">
        <h4 className="min-w-0 flex-1 font-bold">
          <button
            type="button"
            id={pedidoButtonId(id)}
            data-abre-pedido
            className="max-w-full text-left after:absolute after:inset-0"
            onClick={onOpen}
          >
            <span className="sr-only">Pedido </span>
            <span className="line-clamp-2 break-words">
              nº {numero} · {cliente}
            </span>
          </button>
        </h4>
        <PedidoAge pedido={pedido} nowMs={nowMs} />
        <Menu
          label={`Mais ações do pedido nº ${numero}`}
          className="btn btn-ghost btn-icon relative z-10 -my-2 -mr-2 !min-h-11 !w-11 text-muted"
          button={<EllipsisVertical size={18} aria-hidden />}
          items={items}
        />
      </div>
      <ItemList itens={pedido.itens} />
      {observacao !== '' && <p className="line-clamp-2 text-sm text-warn-ink">Obs.: {observacao}</p>}
      <p className="text-sm break-words text-muted">{deliveryLabel(entrega)}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-bold tabular-nums">{formatCents(totalCentavos)}</span>
        <Chip tone={PAYMENT_TONE[pagamento.estado]}>{paymentLabel(pagamento)}</Chip>
      </div>
      {status !== 'entregue' && <NextStep pedido={pedido} onMove={onMove} />}
    </li>
  )
}

const ITEMS_SHOWN = 6

/** The items for the kitchen, with options and notes. */
function ItemList({ itens }: Pick<Pedido, 'itens'>) {
  const hidden = itens.length - ITEMS_SHOWN
  return (
    <ul className="grid gap-1 text-sm">
      {itens.slice(0, ITEMS_SHOWN).map(({ produtoId, quantidade, nome, opcoes, observacao }, index) => (
        <li key={`${produtoId} ${index}`}>
          <span className="font-semibold">
            {quantidade}x {nome}
          </span>
          {opcoes.length > 0 && <span className="block">{opcoes.map((opcao) => opcao.nome).join(', ')}</span>}
          {observacao !== '' && <span className="block text-warn-ink">{observacao}</span>}
        </li>
      ))}
      {hidden > 0 && <li className="text-muted">mais {hidden === 1 ? '1 item' : `${hidden} itens`}</li>}
    </ul>
  )
}

/** How long an open pedido waits, or when a delivered one was made. */
function PedidoAge({ pedido, nowMs }: { pedido: Pedido; nowMs: number }) {
  if (pedido.status === 'entregue') return <span className="text-xs text-muted">{formatTime(pedido.criadoEm)}</span>
  const minutes = pedidoMinutes(pedido, nowMs)
  const late = minutes >= LATE_MINUTES
  return (
    <span className={clsx('text-xs whitespace-nowrap', late ? 'font-bold text-danger-ink' : 'text-muted')}>
      {minutes > 0 && <span className="sr-only">há </span>}
      {formatMinutes(minutes)}
    </span>
  )
}

export function NextStep({ pedido, onMove }: { pedido: Pedido; onMove: (status: StatusPedido) => void }) {
  const [next] = nextStatus(pedido)
  if (next === undefined || next === 'cancelado') return null
  return (
    <Button
      variant={pedido.status === 'novo' ? 'primary' : 'outline'}
      size="touch"
      className="relative z-10 w-full"
      onClick={() => onMove(next)}
    >
      {STEP_LABEL[next]}
      <span className="sr-only"> pedido nº {pedido.numero}</span>
    </Button>
  )
}
