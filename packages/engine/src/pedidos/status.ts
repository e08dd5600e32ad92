import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'

const STEPS: Readonly<Record<StatusPedido, Readonly<Record<Pedido['entrega']['tipo'], readonly StatusPedido[]>>>> = {
  novo: { entrega: ['preparo', 'cancelado'], retirada: ['preparo', 'cancelado'] },
  preparo: { entrega: ['saiu', 'cancelado'], retirada: ['entregue', 'cancelado'] },
  saiu: { entrega: ['entregue', 'cancelado'], retirada: ['entregue', 'cancelado'] },
  entregue: { entrega: [], retirada: [] },
  cancelado: { entrega: [], retirada: [] },
}

/** The steps that an order may take now, the usual one first. */
export function nextStatus({ status, entrega }: Pick<Pedido, 'status' | 'entrega'>): readonly StatusPedido[] {
  return STEPS[status][entrega.tipo]
}
