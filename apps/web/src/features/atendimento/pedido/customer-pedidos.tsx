import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Carrinho, Pedido } from '@balcao/contract/entities/pedido'
import { Plus } from 'lucide-react'
import { PartMissing } from '#features/atendimento/detalhes/detail-item.tsx'
import { startPedido } from '#shared/pedidos/new-pedido.ts'
import { PedidoDialogs, usePedidoActs } from '#shared/pedidos/pedido-dialogs.tsx'
import { formatCents, isOpenPedido } from '#shared/pedidos/pedido-texts.ts'
import { usePedidoMoves, usePedidosOfContato, withMoves } from '#shared/pedidos/use-pedidos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { PedidoSummary } from './pedido-summary.tsx'
import { useCarrinho } from './use-carrinho.ts'

interface CustomerPedidosProps {
  readonly conversa: Conversa
  readonly contatoId: string
}

/** The order that the customer writes to the bot now, then the made ones, the open ones first. */
export function CustomerPedidos({ conversa, contatoId }: CustomerPedidosProps) {
  const { data: carrinho } = useCarrinho(conversa)
  return (
    <section aria-labelledby="pedidos-do-cliente" className="grid min-w-0 gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 id="pedidos-do-cliente" className="text-sm text-muted">
          Pedidos
        </h3>
        {conversa.status !== 'finalizada' && (
          <Button size="sm" onClick={startPedido}>
            <Plus size={16} aria-hidden /> Novo pedido
          </Button>
        )}
      </div>
      {carrinho !== undefined && carrinho !== null && <CarrinhoBox carrinho={carrinho} />}
      <PedidosOfCustomer contatoId={contatoId} writing={carrinho !== undefined && carrinho !== null} />
    </section>
  )
}

function CarrinhoBox({ carrinho: { itens, subtotalCentavos } }: { readonly carrinho: Carrinho }) {
  return (
    <div className="grid gap-1 rounded-xl border border-dashed p-2.5 text-sm">
      <h4 className="font-bold">Montando no chat</h4>
      <ul className="grid gap-1">
        {itens.map(({ quantidade, nome, detalhes, observacao }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two items of a cart may be equal
          <li key={index} className="break-words">
            {quantidade}x {nome}
            <span className="block text-muted">
              {[...detalhes, observacao].filter((part) => part !== '').join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-2 tabular-nums">
        Subtotal <b>{formatCents(subtotalCentavos)}</b>
      </p>
    </div>
  )
}

function openFirst(pedidos: readonly Pedido[]): readonly Pedido[] {
  return [...pedidos.filter(isOpenPedido), ...pedidos.filter((pedido) => !isOpenPedido(pedido))]
}

interface PedidosOfCustomerProps extends Pick<CustomerPedidosProps, 'contatoId'> {
  /** The box above shows an order that is not made yet. */
  readonly writing: boolean
}

function PedidosOfCustomer({ contatoId, writing }: PedidosOfCustomerProps) {
  const { data, error, isPending, refetch } = usePedidosOfContato(contatoId)
  const acts = usePedidoActs()
  const moves = usePedidoMoves()
  if (isPending) {
    return (
      <div role="status" aria-label="Carregando os pedidos" aria-busy="true">
        <Skeleton className="h-16 w-full rounded-xl" />
      </div>
    )
  }
  if (data === undefined) return <PartMissing onRetry={refetch}>{error.message}</PartMissing>
  const pedidos = withMoves(data, moves)
  return (
    <>
      <p role="status" className="sr-only">
        {moves.announcement}
      </p>
      {pedidos.length === 0 && !writing && <p className="text-sm font-semibold">Nenhum ainda</p>}
      <ul className="grid gap-2">
        {openFirst(pedidos).map((pedido) => (
          <li key={pedido.id} className="min-w-0">
            <PedidoSummary
              pedido={pedido}
              onOpen={() => acts.open(pedido.id)}
              onMove={(status) => void moves.move(pedido, status)}
            />
          </li>
        ))}
      </ul>
      <PedidoDialogs {...{ acts, pedidos, moves }} />
    </>
  )
}
