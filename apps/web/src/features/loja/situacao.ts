import type { Config } from '@balcao/contract/entities/config'
import type { Catalogo } from './produtos.ts'

/** Whether a customer can see any product today, and what decides it. */
export type SituacaoDaLoja =
  | { readonly ativa: true; readonly opcao: string }
  | { readonly ativa: false; readonly falta: 'produto' | 'produtoAtivo' | 'opcaoNoMenu' }

/** The store is open when an option of the menu leads to it and there is something switched on to show. */
export function situacaoDaLoja(catalogo: Catalogo, { menu }: Config): SituacaoDaLoja {
  if (catalogo.length === 0) return { ativa: false, falta: 'produto' }
  if (!catalogo.some(({ ativo }) => ativo)) return { ativa: false, falta: 'produtoAtivo' }
  const opcao = menu.opcoes.find(({ tipo }) => tipo === 'loja')
  return opcao === undefined ? { ativa: false, falta: 'opcaoNoMenu' } : { ativa: true, opcao: opcao.numero }
}
