import { expect, it } from 'vitest'
import { parseNota } from './nota.ts'

it.each([
  ['0', 0],
  ['5', 5],
  ['05', 5],
  ['5.', 5],
  ['5️⃣', 5],
  ['*5*', 5],
  ['nota 5', 5],
  ['Nota: 4', 4],
  ['cinco', 5],
  ['nota três', 3],
  ['zero', 0],
  ['4/5', 4],
  ['nota 4/5', 4],
  ['5 de 5', 5],
  ['5,0', 5],
  ['5 estrelas', 5],
  ['cinco estrelas', 5],
  ['dou nota 5', 5],
  ['5 👍', 5],
  ['5, muito obrigada!', 5],
  ['⭐⭐⭐', 3],
  ['⭐️ ⭐️', 2],
])('reads %j as nota %d', (text, nota) => {
  expect(parseNota(text)).toEqual({ tipo: 'nota', nota })
})

it.each(['6', '10', 'dez', 'nota 10', '10/10', '4/10', '7/5', '4,5', '-1', '100', '⭐⭐⭐⭐⭐⭐'])(
  'reads %j as another number',
  (text) => {
    expect(parseNota(text)).toEqual({ tipo: 'outroNumero' })
  },
)

it.each(['', '  ', 'ótimo', 'quero 2 bolos', '2 bolos', '4 e 5', 'obrigado', 'menu', '👍', '11 98765-4321', 'nota'])(
  'reads %j as text',
  (text) => {
    expect(parseNota(text)).toEqual({ tipo: 'texto' })
  },
)

it('reads 65,536 characters of white space in less than 500 ms', { timeout: 500 }, () => {
  expect(parseNota(`${' '.repeat(65_535)}1`)).toEqual({ tipo: 'texto' })
})
