import { collectDownloads } from '#test/downloads.ts'
import '../dashboard/fake-socket.ts'
import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import type { PanelTestApp } from '#test/dashboard/panel.tsx'
import { openEquipePanel, aviso, button } from './equipe-panel.ts'
import { makeEmptyRelatorio, makeRelatorio } from './samples.ts'

let painel: PanelTestApp | null = null
let periodos: string[] = []
/** The panel may ask again for the same period, because events before its first connection are lost. */
const distinct = (): string[] => [...new Set(periodos)]
function abrir(run: (de: string, until: string) => Relatorio = makeRelatorio): PanelTestApp {
  periodos = []
  painel = openEquipePanel('relatorio')
  painel.api.on('GET /atendimento/relatorio', ({ url }) => {
    const [de, until] = [url.searchParams.get('de') ?? '', url.searchParams.get('ate') ?? '']
    periodos.push(`${de} ${until}`)
    return ok(run(de, until))
  })
  return painel
}

afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
})

const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo', dateStyle: 'short' }).format(new Date())
const before = (days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
const table = (nome: string) => page.getByRole('region', { name: nome })

describe('Relatório', () => {
  it('shows the last 30 days by default, in words and numbers', async () => {
    abrir()
    await expect.element(page.getByRole('radio', { name: '30 dias' })).toBeChecked()
    await expect.element(page.getByText('1 min 30 s').first()).toBeVisible()
    await expect.element(page.getByText(/^metade esperou menos; 9 de 10, até 10 min/)).toBeVisible()
    await expect.element(page.getByText('antes: 2 min 30 s')).toBeVisible()
    await expect
      .element(page.getByRole('listitem').filter({ hasText: 'Sem resposta' }))
      .toMatchTextContent(/Sem resposta7/)
    await expect.element(page.getByText('1 h 05 min').first()).toBeVisible()
    await expect.element(page.getByRole('img', { name: /^Conversas por dia: .* O dia mais cheio: / })).toBeVisible()
    expect(distinct()).toEqual([`${before(29)} ${today}`])
    await expectAccessible()
  })

  it('uses the current day for Hoje when the page stays open overnight', async () => {
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T15:00:00.000Z') })
    abrir()
    await expect.poll(distinct).toEqual(['2026-10-22 2026-11-20'])
    vi.setSystemTime(Date.parse('2026-11-21T15:00:00.000Z'))
    await page.getByText('Hoje', { exact: true }).click()
    await expect.poll(() => periodos.at(-1)).toBe('2026-11-21 2026-11-21')
  })

  it('answers how long customers waited yesterday in one press', async () => {
    abrir()
    await page.getByText('Ontem', { exact: true }).click()
    await expect.poll(() => periodos.at(-1)).toBe(`${before(1)} ${before(1)}`)
  })

  it('shows the chart also as a table', async () => {
    abrir()
    await page.getByText('Ver os números de cada dia').click()
    await expect.poll(() => table('Números por dia').getByRole('row').elements()).toHaveLength(31)
    await expect.element(table('Números por dia').getByText('sem dados').first()).toBeInTheDocument()
    await expectAccessible()
  })

  it('draws when customers come and how long they wait', async () => {
    abrir()
    const name = /Conversas por dia da semana e hora. Hora mais cheia: segunda-feira, das 10h às 11h: 40 conversas/
    await expect.element(page.getByRole('img', { name })).toBeVisible()
    await expect.element(page.getByText('31 a 40', { exact: true })).toBeVisible()
    await expect.element(page.getByText('De 5 min a 15 min')).toBeVisible()
    await expect.element(page.getByText('Mais de 1 hora')).toBeVisible()
    const automatic = '12 conversas terminaram por silêncio do cliente e 1 mensagem agendada saiu.'
    await expect.element(page.getByText(automatic)).toBeVisible()
    await page.getByText('Ver os números de cada hora').click()
    await expect.poll(() => table('Números por hora').getByRole('row').elements()).toHaveLength(6)
    await expectAccessible()
  })

  it('compares setores and people', async () => {
    abrir()
    await expect.element(table('Números por setor').getByRole('row', { name: /Vendas/ })).toMatchTextContent(/402/)
    const bruno = table('Números por pessoa').getByRole('row', { name: /Bruno Lima/ })
    await expect.element(bruno).toMatchTextContent(/380.*1 min 30 s.*1 h 05 min.*4,3/)
  })

  it.each([
    ['Hoje', 0],
    ['7 dias', 6],
  ])('shows %s', async (nome, days) => {
    abrir()
    await page.getByText(nome, { exact: true }).click()
    await expect.poll(() => periodos.at(-1)).toBe(`${before(days)} ${today}`)
    await expect.element(page.getByRole('radio', { name: nome })).toBeChecked()
  })

  it('shows chosen dates and reports invalid ones', async () => {
    abrir()
    await page.getByText('Escolher datas').click()
    await page.getByLabelText('De', { exact: true }).fill('2026-03-10')
    await page.getByLabelText('Até').fill('2026-03-01')
    await button('Ver período').click()
    await expect.element(page.getByLabelText('Até')).toHaveAccessibleDescription(/igual à inicial ou depois dela/)
    await expect.element(page.getByLabelText('Até')).toHaveFocus()
    await expectAccessible()
    await page.getByLabelText('Até').fill('2026-03-20')
    await button('Ver período').click()
    await expect.element(page.getByText('10/03/2026 a 20/03/2026')).toBeVisible()
    expect(periodos.at(-1)).toBe('2026-03-10 2026-03-20')
  })

  it('reports an empty period and offers the last 30 days', async () => {
    abrir((de, until) => (de === until ? makeEmptyRelatorio(de, until) : makeRelatorio(de, until)))
    await page.getByText('Hoje', { exact: true }).click()
    await expect.element(page.getByText('Nenhuma conversa neste período')).toBeVisible()
    await expectAccessible()
    await button('Ver os últimos 30 dias').click()
    await expect.element(table('Números por setor')).toBeVisible()
  })

  it('keeps the old numbers when the next period fails', async () => {
    const { api } = abrir()
    await expect.element(table('Números por setor')).toBeVisible()
    api.on('GET /atendimento/relatorio', () => refusal(400, 'dadosInvalidos', 'Erro ao carregar relatório'))
    await page.getByText('7 dias', { exact: true }).click()
    await expect.element(page.getByText('Erro ao carregar relatório')).toBeVisible()
    await page.getByText('30 dias', { exact: true }).click()
    await expect.element(table('Números por setor')).toBeVisible()
  })
})

describe('Relatório export', () => {
  it('exports the days on screen, names the file by them and disarms formulas', async () => {
    abrir()
    const arquivos = collectDownloads()
    await button('Baixar planilha').click()
    await expect.element(aviso('Relatório baixado.')).toBeVisible()
    expect(arquivos.map(({ nome }) => nome)).toEqual([`balcao-relatorio-${before(29)}-a-${today}.csv`])
    const content = (await arquivos[0]?.conteudo) ?? ''
    expect(content).toContain('"Setor";"Vendas";"402";')
    expect(content).toContain(`"Pessoa";"'=HYPERLINK(`)
    expect(content.split('\r\n')).toHaveLength(1 + 1 + 30 + 5 + 3 + 2 + 1)
  })

  it('shows what the shop sold, and no section for shops without orders', async () => {
    await page.viewport(320, 700)
    const vendas = {
      total: { pedidos: 3, receitaCentavos: 9_000, entregaCentavos: 700, descontoCentavos: 200 },
      anterior: { pedidos: 1, receitaCentavos: 2_000 },
      dias: [{ dia: before(0), pedidos: 3, receitaCentavos: 9_000 }],
      produtos: [{ produtoId: 'p1', nome: 'Torta de limão', quantidade: 4, receitaCentavos: 8_500 }],
    }
    abrir((de, ate) => ({ ...makeEmptyRelatorio(de, ate), vendas }))
    const sales = page.getByRole('region', { name: 'Vendas', exact: true })
    for (const text of ['R$ 90,00', 'antes: R$ 20,00 em 1 pedido', 'R$ 30,00', 'em taxas; R$ 2,00 em descontos'])
      await expect.element(sales.getByText(text).first()).toBeVisible()
    await expect.element(table('Vendas por produto').getByText('Torta de limão')).toBeVisible()
    await expect.element(table('Vendas por dia').getByText('R$ 90,00')).toBeVisible()
    await expectAccessible()
    painel?.unmount()
    abrir()
    await expect.element(page.getByText('1 min 30 s').first()).toBeVisible()
    await expect.element(sales).not.toBeInTheDocument()
  })
})
