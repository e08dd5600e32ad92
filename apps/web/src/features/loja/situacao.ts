import type { Config } from '@balcao/contract/entities/config'
import type { Catalogo } from './produtos.ts'

export type SituacaoDaLoja =
  | { readonly ativa: true; readonly opcao: string }
  | { readonly ativa: false; readonly falta: 'produto' | 'produtoAtivo' | 'opcaoNoMenu' }

/** Open if a menu option leads to the store and at least one product is active. */
export function situacaoDaLoja(catalogo: Catalogo, { menu }: Config): SituacaoDaLoja {
  if (catalogo.length === 0) return { ativa: false, falta: 'produto' }
  if (!catalogo.some(({ ativo }) => ativo)) return { ativa: false, falta: 'produtoAtivo' }
  const opcao = menu.opcoes.find(({ tipo }) => tipo === 'loja')
  return opcao === undefined ? { ativa: false, falta: 'opcaoNoMenu' } : { ativa: true, opcao: opcao.numero }
}
