import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cupom } from '@balcao/contract/entities/cupom'
import type { Grupo } from '@balcao/contract/entities/produto'
import { cupomRefusal, descontoOf, entregaCentavosOf, priceItem, subtotalOf, sumsOf } from './totals.ts'

const opcao = (id: string, acrescimoCentavos: number, ativa = true) => ({
  id,
  nome: id.toUpperCase(),
  acrescimoCentavos,
  ativa,
})
const grupo = (id: string, preco: Grupo['preco'], minimo: number, maximo: number, opcoes: Grupo['opcoes']): Grupo => ({
  ...{ id, nome: id, preco, minimo, maximo, opcoes },
})
const PIZZA = {
  ...{ id: 'pizza', nome: 'Pizza', preco: 19.99 },
  grupos: [
    grupo('tamanho', 'soma', 1, 1, [opcao('p', 0), opcao('g', 1_500)]),
    grupo('sabores', 'maior', 1, 2, [opcao('calabresa', 500), opcao('camarao', 2_200), opcao('fora', 100, false)]),
    grupo('borda', 'media', 0, 3, [opcao('catupiry', 301), opcao('cheddar', 400), opcao('sem', 0)]),
  ],
}
const price = (...opcoes: string[]) => priceItem(PIZZA, { produtoId: 'pizza', quantidade: 1, opcoes })
const priceOf = (...opcoes: string[]) => {
  const priced = price(...opcoes)
  return priced.tipo === 'item' ? priced.item.precoCentavos : priced
}

describe('priceItem', () => {
  it('adds the sum, the greatest or the rounded mean of each group', () => {
    expect(priceOf('p', 'calabresa')).toBe(2_499)
    expect(priceOf('g', 'calabresa', 'camarao')).toBe(1_999 + 1_500 + 2_200)
    expect(priceOf('p', 'calabresa', 'catupiry', 'cheddar')).toBe(2_499 + 351)
    expect(priceOf('p', 'calabresa', 'catupiry', 'cheddar', 'sem')).toBe(2_499 + 234)
  })

  it('names the group whose minimum or maximum is broken', () => {
    expect(price('calabresa')).toMatchObject({ tipo: 'grupo', grupo: { id: 'tamanho' }, escolhidas: 0 })
    expect(price('p', 'g', 'calabresa')).toMatchObject({ tipo: 'grupo', grupo: { id: 'tamanho' }, escolhidas: 2 })
  })

  it('refuses an unknown, inactive or repeated option', () => {
    for (const wrong of ['nada', 'fora', 'p'])
      expect(price('p', 'calabresa', wrong)).toEqual({ tipo: 'opcao', opcaoId: wrong })
  })

  it('copies names and additions of the options', () => {
    expect(price('g', 'camarao')).toMatchObject({
      item: {
        opcoes: [
          { grupo: 'tamanho', nome: 'G', acrescimoCentavos: 1_500 },
          { grupo: 'sabores', nome: 'CAMARAO', acrescimoCentavos: 2_200 },
        ],
      },
    })
  })
})

describe('entregaCentavosOf', () => {
  const loja = {
    entrega: {
      ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: 10_000 },
      taxas: [
        { cepDe: '01310000', cepAte: '01310999', centavos: 300 },
        { bairro: 'São José', centavos: 700 },
      ],
    },
    retirada: true,
  }
  const fee = (bairro: string, cep = '', subtotal = 5_000) =>
    entregaCentavosOf(loja, { tipo: 'entrega', bairro, cep }, subtotal)

  it('takes the first fee that fits by CEP or by neighbourhood', () => {
    expect(fee('sao  jose')).toBe(700)
    expect(fee('São José', '01310100')).toBe(300)
    expect(fee('Centro', '01311000')).toBeNull()
    expect(fee('')).toBeNull()
  })

  it('is free from a sum on, for pick-up, and impossible where delivery is off', () => {
    expect(fee('São José', '', 10_000)).toBe(0)
    expect(entregaCentavosOf(loja, { tipo: 'retirada', bairro: '', cep: '' }, 1)).toBe(0)
    expect(entregaCentavosOf({ ...loja, retirada: false }, { tipo: 'retirada', bairro: '', cep: '' }, 1)).toBeNull()
    const off = { ...loja, entrega: { ...loja.entrega, ativa: false } }
    expect(entregaCentavosOf(off, { tipo: 'entrega', bairro: 'São José', cep: '' }, 1)).toBeNull()
  })
})

describe('coupons', () => {
  const cupom: Cupom = {
    ...{ id: '1', codigo: 'VOLTEI10', tipo: 'percentual', valor: 10, minimoCentavos: 2_000, usos: 2, porCliente: 1 },
    ...{ ativo: true, validoAte: '2026-12-01T00:00:00.000Z' },
  }
  const fine = { subtotalCentavos: 2_000, now: Date.parse('2026-11-30T00:00:00.000Z'), usados: 1, doCliente: 0 }

  it('says why one does not count', () => {
    expect(cupomRefusal(cupom, fine)).toBeNull()
    expect(cupomRefusal({ ...cupom, ativo: false }, fine)).toBe('inativo')
    expect(cupomRefusal(cupom, { ...fine, now: Date.parse('2026-12-01T00:00:00.001Z') })).toBe('vencido')
    expect(cupomRefusal(cupom, { ...fine, usados: 2 })).toBe('esgotado')
    expect(cupomRefusal(cupom, { ...fine, doCliente: 1 })).toBe('esgotado')
    expect(cupomRefusal(cupom, { ...fine, subtotalCentavos: 1_999 })).toBe('minimo')
  })

  it('rounds percentages down, and takes the delivery off whatever its value', () => {
    const sums = { subtotalCentavos: 1_999, entregaCentavos: 700 }
    expect(descontoOf({ tipo: 'percentual', valor: 10 }, sums)).toBe(199)
    expect(descontoOf({ tipo: 'entrega', valor: 5 }, sums)).toBe(700)
    expect(descontoOf({ tipo: 'valor', valor: 5_000 }, sums)).toBe(2_699)
  })
})

describe('sumsOf', () => {
  it('never gives a negative total, and its parts add up', () => {
    const cents = fc.nat(10_000_000)
    fc.assert(
      fc.property(cents, cents, cents, (subtotal, entrega, wanted) => {
        const { totalCentavos, descontoCentavos } = sumsOf(subtotal, entrega, wanted)
        expect(totalCentavos).toBeGreaterThanOrEqual(0)
        expect(totalCentavos).toBe(subtotal + entrega - descontoCentavos)
      }),
    )
  })

  it('multiplies the price of an item by its quantity', () => {
    expect(
      subtotalOf([
        { quantidade: 3, precoCentavos: 333 },
        { quantidade: 1, precoCentavos: 1 },
      ]),
    ).toBe(1_000)
  })
})
