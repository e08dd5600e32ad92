import type { Conversa } from '@balcao/contract/entities/conversa'
import { carrinhoRoute } from '@balcao/contract/routes/pedidos'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** The order that the customer writes to the bot. Each message of the customer may change it. */
export function useCarrinho({ id, mensagens }: Pick<Conversa, 'id' | 'mensagens'>) {
  const lastReceived = mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id ?? ''
  return useQuery({
    queryKey: ['atendimento', 'carrinho', id, lastReceived],
    queryFn: async ({ signal }) => (await call(carrinhoRoute, { params: { id }, signal })).carrinho,
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
    networkMode: 'always',
  })
}
