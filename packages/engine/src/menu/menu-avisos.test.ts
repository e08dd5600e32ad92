import { defaultMenu } from '@balcao/contract/defaults'
import type { OpcaoMenu } from '@balcao/contract/entities/config'
import { MODELOS_MENU } from '@balcao/contract/presets/menu-templates'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMenuAvisos, removeMenuLine, removeTypedOpcoes, retitleMenuLine } from './menu-avisos.ts'
import { renderMenu } from '#rules/opcoes.ts'

const opcao = (numero: string, titulo: string, more: Partial<OpcaoMenu> = {}): OpcaoMenu => ({
  ...{ numero, titulo, tipo: 'mensagem', resposta: 'Pronto.' },
  ...more,
})
const OPCOES = [opcao('1', 'Ver produtos'), opcao('3', 'Encomendas 🎂')]
const avisos = (menuPrincipal: string, opcoes = OPCOES) => findMenuAvisos({ menuPrincipal, opcoes }, [])
const codes = (menuPrincipal: string) => avisos(menuPrincipal).map(({ codigo, linha }) => [codigo, linha])

describe('findMenuAvisos', () => {
  it('finds nothing in the default menu and in the templates', () => {
    expect(findMenuAvisos(defaultMenu(), [])).toEqual([])
    for (const modelo of MODELOS_MENU) expect(findMenuAvisos(modelo, []), modelo.nome).toEqual([])
  })

  it('names a line whose option was removed and one whose option was renamed', () => {
    expect(avisos('Olá!\n1 - Ver produtos\n2 - Entregas\n3 - Financeiro')).toEqual([
      {
        caminho: 'menu.menuPrincipal',
        codigo: 'opcaoNoTextoNaoExiste',
        mensagem: 'O texto do menu oferece a opção 2 “Entregas”, que não existe.',
        linha: 2,
      },
      {
        caminho: 'menu.opcoes.1.titulo',
        codigo: 'opcaoRenomeada',
        mensagem: 'O texto do menu chama a opção 3 de “Financeiro”, mas o título dela é “Encomendas 🎂”.',
        linha: 3,
        opcao: 1,
      },
    ])
  })

  it.each([
    '2 - Entregas',
    '*2* - Entregas',
    '2️⃣ Entregas',
    '[2] Entregas',
    '👉 02) Entregas',
    '1 ver produtos\n2 Entregas',
  ])('reads %j as an option that does not exist', (text) => {
    expect(codes(text)).toEqual([['opcaoNoTextoNaoExiste', text.split('\n').length - 1]])
  })

  it.each([
    'Aberto das\n8h às 18h\n8:30 às 18:00\n8 - 18h',
    '24 horas por dia',
    '100% natural',
    '1 - VER PRODUTOS!\n*3* - encomendas',
    '1 - Ver produtos (bolos e pães)',
    '1️⃣\n3.',
  ])('finds nothing in %j', (text) => {
    expect(codes(text)).toEqual([])
  })

  it('names options without an answer and options of setores without people', () => {
    const opcoes = [
      opcao('1', 'Nada', { resposta: ' ' }),
      opcao('2', 'Vendas', { tipo: 'humano', resposta: '', setor: 'vendas' }),
      opcao('3', 'Geral', { tipo: 'humano', resposta: '', setor: 'geral' }),
      opcao('0', 'Sair', { tipo: 'finalizar', resposta: '' }),
    ]
    expect(findMenuAvisos({ menuPrincipal: 'Oi', opcoes }, [{ id: 'vendas', nome: 'Vendas' }])).toEqual([
      {
        caminho: 'menu.opcoes.0.resposta',
        codigo: 'opcaoSemSaida',
        mensagem: 'A opção 1 não tem resposta: o cliente só recebe o menu de novo.',
        opcao: 0,
      },
      {
        caminho: 'menu.opcoes.1.setor',
        codigo: 'setorSemPessoas',
        mensagem: 'A opção 2 leva ao setor Vendas, que ninguém da equipe atende.',
        opcao: 1,
      },
    ])
  })
})

describe('mends of the text', () => {
  it('keeps number, marks and separator of a line that gets the title', () => {
    expect(retitleMenuLine('Oi\n*3 - Financeiro*', 1, 'Encomendas')).toBe('Oi\n*3 - Encomendas*')
    expect(retitleMenuLine('3️⃣ Financeiro', 0, 'Encomendas')).toBe('3️⃣ Encomendas')
    expect(retitleMenuLine('*3* - Financeiro', 0, 'Encomendas')).toBe('*3* - Encomendas')
  })

  it('never empties the text', () => {
    expect(removeMenuLine('2 - Entregas', 0)).not.toBe('')
    expect(removeTypedOpcoes({ menuPrincipal: '1 - Ver produtos\n', opcoes: OPCOES })).not.toBe('')
  })

  const line = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('', '*', '👉 ', '['),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(' - ', ') ', '* ', '️⃣ ', ' '),
        fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('Ver produtos', 'Bolos')),
      )
      .map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  const menu = fc.record({
    menuPrincipal: fc.array(line, { maxLength: 8 }).map((lines) => ['Olá!', ...lines].join('\n')),
    opcoes: fc
      .uniqueArray(
        fc.record({ numero: fc.integer({ min: 0, max: 9 }), titulo: fc.string({ minLength: 1, maxLength: 12 }) }),
        { selector: ({ numero }) => numero, minLength: 1, maxLength: 6 },
      )
      .map((list) => list.map(({ numero, titulo }) => opcao(String(numero), titulo))),
  })

  it('ends with no finding, whatever the text, and offers every option', () => {
    fc.assert(
      fc.property(menu, ({ menuPrincipal, opcoes }) => {
        const text = removeTypedOpcoes({ menuPrincipal, opcoes })
        expect(avisos(text, opcoes)).toEqual([])
        const sent = renderMenu({ menu: { ...defaultMenu(), menuPrincipal: text, opcoes } })
        for (const { numero, titulo } of opcoes) expect(sent).toContain(`*${numero}* - ${titulo}`)
      }),
    )
  })

  it('mends each finding alone without making another', () => {
    fc.assert(
      fc.property(menu, ({ menuPrincipal, opcoes }) => {
        const before = avisos(menuPrincipal, opcoes)
        for (const { linha = 0, opcao: index } of before) {
          const text =
            index === undefined
              ? removeMenuLine(menuPrincipal, linha)
              : retitleMenuLine(menuPrincipal, linha, opcoes[index]?.titulo ?? '')
          expect(avisos(text, opcoes).length).toBeLessThan(before.length)
        }
      }),
    )
  })
})
