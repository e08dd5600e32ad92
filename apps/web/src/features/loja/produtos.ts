import type { Produto } from '@balcao/contract/entities/produto'
import { produtosRoute } from '@balcao/contract/routes/produtos'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

export type Catalogo = readonly Produto[]

const CHAVE = ['produtos'] as const

export function useProdutos() {
  return useQuery<Catalogo>({
    queryKey: CHAVE,
    queryFn: async ({ signal }) => {
      const { produtos } = await call(produtosRoute, { signal })
      return produtos.toSorted((a, b) => a.ordem - b.ordem)
    },
    networkMode: 'always',
  })
}

export function lerCatalogo(cliente: QueryClient): Catalogo {
  return cliente.getQueryData<Catalogo>(CHAVE) ?? []
}

/** Optimistic update. Cancels fetches in flight, whose answers would be older. */
export function mudarCatalogo(cliente: QueryClient, feito: (atual: Catalogo) => Catalogo): void {
  void cliente.cancelQueries({ queryKey: CHAVE })
  cliente.setQueryData<Catalogo>(CHAVE, (atual) => (atual === undefined ? undefined : feito(atual)))
}

export function conferirCatalogo(cliente: QueryClient): void {
  void cliente.invalidateQueries({ queryKey: CHAVE })
}

export function comMudanca(catalogo: Catalogo, id: string, campos: Partial<Produto>): Catalogo {
  return catalogo.map((produto) => (produto.id === id ? { ...produto, ...campos } : produto))
}

/** Moves a product to an index (from 0) and recalculates `ordem` of all products. */
export function comMovido(catalogo: Catalogo, id: string, para: number): Catalogo {
  const de = catalogo.findIndex((produto) => produto.id === id)
  const movido = catalogo[de]
  if (movido === undefined) return catalogo
  return catalogo
    .toSpliced(de, 1)
    .toSpliced(para, 0, movido)
    .map((produto, ordem) => (produto.ordem === ordem ? produto : { ...produto, ordem }))
}
