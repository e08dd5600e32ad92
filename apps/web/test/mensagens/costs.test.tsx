import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig, makeLinha, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { openMensagensTab } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const OFFICIAL = makeLinha({ id: 'l1', principal: true, conector: 'oficial' })
const summary = page.getByText('Quanto custa cada caminho')
const path = (numero: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`^Opção ${numero} · `) })

const textOf = (numero: string): string => path(numero).elements()[0]?.textContent ?? ''

function twoOptions() {
  const config = makeConfig()
  const opcoes = [
    { numero: '7', titulo: 'Preços', tipo: 'mensagem' as const, resposta: 'Tudo a R$ 5.' },
    { numero: '8', titulo: 'Pessoa', tipo: 'humano' as const, resposta: '' },
  ]
  return { ...config, menu: { ...config.menu, opcoes } }
}

describe('Costs of each path', () => {
  it('shows name, messages and reais of each option on the official line', async () => {
    painel = openMensagensTab({ linhas: [OFFICIAL], config: twoOptions() })
    painel.api.on('GET /oficial/preco', () => ok({ milionesimos: 34_500, moeda: 'BRL' }))
    await expect.element(summary).toBeVisible()
    await expect.poll(() => textOf('7')).toMatch(/^Opção 7 · Preços2 mensagens · R\$\s0,07$/)
    await expect.poll(() => textOf('8')).toMatch(/^Opção 8 · Pessoa4 mensagens · R\$\s0,14$/)
    await expect.element(page.getByText(/depois das mensagens grátis do mês/)).toBeVisible()
    await expectAccessible()
  })

  it('shows messages alone without a price', async () => {
    painel = openMensagensTab({ linhas: [OFFICIAL], config: twoOptions() })
    painel.api.on('GET /oficial/preco', () => refusal(500, 'interno', 'Erro ao carregar o preço'))
    await expect.poll(() => textOf('7')).toMatch(/^Opção 7 · Preços2 mensagens$/)
  })

  it('counts separate messages on a line without charges, when it is opened', async () => {
    painel = openMensagensTab({ config: twoOptions() })
    await page.getByText('Quantas mensagens tem cada caminho').click()
    await expect.poll(() => textOf('7')).toMatch(/^Opção 7 · Preços3 mensagens$/)
    expect(painel.api.calls.map(({ route }) => route)).not.toContain('GET /oficial/preco')
  })
})
