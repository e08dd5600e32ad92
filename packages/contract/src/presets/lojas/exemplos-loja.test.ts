import { describe, expect, it } from 'vitest'
import { lojaSchema } from '#entities/loja.ts'
import { produtoInputSchema } from '#entities/produto.ts'
import { EXEMPLOS_LOJA } from './exemplos-loja.ts'

describe.each(EXEMPLOS_LOJA)('Sample shop $nome', ({ produtos, entrega }) => {
  it('has produtos that the server accepts, with unique names and synonyms', () => {
    for (const produto of produtos) expect(produtoInputSchema.parse(produto)).toMatchObject(produto)
    const names = produtos.flatMap(({ nome, sinonimos }) => [nome, ...sinonimos])
    expect(new Set(names).size).toBe(names.length)
    expect(produtos.every(({ categoria }) => categoria !== '')).toBe(true)
  })

  it('delivers to neighbourhoods with a fee', () => {
    expect(lojaSchema.shape.entrega.parse(entrega)).toEqual(entrega)
    expect(entrega.taxas.length).toBeGreaterThan(1)
  })
})
