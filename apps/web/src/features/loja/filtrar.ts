import type { Produto } from '@balcao/contract/entities/produto'
import type { Catalogo } from './produtos.ts'

export const SITUACOES = ['todos', 'ativos', 'inativos'] as const
export type Situacao = (typeof SITUACOES)[number]

export interface Filtro {
  readonly situacao: Situacao
  readonly busca: string
}

export const SEM_FILTRO: Filtro = { situacao: 'todos', busca: '' }

const simples = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function naSituacao({ ativo }: Produto, situacao: Situacao): boolean {
  return situacao === 'todos' || ativo === (situacao === 'ativos')
}

/** Every word must occur in name or description, without accents and case. */
export function filtrar(catalogo: Catalogo, { situacao, busca }: Filtro): Catalogo {
  const palavras = simples(busca).split(/\s+/)
  return catalogo.filter((produto) => {
    const texto = simples(`${produto.nome} ${produto.descricao}`)
    return naSituacao(produto, situacao) && palavras.every((palavra) => texto.includes(palavra))
  })
}

export function contar(catalogo: Catalogo, situacao: Situacao): number {
  return catalogo.filter((produto) => naSituacao(produto, situacao)).length
}
