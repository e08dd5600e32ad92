import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCardNumber, isCpf, maskPersonalData } from './masking.ts'

describe('mascarar', () => {
  it.each([
    ['meu cpf é 529.982.247-25, ok?', 'meu cpf é [CPF oculto], ok?'],
    ['52998224725', '[CPF oculto]'],
    ['529 982 247 25', '[CPF oculto]'],
    ['529.982.247/25', '[CPF oculto]'],
    ['529.982.247\u201125', '[CPF oculto]'],
    ['529,982,247-25', '[CPF oculto]'],
    ['CPF 529.982.247\n-25', 'CPF [CPF oculto]'],
    ['4111 1111\n1111 1111', '[cartão oculto]'],
    ['529982247-25.', '[CPF oculto].'],
    ['529.982.247-25 e 111.444.777-35', '[CPF oculto] e [CPF oculto]'],
    ['cartão 4111 1111 1111 1111 val 12/30', 'cartão [cartão oculto] val 12/30'],
    ['4111111111111111', '[cartão oculto]'],
    ['5500-0000-0000-0004', '[cartão oculto]'],
    ['amex 3782 822463 10005', 'amex [cartão oculto]'],
    ['4111 1111 1111 1111 529.982.247-25', '[cartão oculto] [CPF oculto]'],
    ['52998224725 4111111111111111', '[CPF oculto] [cartão oculto]'],
    ['mande para ana.silva+loja@exemplo.com.br por favor', 'mande para [e-mail oculto] por favor'],
    ['(joão@exemplo.com)', '([e-mail oculto])'],
  ])('masks personal data in %s', (text, expected) => {
    expect(maskPersonalData(text)).toBe(expected)
  })

  it.each([
    'pedido 12345678901',
    'cpf errado 529.982.247-24',
    '111.111.111-11',
    'meu número é 11 98765-4321',
    '+55 11 98765-4321 ou 11 91234-5678',
    'cartão 4111 1111 1111 1112',
    'são 2 camisas de R$ 1.234,56 às 10:30 de 21/11/2026',
    '@loja e preço@2',
    'código 000000000000000',
    '',
  ])('leaves %s unchanged', (text) => {
    expect(maskPersonalData(text)).toBe(text)
  })

  it('handles long texts without matches in linear time', () => {
    const longo = 'a'.repeat(65_536)
    expect(maskPersonalData(longo)).toBe(longo)
    const points = '1.'.repeat(32_768)
    expect(maskPersonalData(points)).toBe(points)
  })

  it('masks every valid CPF inside a text', () => {
    const base = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(base, fc.boolean(), (nove, comPontos) => {
        const cpf = completar(nove.join(''))
        fc.pre(!/^(\d)\1+$/.test(cpf))
        expect(isCpf(cpf)).toBe(true)
        const written = comPontos ? cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4') : cpf
        expect(maskPersonalData(`é ${written}!`)).toBe('é [CPF oculto]!')
      }),
    )
  })
})

/** Adds both check digits by their definition: 11 minus the weighted sum modulo 11, where 10 and 11 become 0. */
function completar(nove: string): string {
  const digit = (base: string): number => {
    let sum = 0
    for (const [i, letter] of [...base].entries()) sum += Number(letter) * (base.length + 1 - i)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const dez = nove + digit(nove)
  return dez + digit(dez)
}

describe('ehCartao', () => {
  it.each(['4111111111111111', '378282246310005', '30569309025904', '6011111111111117'])(
    'accepts %s and rejects it with another check digit',
    (numero) => {
      expect(isCardNumber(numero)).toBe(true)
      expect(isCardNumber(`${numero.slice(0, -1)}${(Number(numero.at(-1)) + 1) % 10}`)).toBe(false)
    },
  )
})
