import type { Produto } from '@balcao/contract/entities/produto'
import { produtosRoute } from '@balcao/contract/routes/produtos'
import type { ProdutoLoja } from '@balcao/engine/context'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

export type Catalog = readonly Produto[]

export function useProdutos(enabled = true) {
  return useQuery<Catalog>({
    queryKey: QUERY_KEYS.produtos,
    queryFn: async ({ signal }) => {
      const { produtos } = await call(produtosRoute, { signal })
      return produtos.toSorted((a, b) => a.ordem - b.ordem)
    },
    enabled,
    networkMode: 'always',
  })
}

export function toLojaProduto({ imagemUrl, ...produto }: Produto): ProdutoLoja {
  return imagemUrl === null ? produto : { ...produto, imagemUrl }
}
