import type { Grupo } from '@balcao/contract/entities/produto'
import { describe, expect, it } from 'vitest'
import { type OptionAnswer, parseOpcoes } from './parse-opcoes.ts'

const grupoOf = (nome: string, minimo: number, maximo: number, nomes: readonly string[]): Grupo => ({
  ...{ id: nome, nome, minimo, maximo, preco: 'soma' },
  opcoes: nomes.map((name) => ({ id: name, nome: name, acrescimoCentavos: 0, ativa: !name.startsWith('Nutella') })),
})

const SABORES = grupoOf('Sabores', 1, 2, [
  'Calabresa',
  'Portuguesa',
  'Mussarela',
  'Frango com catupiry',
  'Quatro queijos',
])
const BORDA = grupoOf('Borda', 0, 1, ['Borda de catupiry', 'Borda de cheddar'])
const NUMERO = grupoOf('Número', 1, 1, ['38', '40', '42'])
const TAMANHO = grupoOf('Tamanho', 1, 1, ['P', 'M', 'G', 'GG'])
const VOLUME = grupoOf('Tamanho', 1, 1, ['300 ml', '500 ml', '1 litro'])
const EXTRAS = grupoOf('Extras', 0, 3, ['Granola', 'Nutella', 'Leite em pó', 'Leite Ninho'])
const GELO = grupoOf('Gelo', 0, 1, ['Com gelo', 'Sem gelo'])

const chosen = (...opcoes: string[]): OptionAnswer => ({ tipo: 'escolhidas', opcoes })

describe('parseOpcoes', () => {
  it.each<[string, Grupo, OptionAnswer]>([
    ['1 e 3', SABORES, chosen('Calabresa', 'Mussarela')],
    ['1,3', SABORES, chosen('Calabresa', 'Mussarela')],
    ['1/2', SABORES, chosen('Calabresa', 'Portuguesa')],
    ['o 2', SABORES, chosen('Portuguesa')],
    [
      'a primeira é 1 e a outra 5',
      SABORES,
      { tipo: 'naoEntendi', opcoes: ['Calabresa', 'Quatro queijos'], trechos: ['primeira'] },
    ],
    ['metade calabresa metade portuguesa', SABORES, chosen('Calabresa', 'Portuguesa')],
    ['meia 1 meia 4', SABORES, chosen('Calabresa', 'Frango com catupiry')],
    ['1/2 calabreza e 1/2 frango c/ catupiri', SABORES, chosen('Calabresa', 'Frango com catupiry')],
    ['4 queijos', SABORES, chosen('Quatro queijos')],
    ['quero 2 sabores: calabresa e mussarela', SABORES, chosen('Calabresa', 'Mussarela')],
    ['quatro queijos por favor', SABORES, chosen('Quatro queijos')],
    ['uma calabresa', SABORES, chosen('Calabresa')],
    [
      'calabresa, portuguesa e mussarela',
      SABORES,
      { tipo: 'demais', opcoes: ['Calabresa', 'Portuguesa', 'Mussarela'] },
    ],
    ['sem', SABORES, { tipo: 'poucas', opcoes: [] }],
    ['', SABORES, { tipo: 'naoEntendi', opcoes: [], trechos: [] }],
    ['ok', BORDA, { tipo: 'naoEntendi', opcoes: [], trechos: ['ok'] }],
    ['9', SABORES, { tipo: 'naoEntendi', opcoes: [], trechos: ['9'] }],
    ['calabresa e atum', SABORES, { tipo: 'naoEntendi', opcoes: ['Calabresa'], trechos: ['atum'] }],
    ['sem', BORDA, chosen()],
    ['sem borda', BORDA, chosen()],
    ['não, obrigado', BORDA, chosen()],
    ['catupiry', BORDA, chosen('Borda de catupiry')],
    ['borda', BORDA, { tipo: 'naoEntendi', opcoes: [], trechos: ['borda'] }],
    ['a de cheddar', BORDA, chosen('Borda de cheddar')],
    ['os dois', BORDA, { tipo: 'demais', opcoes: ['Borda de catupiry', 'Borda de cheddar'] }],
    ['42', NUMERO, chosen('42')],
    ['2', NUMERO, chosen('40')],
    ['tamanho 38', NUMERO, chosen('38')],
    ['gg', TAMANHO, chosen('GG')],
    ['grande', TAMANHO, chosen('G')],
    ['P', TAMANHO, chosen('P')],
    ['tamanho médio', TAMANHO, chosen('M')],
    ['500', VOLUME, chosen('500 ml')],
    ['de 1 litro', VOLUME, chosen('1 litro')],
    ['granola e leite ninho', EXTRAS, chosen('Granola', 'Leite Ninho')],
    ['2 e 3', EXTRAS, chosen('Leite em pó', 'Leite Ninho')],
    ['granola e leite', EXTRAS, { tipo: 'naoEntendi', opcoes: ['Granola'], trechos: ['leite'] }],
    ['nutella', EXTRAS, { tipo: 'indisponivel', opcoes: [], opcaoId: 'Nutella' }],
    ['nenhum', EXTRAS, chosen()],
    ['com gelo', GELO, chosen('Com gelo')],
    ['sem gelo', GELO, chosen('Sem gelo')],
  ])('reads %j of %o', (text, grupo, answer) => {
    expect(parseOpcoes(text, grupo)).toEqual(answer)
  })
})
