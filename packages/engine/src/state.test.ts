import { expect, it } from 'vitest'
import { initialState, memoriaDe, parseState } from './state.ts'

it.each([
  [undefined],
  [null],
  ['menu'],
  [42],
  [[]],
  [{}],
  [{ ...initialState(), versao: 0 }],
  [{ ...initialState(), etapa: 'outra' }],
  [{ ...initialState(), etapa: 'loja' }],
  [{ ...initialState(), erros: 'muitos' }],
])('reads %j as a customer never met', (json) => {
  expect(parseState(json)).toEqual(initialState())
})

it('reads back what it wrote, without what is not its own', () => {
  const state = { ...initialState(), etapa: 'humano', setor: 'vendas', erros: 2, ultimaEm: 5 } as const
  expect(parseState({ ...state, sobra: 1 })).toEqual(state)
})

it('carries the memory, and nothing of the stage', () => {
  const { etapa: _, ...memoria } = initialState()
  expect(memoriaDe({ ...memoria, etapa: 'avaliando', desde: 1, tentou: true })).toEqual(memoria)
})

it('does not read a page of the shop before the first', () => {
  const loja = { ...initialState(), etapa: 'loja', pagina: -1, itens: [] }
  expect(parseState(loja)).toEqual(initialState())
  expect(parseState({ ...loja, pagina: 2 })).toEqual({ ...loja, pagina: 2 })
})
