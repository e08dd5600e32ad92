import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Produto } from '@balcao/contract/entities/produto'
import { expectAccessible } from '#test/axe.ts'
import { avisos, button, dialog, field, type LojaTestApp, makeProduto, openLojaTab } from './tab.ts'

let app: LojaTestApp | null = null
afterEach(() => app?.unmount())

const PIZZA: Produto = makeProduto({
  ...{ id: 'p1', nome: 'Pizza', categoria: 'Pizzas', estoque: 3, sinonimos: ['redonda'] },
  grupos: [
    {
      ...{ id: 'g1', nome: 'Borda', minimo: 0, maximo: 1, preco: 'soma' },
      opcoes: [
        { id: 'o1', nome: 'Catupiry', acrescimoCentavos: 900, ativa: true },
        { id: 'o2', nome: 'Cheddar', acrescimoCentavos: 0, ativa: true },
      ],
    },
  ],
})

const openPart = () => page.getByText('Estoque, categoria e opções').click()
const card = (nome: string) => page.getByRole('listitem').filter({ hasText: nome })
const fieldsOf = (form: Record<string, string> | undefined) => ({
  ...form,
  ...(form?.grupos === undefined ? {} : { grupos: JSON.parse(form.grupos) }),
})

describe('Options of a produto', () => {
  it('creates a half-and-half with two flavours, stock and other names', async () => {
    app = openLojaTab([PIZZA])
    await button('Novo produto').click()
    await field('Nome').fill('Pizza broto')
    await field('Descrição').fill('Quatro fatias.')
    await field('Preço').fill('32')
    await openPart()
    await field('Estoque').fill('12')
    await field('Categoria').fill('Pizzas')
    expect(document.querySelector('datalist option')?.textContent).toBe('Pizzas')
    await field('Outros nomes').fill('brotinho,  pizza pequena ,')
    await button('Meio a meio').click()
    await expect.element(field('Nome do grupo 1')).toHaveValue('Sabores')
    await field('Nome da opção 1').fill('Muçarela')
    await field('Nome da opção 2').fill('Portuguesa')
    await field('Acréscimo da opção 2').fill('6')
    await button('Adicionar opção').click()
    await field('Nome da opção 3').fill('Calabresa')
    await button('Subir opção Calabresa').click()
    await page.getByRole('checkbox', { name: 'Disponível: opção Portuguesa' }).click()
    await expectAccessible()
    await button('Criar produto').click()
    await expect.element(avisos.getByText('Produto criado com sucesso!')).toBeVisible()
    const opcao = (nome: string, acrescimoCentavos = 0, ativa = true) =>
      expect.objectContaining({ nome, acrescimoCentavos, ativa })
    expect(fieldsOf(app.forms[0])).toMatchObject({
      ...{ estoque: '12', categoria: 'Pizzas', sinonimos: '["brotinho","pizza pequena"]' },
      grupos: [
        {
          ...{ nome: 'Sabores', minimo: 1, maximo: 2, preco: 'maior' },
          opcoes: [opcao('Muçarela'), opcao('Calabresa'), opcao('Portuguesa', 600, false)],
        },
      ],
    })
  })

  it('refuses a minimum above the options and focuses the field', async () => {
    app = openLojaTab([PIZZA])
    await button('Editar Pizza').click()
    await expect.element(field('Estoque')).toHaveValue('3')
    await field('No mínimo').fill('3')
    await field('No máximo').fill('3')
    await field('Nome da opção 2').fill('')
    await button('Salvar').click()
    await expect.element(field('No mínimo')).toHaveFocus()
    await expect.element(field('No mínimo')).toHaveAccessibleDescription(/^Há menos opções ativas do que o mínimo/)
    await expect.element(field('Nome da opção 2')).toHaveAccessibleDescription('Dê um nome à opção')
    await expectAccessible()
    expect(app.forms).toEqual([])
    await field('No mínimo').fill('1')
    await button('Salvar').click()
    await expect.element(field('Nome da opção 2')).toHaveFocus()
    await field('Nome da opção 2').fill('Chocolate')
    await page.getByLabelText('Se escolher mais de uma').selectOptions('Cobra a média')
    await button('Salvar').click()
    await expect.element(dialog).not.toBeInTheDocument()
    // Only the changed field is sent, and the ids stay.
    expect(Object.keys(app.forms[0] ?? {})).toEqual(['grupos'])
    expect(fieldsOf(app.forms[0])).toMatchObject({
      grupos: [
        { id: 'g1', minimo: 1, maximo: 3, preco: 'media', opcoes: [{ id: 'o1' }, { id: 'o2', nome: 'Chocolate' }] },
      ],
    })
  })

  it('adds, moves and removes groups and fits a phone', async () => {
    await page.viewport(320, 640)
    app = openLojaTab([PIZZA])
    await button('Editar Pizza').click()
    await button('Adicionar grupo').click()
    await field('Nome do grupo 2').fill('Tamanho')
    await button('Subir grupo Tamanho').click()
    await expect.element(field('Nome do grupo 1')).toHaveValue('Tamanho')
    await button('Remover grupo Borda').click()
    await expect.element(field('Nome do grupo 2')).not.toBeInTheDocument()
    expect(dialog.element().scrollWidth).toBeLessThanOrEqual(dialog.element().clientWidth)
    await button('Remover opção 2').click()
    await button('Remover opção 1').click()
    await button('Salvar').click()
    await expect.element(page.getByText('Um grupo precisa de opções')).toBeVisible()
    await expectAccessible()
  })
})

describe('Sale of a produto', () => {
  it('shows what is sold out or paused, and pauses until tomorrow with undo', async () => {
    app = openLojaTab([
      PIZZA,
      makeProduto({ id: 'p2', nome: 'Torta', ordem: 1, estoque: 0 }),
      makeProduto({ id: 'p3', nome: 'Café', ordem: 2, pausadoAte: '2020-01-01T00:00:00.000Z' }),
    ])
    await expect.element(card('Pizza').getByText('3 em estoque')).toBeVisible()
    await expect.element(card('Torta').getByText('Esgotado')).toBeVisible()
    await expect.element(card('Café').getByText('Pausado')).not.toBeInTheDocument()
    await button('Mais ações de Café').click()
    await page.getByRole('menuitem', { name: 'Pausar até amanhã' }).click()
    await expect.element(card('Café').getByText('Pausado')).toBeVisible()
    expect(Date.parse(app.forms[0]?.pausadoAte ?? '')).toBeGreaterThan(Date.now())
    await avisos.getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(card('Café').getByText('Pausado')).not.toBeInTheDocument()
  })

  it('pauses in the form and sells again', async () => {
    app = openLojaTab([PIZZA])
    await button('Editar Pizza').click()
    await button('Pausar até amanhã').click()
    await expect.element(page.getByText(/^Pausado até .* Depois volta a vender\.$/)).toBeVisible()
    await button('Salvar').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(Object.keys(app.forms[0] ?? {})).toEqual(['pausadoAte'])
  })
})
