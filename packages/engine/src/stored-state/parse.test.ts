import { expect, it } from 'vitest'
import { emptyCart } from '#pedidos/cart.ts'
import { initialState, memoryFields } from '#state.ts'
import { parseState, storedState } from './parse.ts'

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
])('reads %j as the initial state', (json) => {
  expect(parseState(json)).toEqual(initialState())
})

it('reads a written state and drops unknown fields', () => {
  const state = { ...initialState(), etapa: 'humano', setor: 'vendas', erros: 2, ultimaEm: 5 } as const
  expect(parseState({ ...state, sobra: 1 })).toEqual(state)
})

it('returns the memory without fields of the stage', () => {
  const { etapa: _, ...memory } = initialState()
  expect(memoryFields({ ...memory, etapa: 'avaliando', desde: 1, tentou: true })).toEqual(memory)
})

it('rejects a negative page of the shop', () => {
  const loja = { ...initialState(), etapa: 'loja', pagina: -1, itens: [] }
  expect(parseState(loja)).toEqual(initialState())
  expect(parseState({ ...loja, pagina: 2 })).toEqual({ ...loja, pagina: 2, mostrado: null, duvida: null })
})

it.each([
  initialState(),
  { ...initialState(), avisadoEm: 5, paradoEm: 0, semPessoa: [{ desde: 1, respostas: 2 }], apresentada: true },
  { ...initialState(), carrinho: emptyCart(7) },
])('reads a stored state as it was: %j', (state) => {
  expect(parseState(JSON.parse(JSON.stringify(storedState(state))))).toEqual(state)
})
