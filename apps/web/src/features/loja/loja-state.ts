import type { Config } from '@balcao/contract/entities/config'
import type { Catalog } from './produtos.ts'

export type LojaState =
  | { readonly ativa: true; readonly opcao: string }
  | { readonly ativa: false; readonly falta: 'produto' | 'produtoAtivo' | 'opcaoNoMenu' }

/** Open if a menu option leads to the store and at least one product is active. */
export function lojaStateOf(catalog: Catalog, { menu }: Config): LojaState {
  if (catalog.length === 0) return { ativa: false, falta: 'produto' }
  if (!catalog.some(({ ativo }) => ativo)) return { ativa: false, falta: 'produtoAtivo' }
  const opcao = menu.opcoes.find(({ tipo }) => tipo === 'loja')
  return opcao === undefined ? { ativa: false, falta: 'opcaoNoMenu' } : { ativa: true, opcao: opcao.numero }
}
