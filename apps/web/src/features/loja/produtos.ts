import type { Produto } from '@balcao/contract/entities/produto'
import { produtosRoute } from '@balcao/contract/routes/produtos'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

export type Catalog = readonly Produto[]

const QUERY_KEY = ['produtos'] as const

export function useProdutos() {
  return useQuery<Catalog>({
    queryKey: QUERY_KEY,
    queryFn: async ({ signal }) => {
      const { produtos } = await call(produtosRoute, { signal })
      return produtos.toSorted((a, b) => a.ordem - b.ordem)
    },
    networkMode: 'always',
  })
}

export function cachedCatalog(client: QueryClient): Catalog {
  return client.getQueryData<Catalog>(QUERY_KEY) ?? []
}

/** Optimistic update. Cancels fetches in flight, whose answers would be older. */
export function updateCatalog(client: QueryClient, update: (current: Catalog) => Catalog): void {
  void client.cancelQueries({ queryKey: QUERY_KEY })
  client.setQueryData<Catalog>(QUERY_KEY, (current) => (current === undefined ? undefined : update(current)))
}

export function refetchCatalog(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEY })
}

export function withChangedProduto(catalog: Catalog, id: string, fields: Partial<Produto>): Catalog {
  return catalog.map((produto) => (produto.id === id ? { ...produto, ...fields } : produto))
}

/** Moves a product to an index (from 0) and recalculates `ordem` of all products. */
export function withMovedProduto(catalog: Catalog, id: string, to: number): Catalog {
  const de = catalog.findIndex((produto) => produto.id === id)
  const moved = catalog[de]
  if (moved === undefined) return catalog
  return catalog
    .toSpliced(de, 1)
    .toSpliced(to, 0, moved)
    .map((produto, ordem) => (produto.ordem === ordem ? produto : { ...produto, ordem }))
}
