import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig } from '#test/dashboard/panel.tsx'
import {
  openAvisosCenter,
  openLojaTab,
  avisos,
  button,
  CATALOGUE,
  UNDO_KEYS,
  switchOf,
  type LojaTestApp,
  cardNames,
  makeProduto,
} from './tab.ts'

let loja: LojaTestApp | null = null
function abrir(...como: Parameters<typeof openLojaTab>): LojaTestApp {
  loja = openLojaTab(...como)
  return loja
}

afterEach(() => {
  loja?.unmount()
  fakeSocket.restore()
})

const EM_PE = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="900"/>')}`

const numero = (label: string) => page.getByText(label, { exact: true }).element().parentElement?.textContent ?? ''

describe('Catalogue', () => {
  it('shows its numbers and cards in every theme and width', async () => {
    abrir()
    await expect.poll(cardNames).toEqual(CATALOGUE.map(({ nome }) => nome))
    expect(numero('Total de produtos')).toContain('4')
    expect(numero('Produtos ativos')).toBe('Produtos ativos31 inativo')
    expect(numero('Preço médio')).toContain('R$ 44,35')
    await expect.poll(() => numero('Status da loja')).toBe('Status da lojaAtivaOpção 3 do menu')
    await expect.element(page.getByText('Posição 4')).toBeVisible()
    await expect.element(page.getByText('R$ 119,90')).toBeVisible()
    await expectAccessible()
  })

  it('gives every picture the same frame and fits the narrowest phone', async () => {
    await page.viewport(320, 568)
    abrir(
      Array.from({ length: 12 }, (_, ordem) =>
        makeProduto({ id: `m${ordem}`, ordem, imagemUrl: EM_PE, preco: 1234.56 }),
      ),
    )
    const foto = () => document.querySelector('li img')
    await expect.poll(() => foto()?.getBoundingClientRect().width).toBeGreaterThan(0)
    for (const largura of [320, 1366]) {
      await page.viewport(largura, 800)
      const { width = 0, height = 1 } = foto()?.parentElement?.getBoundingClientRect() ?? {}
      expect(width / height).toBeCloseTo(1.6, 1)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(largura)
      const preco = page.getByText('Preço médio', { exact: true }).element().parentElement
      expect(preco?.scrollWidth).toBe(preco?.clientWidth)
      // A common price stays on one line.
      expect(preco?.querySelector('p')?.clientHeight).toBeLessThan(40)
    }
  })

  it('shows why the loja is inactive while no customer can see a produto', async () => {
    const config = makeConfig()
    const semLoja = config.menu.opcoes.filter(({ tipo }) => tipo !== 'loja')
    abrir(undefined, { config: { ...config, menu: { ...config.menu, opcoes: semLoja } } })
    await expect.poll(() => numero('Status da loja')).toContain('InativaNenhuma opção do menu leva à loja.')
    for (const { nome } of CATALOGUE.slice(0, 3)) await switchOf(nome).click()
    await expect.poll(() => numero('Status da loja')).toContain('InativaNenhum produto está ativo')
  })

  it('shows loading, then the failure, and retries', async () => {
    const { api, loja: server } = abrir()
    let reply: (() => void) | undefined
    const held = new Promise<void>((resolve) => (reply = resolve))
    api.on('GET /produtos', async () => {
      await held
      return refusal(403, 'semPermissao', 'Você não pode ver a loja.')
    })
    await expect.element(page.getByRole('status', { name: 'Carregando os produtos' })).toBeVisible()
    reply?.()
    await expect.element(page.getByText('Erro ao carregar produtos: Você não pode ver a loja.')).toBeVisible()
    await expectAccessible()
    api.on('GET /produtos', () => ok({ produtos: server.produtos }))
    await button('Tentar de novo').click()
    await expect.poll(() => cardNames().length).toBe(4)
  })

  it('locks the tab without permission', async () => {
    abrir(undefined, {
      usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, lojaWhatsapp: false } }),
    })
    await expect.element(page.getByRole('heading', { name: 'Acesso Restrito' })).toBeVisible()
    await expect.element(page.getByText('Total de produtos')).not.toBeInTheDocument()
  })

  it('filters by words and state and reports an empty result', async () => {
    abrir()
    await page.getByRole('searchbox', { name: 'Buscar produtos' }).fill('cafe manha')
    await expect.poll(cardNames).toEqual(['Cesta de café da manhã'])
    await button(/^Ativos/).click()
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await expectAccessible()
    await button('Limpar').click()
    await expect.poll(() => cardNames().length).toBe(4)
    await button(/^Inativos/).click()
    await expect.poll(cardNames).toEqual(['Cesta de café da manhã'])
  })
})

