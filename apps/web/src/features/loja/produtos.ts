import type { Produto } from '@balcao/contract/entities/produto'
import type { QueryClient } from '@tanstack/react-query'
import type { Catalog } from '#shared/data/produtos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export function cachedCatalog(client: QueryClient): Catalog {
  return client.getQueryData<Catalog>(QUERY_KEYS.produtos) ?? []
}

/** Optimistic update. Cancels fetches in flight, whose answers would be older. */
export function updateCatalog(client: QueryClient, update: (current: Catalog) => Catalog): void {
  void client.cancelQueries({ queryKey: QUERY_KEYS.produtos })
  client.setQueryData<Catalog>(QUERY_KEYS.produtos, (current) => (current === undefined ? undefined : update(current)))
}

export function refetchCatalog(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEYS.produtos })
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
