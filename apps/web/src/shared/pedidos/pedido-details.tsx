import type { ItemPedido, Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import type { ReactNode } from 'react'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import type { MenuItem } from '#shared/ui/menu.tsx'
import { NextStep, PAYMENT_TONE } from './pedido-card.tsx'
import { deliveryLabel, formatCents, paymentLabel, PEDIDO_STATUS_LABEL } from './pedido-texts.ts'

interface PedidoDetailsProps {
  readonly pedido: Pedido
  readonly items: readonly MenuItem[]
  readonly onMove: (status: StatusPedido) => void
  readonly onClose: () => void
}

export function PedidoDetails({ pedido, items, onMove, onClose }: PedidoDetailsProps) {
  const { numero, cliente, status, criadoEm, itens, observacao } = pedido
  return (
    <Dialog open side title={`Pedido nº ${numero}`} onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div>
          <p className="font-bold break-words">{cliente}</p>
          <p className="text-sm text-muted">{formatDateTime(criadoEm)}</p>
          <Chip className="mt-1">{PEDIDO_STATUS_LABEL[status]}</Chip>
        </div>
        <ul aria-label="Itens" className="grid gap-2 border-t pt-3">
          {itens.map((item, index) => (
            <Item key={`${item.produtoId} ${index}`} item={item} />
          ))}
        </ul>
        {observacao !== '' && <p className="rounded-lg bg-warn-soft p-3 text-sm text-warn-ink">{observacao}</p>}
        <Sums pedido={pedido} />
        <Delivery pedido={pedido} />
        <div className="grid gap-2 border-t pt-3">
          <NextStep pedido={pedido} onMove={onMove} />
          {items.map(({ label, icon, danger = false, run }) => (
            <Button key={label} variant={danger ? 'danger' : 'outline'} size="touch" onClick={run}>
              {icon} {label}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

function Item({ item: { quantidade, nome, precoCentavos, opcoes, observacao } }: { item: ItemPedido }) {
  return (
    <li className="text-sm">
      <div className="flex justify-between gap-3 font-semibold">
        <span className="min-w-0 break-words">
          {quantidade}x {nome}
        </span>
        <span className="whitespace-nowrap tabular-nums">{formatCents(quantidade * precoCentavos)}</span>
      </div>
      {opcoes.map((opcao) => (
        <p key={`${opcao.grupo} ${opcao.nome}`} className="text-muted">
          {opcao.grupo}: {opcao.nome}
          {opcao.acrescimoCentavos > 0 && ` (+ ${formatCents(opcao.acrescimoCentavos)})`}
        </p>
      ))}
      {observacao !== '' && <p className="break-words text-warn-ink">Obs.: {observacao}</p>}
    </li>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3">
      <dt>{label}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  )
}

function Sums({ pedido }: { pedido: Pedido }) {
  const { subtotalCentavos, entregaCentavos, descontoCentavos, totalCentavos, entrega } = pedido
  return (
    <dl className="grid gap-1 border-t pt-3 text-sm">
      <Row label="Subtotal">{formatCents(subtotalCentavos)}</Row>
      {entrega.tipo === 'entrega' && (
        <Row label="Entrega">{entregaCentavos === 0 ? 'Grátis' : formatCents(entregaCentavos)}</Row>
      )}
      {descontoCentavos > 0 && <Row label="Desconto">− {formatCents(descontoCentavos)}</Row>}
      <Row label="Total">
        <span className="text-lg font-bold">{formatCents(totalCentavos)}</span>
      </Row>
    </dl>
  )
}

const formatCep = (cep: string): string => cep.replace(/^(\d{5})(\d{3})$/, '$1-$2')

function Delivery({ pedido: { entrega, pagamento } }: { pedido: Pedido }) {
  const { trocoParaCentavos = 0 } = pagamento
  return (
    <div className="grid gap-1 border-t pt-3 text-sm">
      <p className="font-bold">{deliveryLabel(entrega)}</p>
      {entrega.tipo === 'entrega' && (
        <p className="break-words">
          {entrega.endereco}
          {entrega.cep !== '' && ` · CEP ${formatCep(entrega.cep)}`}
        </p>
      )}
      <p className="mt-1">
        <Chip tone={PAYMENT_TONE[pagamento.estado]}>{paymentLabel(pagamento)}</Chip>
      </p>
      {trocoParaCentavos > 0 && <p>Troco para {formatCents(trocoParaCentavos)}</p>}
    </div>
  )
}
