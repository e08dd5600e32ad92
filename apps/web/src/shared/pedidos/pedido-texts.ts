import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import { formatDuration } from '#shared/data/duration.ts'
import { formatMoney } from '#shared/form/price.ts'

/** The columns of the board, in the order of the work. */
export const BOARD_STATUS: readonly StatusPedido[] = ['novo', 'preparo', 'saiu', 'entregue']

export const PEDIDO_STATUS_LABEL: Readonly<Record<StatusPedido, string>> = {
  novo: 'Novo',
  preparo: 'Em preparo',
  saiu: 'Saiu para entrega',
  entregue: 'Entregue',
  cancelado: 'Cancelado',
}

/** True until it is delivered or cancelled. */
export const isOpenPedido = ({ status }: Pick<Pedido, 'status'>): boolean =>
  status !== 'entregue' && status !== 'cancelado'

/** The button that moves a pedido to the status. */
export const STEP_LABEL: Readonly<Record<StatusPedido, string>> = {
  novo: 'Novo',
  preparo: 'Preparar',
  saiu: 'Saiu',
  entregue: 'Entregue',
  cancelado: 'Cancelar pedido',
}

export const PAYMENT_METHOD_LABEL: Readonly<Record<Pedido['pagamento']['forma'], string>> = {
  pix: 'PIX',
  dinheiro: 'Dinheiro',
  cartao: 'Cartão',
}

const PAYMENT_LABEL: Readonly<Record<Pedido['pagamento']['estado'], string>> = {
  pendente: 'a pagar',
  informado: 'conferir',
  confirmado: 'pago',
}

export const formatCents = (cents: number): string => formatMoney(cents / 100)

export function paymentLabel({ forma, estado }: Pedido['pagamento']): string {
  return `${PAYMENT_METHOD_LABEL[forma]} · ${PAYMENT_LABEL[estado]}`
}

export function deliveryLabel({ tipo, bairro }: Pedido['entrega']): string {
  if (tipo === 'retirada') return 'Retirada'
  return bairro === '' ? 'Entrega' : `Entrega · ${bairro}`
}

export function shortItems({ itens }: Pedido): string {
  return itens.map(({ quantidade, nome }) => `${quantidade}x ${nome}`).join(' · ')
}

const MINUTE_MS = 60_000

/** Whole minutes since the pedido was made. Clocks of server and browser differ, so it is never negative. */
export function pedidoMinutes({ criadoEm }: Pedido, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(criadoEm)) / MINUTE_MS))
}

export function formatMinutes(minutes: number): string {
  return minutes === 0 ? 'agora' : formatDuration(minutes * MINUTE_MS)
}
