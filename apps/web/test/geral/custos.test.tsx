import type { CustosOficiais } from '@balcao/contract/entities/custos'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { makeBotStatus, makeLinha, openPanel, type PanelTestApp } from '#test/dashboard/panel.tsx'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const COSTS: CustosOficiais = {
  ...{ mensagens: { cobradas: 1_200, gratuitas: 1_000, anuncio: 30 }, valorCentavos: 4_140, moeda: 'BRL' },
  ...{ estimativa: true, previsaoCentavos: 12_420 },
  porDia: [
    { dia: '2026-11-09', mensagens: 1_230, valorCentavos: 2_070 },
    { dia: '2026-11-10', mensagens: 1_000, valorCentavos: 2_070 },
  ],
  porOrigem: [
    { origem: 'bot', mensagens: 2_000, valorCentavos: 3_450 },
    { origem: 'operador', mensagens: 230, valorCentavos: 690 },
  ],
}
const OFFICIAL = makeLinha({ id: 'l1', principal: true, conector: 'oficial' })
const DELIVERY = makeLinha({ id: 'l2', nome: 'Entrega', conector: 'oficial' })
const heading = page.getByRole('heading', { name: 'Custos do mês' })
const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })

describe('Costs of the month', () => {
  it('shows sums, forecast, senders and days as an estimate, also of one line', async () => {
    const asked: string[] = []
    painel = openPanel('/dashboard?aba=geral', { linhas: [OFFICIAL, DELIVERY] })
    painel.api.on('GET /oficial/custos', ({ url }) => {
      asked.push(url.searchParams.get('linha') ?? 'todas')
      return ok(COSTS)
    })
    await heading.click()
    await expect.element(page.getByText(/É uma estimativa/)).toBeVisible()
    await expect.element(page.getByText(/^R\$\s41,40$/)).toBeVisible()
    await expect.element(page.getByText(/^R\$\s124,20$/)).toBeVisible()
    await expect.element(page.getByText('30 vindas de anúncio')).toBeVisible()
    await expect.element(row('Pessoas').getByText(/^R\$\s6,90$/)).toBeVisible()
    await expect.element(row('09/11').getByText('1.230')).toBeVisible()
    await expectAccessible()
    await page.getByLabelText('Linha', { exact: true }).selectOptions('Entrega')
    await expect.poll(() => asked).toEqual(['todas', 'l2'])
  })

  it('says that charged messages have no price, and nothing of a month without messages', async () => {
    painel = openPanel('/dashboard?aba=geral', { linhas: [OFFICIAL] })
    painel.api.on('GET /oficial/custos', () => ok({ ...COSTS, valorCentavos: 0, previsaoCentavos: 0 }))
    await heading.click()
    await expect.element(page.getByText(/O administrador ainda não informou as tarifas/)).toBeVisible()
    const mensagens = { cobradas: 0, gratuitas: 0, anuncio: 0 }
    painel.api.on('GET /oficial/custos', () => ok({ ...COSTS, mensagens, porDia: [], porOrigem: [] }))
    const months = page.getByLabelText('Mês').element()
    const before = months instanceof HTMLSelectElement ? months.options[1]?.value : undefined
    await page.getByLabelText('Mês').selectOptions(before ?? '')
    await expect.element(page.getByText('Nenhuma mensagem neste mês.')).toBeVisible()
  })

  it('is hidden without an official line', async () => {
    painel = openPanel('/dashboard?aba=geral', { linhas: [makeLinha({ principal: true })] })
    await expect.element(page.getByRole('heading', { name: 'Histórico da configuração' })).toBeVisible()
    await expect.element(heading).not.toBeInTheDocument()
  })
})

describe('Notice of a refused payment', () => {
  const notice = page.getByRole('alert').filter({ hasText: 'A Meta recusa mensagens por falta de pagamento' })

  it('is on every tab while the main line is refused', async () => {
    const connected = { status: 'CONECTADO', isRunning: true, inicializado: true, conector: 'oficial' } as const
    painel = openPanel('/dashboard?aba=geral', {
      linhas: [OFFICIAL],
      bot: makeBotStatus({ ...connected, motivo: 'semPagamentoMeta' }),
    })
    await expect.element(notice).toBeVisible()
    await expectAccessible()
    await page.getByRole('link', { name: /^Loja/ }).first().click()
    await expect.element(notice).toBeVisible()
    fakeSocket.emit('botStatus', { userId: 'conta-1', ...makeBotStatus(connected) })
    await expect.element(notice).not.toBeInTheDocument()
  })

  it('names the other line that is refused', async () => {
    const unpaid = { ...DELIVERY, motivo: 'semPagamentoMeta' } as const
    painel = openPanel('/dashboard?aba=logs', { linhas: [OFFICIAL, unpaid] })
    await expect.element(notice.getByText('A Meta recusa mensagens por falta de pagamento: Entrega')).toBeVisible()
    await expect.element(notice.getByText(/^Nesta linha, o bot e a IA não respondem/)).toBeVisible()
    await expect.poll(() => fakeSocket.connectionCount()).toBe(1)
    fakeSocket.emit('linhaMudou', { userId: 'conta-1', linha: DELIVERY })
    await expect.element(notice).not.toBeInTheDocument()
  })
})
