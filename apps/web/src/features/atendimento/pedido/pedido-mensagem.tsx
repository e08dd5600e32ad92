import { usePedidoActs, PedidoDialogs } from '#shared/pedidos/pedido-dialogs.tsx'
import { useTakesPedidos } from '#shared/pedidos/new-pedido.ts'
import { usePedido, usePedidoMoves, withMoves } from '#shared/pedidos/use-pedidos.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { PedidoSummary } from './pedido-summary.tsx'

/** The card under the message of a made order. The text says enough where the card cannot load. */
export function PedidoMensagem({ id }: { readonly id: string }) {
  return useTakesPedidos() ? <LoadedPedido id={id} /> : null
}

function LoadedPedido({ id }: { readonly id: string }) {
  const { data, isPending } = usePedido(id)
  const acts = usePedidoActs()
  const moves = usePedidoMoves()
  const pedidos = data === undefined ? [] : withMoves([data], moves)
  if (isPending) return <Skeleton className="mt-1.5 h-36 w-64 max-w-full rounded-xl" />
  return (
    <div className="mt-1.5 w-64 max-w-full">
      {pedidos.map((pedido) => (
        <PedidoSummary
          key={pedido.id}
          pedido={pedido}
          onOpen={() => acts.open(pedido.id)}
          onMove={(status) => void moves.move(pedido, status)}
        />
      ))}
      <PedidoDialogs {...{ acts, pedidos, moves }} />
    </div>
  )
}