describe('Produto card', () => {
  it('switches immediately and undoes', async () => {
    const { loja: server, forms } = abrir()
    await switchOf('Bolo de fubá cremoso').click()
    await expect.element(switchOf('Bolo de fubá cremoso')).not.toBeChecked()
    expect(numero('Produtos ativos')).toContain('2 inativos')
    const stored = (await openAvisosCenter()).getByRole('listitem')
    const last = () => stored.first().query()?.textContent ?? ''
    await expect.poll(last).toContain('Produto desativado com sucesso!Desfazer')
    await userEvent.keyboard(`{Escape}${UNDO_KEYS}`)
    await expect.element(switchOf('Bolo de fubá cremoso')).toBeChecked()
    await expect.poll(() => forms).toEqual([{ ativo: 'false' }, { ativo: 'true' }])
    expect(server.produtos[1]?.ativo).toBe(true)
    await openAvisosCenter()
    await expect.poll(last).toContain('Produto ativado com sucesso!Desfazer')
    expect(stored.nth(1).element().textContent).toMatch(/Produto desativado com sucesso!\d/)
  })

  it('reverts a switch that failed and says why', async () => {
    const { api } = abrir()
    let reply: (() => void) | undefined
    const held = new Promise<void>((resolve) => (reply = resolve))
    api.on('PUT /produtos/p2', async () => {
      await held
      return refusal(409, 'conflito', 'Este produto está sendo mudado.')
    })
    await switchOf('Bolo de fubá cremoso').click()
    await expect.element(switchOf('Bolo de fubá cremoso')).not.toBeChecked()
    reply?.()
    await expect.element(switchOf('Bolo de fubá cremoso')).toBeChecked()
    await expect.element(avisos.getByText('Este produto está sendo mudado.')).toBeVisible()
  })

  it('deletes after a question with the focus on the safe answer', async () => {
    const { loja: server } = abrir()
    const ask = async (): Promise<void> => {
      await button('Mais ações de Bolo de fubá cremoso').click()
      await page.getByRole('menuitem', { name: 'Excluir' }).click()
      await expect.element(page.getByRole('alertdialog', { name: 'Excluir Bolo de fubá cremoso?' })).toBeVisible()
      await expect.element(button('Voltar')).toHaveFocus()
    }
    await ask()
    await expectAccessible()
    await userEvent.keyboard('{Enter}')
    expect(server.produtos).toHaveLength(4)
    await expect.element(button('Mais ações de Bolo de fubá cremoso')).toHaveFocus()
    await ask()
    await button('Excluir produto').click()
    await expect.element(avisos.getByText('Produto deletado com sucesso!')).toBeVisible()
    await expect.poll(cardNames).toEqual(['Pão de queijo (dúzia)', 'Café coado 300 ml', 'Cesta de café da manhã'])
    await expect.element(page.getByText('Posição 3')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Produtos', exact: true })).toHaveFocus()
  })

  it('shows the customer’s view: the page of the list, then the produto', async () => {
    const muitos = Array.from({ length: 11 }, (_, ordem) => ({
      ...makeProduto(),
      id: `m${ordem}`,
      nome: `Produto ${ordem + 1}`,
      descricao: 'Feito *hoje*.',
      preco: 1234.5,
      linkCheckout: 'https://loja.exemplo/10',
      ordem,
      ativo: ordem !== 1,
      imagemUrl: null,
    }))
    abrir(muitos)
    await button('Mais ações de Produto 10').click()
    await page.getByRole('menuitem', { name: 'Como aparece' }).click()
    const conversa = page.getByRole('log', { name: 'Mensagens' })
    // The inactive produto is not counted; the ninth is on the second page.
    await expect.element(conversa.getByText('9 - Produto 10 · R$ 1.234,50')).toHaveAttribute('data-destacada', 'true')
    await expect.element(conversa.getByText('🛒 Comprar: https://loja.exemplo/10')).toBeVisible()
    expect(conversa.element().textContent).not.toContain('Produto 1 ·')
    await expect.element(conversa.getByText('hoje')).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(button('Mais ações de Produto 10')).toHaveFocus()
  })
})
