import { describe, expect, it } from 'vitest'
import type { ProdutoLoja } from '#context.ts'
import { searchProdutos } from './produtos.ts'

const produto = (nome: string, descricao = '', mais: Partial<ProdutoLoja> = {}): ProdutoLoja => ({
  ...{ id: nome, nome, descricao, preco: 10 },
  ...mais,
})

const LOJA = [
  produto('Caneca azul', 'Cerâmica'),
  produto('Camisa de algodão', 'Nas cores azul e branca', { preco: 1234.5, linkCheckout: 'https://loja.test/c' }),
  produto('Pão francês'),
]

const names = (search: string): string[] => searchProdutos(LOJA, search).map(({ nome }) => nome)

describe('procurarProdutos', () => {
  it('ranks names before descriptions and ignores accents and plurals', () => {
    expect(names('azul')).toEqual(['Caneca azul', 'Camisa de algodão'])
    expect(names('CAMISAS de ALGODAO')).toEqual(['Camisa de algodão'])
    expect(names('pao')).toEqual(['Pão francês'])
    expect(names('bicicleta')).toEqual([])
  })

  it('formats the price in reais and omits a missing link', () => {
    expect(searchProdutos(LOJA, 'camisa')).toEqual([
      {
        nome: 'Camisa de algodão',
        preco: 'R$ 1.234,50',
        descricao: 'Nas cores azul e branca',
        link: 'https://loja.test/c',
      },
    ])
    expect(searchProdutos(LOJA, 'caneca')).toEqual([{ nome: 'Caneca azul', preco: 'R$ 10,00', descricao: 'Cerâmica' }])
  })

  it('returns at most 8 produtos, also for an empty search', () => {
    const muitos = Array.from({ length: 500 }, (_, i) => produto(`Item ${i}`))
    expect(searchProdutos(muitos, '')).toHaveLength(8)
    expect(searchProdutos(muitos, 'item')).toHaveLength(8)
    expect(searchProdutos(muitos, 'item 499')[0]?.nome).toBe('Item 499')
  })
})
