import { defaultConfig } from '@balcao/contract/defaults'
import { describe, expect, it } from 'vitest'
import { findOpcao, findOpcaoByTitle, isNumberText, parseNumberText, renderMenu } from './opcoes.ts'

const opcao = (numero: string, titulo: string) => ({ numero, titulo, tipo: 'mensagem', resposta: '' }) as const

describe('lerNumero', () => {
  it.each([
    ['1', 1],
    [' 1 ', 1],
    ['01', 1],
    ['1.', 1],
    ['1)', 1],
    ['(1)', 1],
    ['*1*', 1],
    ['"1"', 1],
    ['1️⃣', 1],
    ['1⃣', 1],
    ['🔟', 10],
    ['1️⃣2️⃣', 12],
    ['１', 1],
    ['opção 1', 1],
    ['Opcao: 1', 1],
    ['a opção 1', 1],
    ['número 7', 7],
    ['nº 3', 3],
    ['#4', 4],
    ['zero', 0],
    ['Um', 1],
    ['uma', 1],
    ['TRÊS', 3],
    ['opção três', 3],
    ['dez', 10],
  ])('reads %j as %d', (text, numero) => {
    expect(parseNumberText(text)).toBe(numero)
  })

  it.each(['', ' ', 'onze', '1 bolo', 'quero 1', '1 2', '1,5', '-1', 'constructor', '__proto__', '1234567890', '½'])(
    'returns null for %j',
    (text) => {
      expect(parseNumberText(text)).toBeNull()
    },
  )
})

it('accepts numbers and digits of any length, but no other words', () => {
  for (const text of ['7', '12345678901234567890', '77 88', 'dois']) expect(isNumberText(text), text).toBe(true)
  for (const text of ['', 'sete bolos', '7 bolos']) expect(isNumberText(text), text).toBe(false)
})

describe('acharOpcao', () => {
  const opcoes = [opcao('1', 'Ver produtos'), opcao('01', 'Endereço'), opcao('2', '🛍️ Promoções!'), opcao('3', '🎉')]

  it.each([
    ['1', '1'],
    ['01', '01'],
    ['1.', '1'],
    ['ver produtos', '1'],
    ['VER  PRODUTOS!', '1'],
    ['endereco', '01'],
    ['promoções', '2'],
    ['🛍️ Promoções!', '2'],
    ['🎉', '3'],
  ])('finds %j as option %s', (text, numero) => {
    expect(findOpcao(opcoes, text)?.numero).toBe(numero)
  })

  it.each(['', '   ', '9', 'produtos', '👍', '!'])('finds no option for %j', (text) => {
    expect(findOpcao(opcoes, text)).toBeNull()
  })

  it('does not match an empty text with a blank title', () => {
    expect(findOpcaoByTitle([opcao('1', ' ')], '')).toBeNull()
  })
})

describe('renderMenu', () => {
  const menu = (menuPrincipal: string) =>
    renderMenu({ menu: { ...defaultConfig().menu, menuPrincipal, opcoes: [opcao('1', 'Um'), opcao('8', 'Oito')] } })

  it('appends a line for each option that the text does not list', () => {
    expect(menu('Olá!\n')).toBe('Olá!\n\n*1* - Um\n*8* - Oito')
    expect(menu('Olá!\n1 - Um')).toBe('Olá!\n1 - Um\n\n*8* - Oito')
  })

  it.each([
    '1 - Um\n8 - Oito',
    '*1* - Um\n*8* - Oito',
    '1️⃣ Um\n8️⃣ Oito',
    '1️⃣Um\n8️⃣Oito',
    '[1] Um\n👉 08) Oito',
    '1.\n8.',
  ])('leaves %j unchanged', (text) => {
    expect(menu(text)).toBe(text)
  })

  it.each(['8h às 18h', '8:30 às 18:00', '81 lojas', 'Rua 8'])('does not read %j as an option line', (line) => {
    expect(menu(`1 - Um\n${line}`)).toContain('*8* - Oito')
  })
})
