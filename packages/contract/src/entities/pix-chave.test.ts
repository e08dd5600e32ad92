import { describe, expect, it } from 'vitest'
import { isCnpj, parsePixChave } from './pix-chave.ts'

describe('parsePixChave', () => {
  it.each([
    ['529.982.247-25', 'cpf', '52998224725'],
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
    ['12.abc.345/01de-35', 'cnpj', '12ABC34501DE35'],
    ['(11) 98765-4321', 'telefone', '+5511987654321'],
    ['+55 11 3333-4444', 'telefone', '+551133334444'],
    [' Loja@Exemplo.com.br ', 'email', 'loja@exemplo.com.br'],
    ['123E4567-e89b-12d3-a456-426655440000', 'aleatoria', '123e4567-e89b-12d3-a456-426655440000'],
  ])('reads %s as %s', (typed, tipo, chave) => {
    expect(parsePixChave(typed)).toEqual({ tipo, chave })
  })

  it.each([
    ...['', '529.982.247-26', '111.111.111-11', '11.222.333/0001-80', '00000000000000', 'loja@', 'a@b', '@loja'],
    ...['+1 202 555 0123', '(11) 1234-5678', '123e4567-e89b-12d3-a456-42665544000', `${'a'.repeat(70)}@loja.com.br`],
  ])('refuses %j', (typed) => {
    expect(parsePixChave(typed)).toBeNull()
  })

  it('reads eleven digits as a telephone if they are no CPF', () => {
    expect(parsePixChave('11987654321')).toEqual({ tipo: 'telefone', chave: '+5511987654321' })
  })
})

describe('isCnpj', () => {
  it('checks both digits, with letters too', () => {
    expect(isCnpj('12ABC34501DE35')).toBe(true)
    expect(isCnpj('12ABC34501DE36')).toBe(false)
    expect(isCnpj('12ABC34501DE45')).toBe(false)
  })
})
