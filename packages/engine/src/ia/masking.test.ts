import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCpf } from '@balcao/contract/entities/pix-chave'
import { isCardNumber, maskPersonalData } from './masking.ts'

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
    'pedido 2098765432 e pedido 20987654321',
    'nota 551187654321',
    'protocolo 5511387654322',
    'código 119876543210',
    'tamanhos 34 36 38 40 42',
    'ramal 3456-7890',
    '119 8765',
    'cartão 4111 1111 1111 1112',
    'são 2 camisas de R$ 1.234,56 às 10:30 de 21/11/2026',
    '@loja e preço@2',
    'código 000000000000000',
    '',
  ])('leaves %s unchanged', (text) => {
    expect(maskPersonalData(text)).toBe(text)
  })

  it.each([
    '11987654321',
    '(11) 98765-4321',
    '(11)98765-4321',
    '11 98765-4321',
    '11 9 8765-4321',
    '11.98765.4321',
    '1198765-4321',
    '11 987 654 321',
    '(011) 98765-4321',
    '5511987654321',
    '+5511987654321',
    '+55 11 98765-4321',
    '+55 (11) 98765\u20114321',
    '55 11 987654321',
    '+5511 98765-4321',
    '11 98765\n4321',
    '1134567890',
    '(11) 3456-7890',
    '11 3456 7890',
    '551134567890',
    '+55 11 3456-7890',
    '55 99876-5432',
  ])('masks the telephone %j', (telefone) => {
    expect(maskPersonalData(telefone)).toBe('[telefone oculto]')
    expect(maskPersonalData(`liga no ${telefone}, tá?`)).toBe('liga no [telefone oculto], tá?')
  })

  it('masks telephones beside other numbers', () => {
    expect(maskPersonalData('+55 11 98765-4321 ou 11 91234-5678')).toBe('[telefone oculto] ou [telefone oculto]')
    expect(maskPersonalData('(11 98765-4321)')).toBe('([telefone oculto])')
    expect(maskPersonalData('wa.me/5511987654321')).toBe('wa.me/[telefone oculto]')
    expect(maskPersonalData('pedido 123, 2 caixas, 11 98765-4321')).toBe('pedido 123, 2 caixas, [telefone oculto]')
    expect(maskPersonalData('529.982.247-25 (11) 98765-4321')).toBe('[CPF oculto] [telefone oculto]')
  })

  it('handles long texts without matches in linear time', () => {
    const longo = 'a'.repeat(65_536)
    expect(maskPersonalData(longo)).toBe(longo)
    const points = '1.'.repeat(32_768)
    expect(maskPersonalData(points)).toBe(points)
    const brackets = '(+'.repeat(32_768)
    expect(maskPersonalData(brackets)).toBe(brackets)
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
