import type { Pedido } from '@balcao/contract/entities/pedido'
import { nextStatus } from '@balcao/engine/pedidos/status'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, Copy, MessagesSquare, Printer, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useUsuario } from '#shared/session.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import type { MenuItem } from '#shared/ui/menu.tsx'
import { copyPix, type PedidoMoves, usePayment } from './use-pedidos.ts'

const PedidoDetails = lazy(async () => ({ default: (await import('./pedido-details.tsx')).PedidoDetails }))

async function print(pedido: Pedido): Promise<void> {
  const { printTicket } = await import('./print-ticket.ts')
  await printTicket(pedido)
}

const ICON = { size: 16, 'aria-hidden': true } as const

/** The acts on one pedido that are no step of the board. */
function usePedidoItems(onCancel: (pedido: Pedido) => void): (pedido: Pedido) => readonly MenuItem[] {
  const navigate = useNavigate()
  const { tipo, componentesPermitidos } = useUsuario()
  const pay = usePayment()
  const chats = tipo === 'admin' || componentesPermitidos.atendimentoHumano
  return (pedido) => {
    const { conversaId, pagamento, status } = pedido
    const paid = pagamento.estado === 'confirmado'
    const unpaid: MenuItem[] = [
      { label: 'Marcar como pago', icon: <CircleCheck {...ICON} />, run: () => void pay(pedido) },
      ...(pagamento.forma === 'pix'
        ? [{ label: 'Copiar código PIX', icon: <Copy {...ICON} />, run: () => void copyPix(pedido) }]
        : []),
    ]
    const openConversa: MenuItem = {
      label: 'Abrir conversa',
      icon: <MessagesSquare {...ICON} />,
      run: () => void navigate({ to: '/dashboard', search: { aba: 'atendimento', c: conversaId } }),
    }
    const cancel = { label: 'Cancelar pedido', icon: <X {...ICON} />, danger: true, run: () => onCancel(pedido) }
    return [
      ...(paid || status === 'cancelado' ? [] : unpaid),
      { label: 'Imprimir', icon: <Printer {...ICON} />, run: () => void print(pedido) },
      ...(conversaId === '' || !chats ? [] : [openConversa]),
      ...(nextStatus(pedido).includes('cancelado') ? [cancel] : []),
    ]
  }
}

export interface PedidoActs {
  readonly itemsOf: (pedido: Pedido) => readonly MenuItem[]
  readonly openId: string | null
  /** Opens the details. Null closes them. */
  readonly open: (id: string | null) => void
  /** The pedido that a question asks to cancel. */
  readonly cancelled: Pedido | null
  readonly cancel: (pedido: Pedido | null) => void
}

export function usePedidoActs(): PedidoActs {
  const [openId, open] = useState<string | null>(null)
  const [cancelled, cancel] = useState<Pedido | null>(null)
  return { itemsOf: usePedidoItems(cancel), openId, open, cancelled, cancel }
}

interface PedidoDialogsProps {
  readonly acts: PedidoActs
  readonly pedidos: readonly Pedido[]
  readonly moves: PedidoMoves
}

/** The details of the open pedido, and the question before one is cancelled. */
export function PedidoDialogs({ acts, pedidos, moves }: PedidoDialogsProps) {
  const { itemsOf, openId, cancelled } = acts
  const open = pedidos.find(({ id }) => id === openId)
  return (
    <>
      <Suspense>
        {open !== undefined && (
          <PedidoDetails
            pedido={open}
            items={itemsOf(open)}
            onMove={(status) => void moves.move(open, status)}
            onClose={() => acts.open(null)}
          />
        )}
      </Suspense>
      <ConfirmDialog
        open={cancelled !== null}
        title={`Cancelar o pedido nº ${cancelled?.numero ?? ''}?`}
        confirmLabel="Cancelar pedido"
        onConfirm={() => {
          if (cancelled !== null) void moves.move(cancelled, 'cancelado')
        }}
        onClose={() => acts.cancel(null)}
      >
        O cliente recebe o aviso, e os produtos voltam ao estoque. Não dá para desfazer.
      </ConfirmDialog>
    </>
  )
}
