import type { Oficial } from '@balcao/contract/entities/oficial'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { openPanel, type PanelTestApp, makeConfig } from '#test/dashboard/panel.tsx'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const webhook = { url: 'https://painel.test/api/webhooks/oficial/abc', verificacao: 'palavra-secreta' }
const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)
const telefoneId = page.getByLabelText('Identificação do número de telefone')
const token = page.getByLabelText('Token de acesso')
const save = page.getByRole('button', { name: 'Salvar API oficial' })

describe('Official API card', () => {
  it('shows with its connector, stores Meta’s ids and keys and shows the webhook', async () => {
    const sent: unknown[] = []
    let stored: Oficial = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }
    const config = makeConfig('padaria')
    painel = openPanel('/dashboard?aba=geral', {
      config: { ...config, whatsapp: { ...config.whatsapp, conector: 'simulador' } },
    })
    painel.api.on('GET /whatsapp-oficial', () => refusal(403, 'semPermissao', 'Erro ao carregar a API oficial'))
    await expect.element(page.getByLabelText('Conector')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'API oficial do WhatsApp' })).not.toBeInTheDocument()
    await page.getByLabelText('Conector').selectOptions('WhatsApp Business (API oficial)')

    await expect.element(page.getByText('Erro ao carregar a API oficial')).toBeVisible()
    painel.api.on('GET /whatsapp-oficial', () => ok({ oficial: stored }))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(telefoneId).toBeVisible()
    await expect.element(save).toBeDisabled()
    await expect.element(page.getByLabelText('URL de retorno de chamada')).not.toBeInTheDocument()

    await telefoneId.fill('106 540')
    await save.click()
    await expect.element(page.getByText('Use só os números da identificação que a Meta mostra')).toBeVisible()

    painel.api.on('PUT /whatsapp-oficial', ({ body }) => {
      sent.push(body)
      stored = { telefoneId: '106540', contaWhatsappId: '102290', token: '••••••••1234', segredo: '', webhook }
      return ok({ oficial: stored })
    })
    await telefoneId.fill('106540')
    await page.getByLabelText('Identificação da conta do WhatsApp Business').fill('102290')
    await token.fill('EAAG-token-1234')
    await save.click()
    await expect.element(aviso('API oficial salva! Inicie o bot para usar.')).toBeVisible()
    expect(sent).toEqual([{ telefoneId: '106540', contaWhatsappId: '102290', token: 'EAAG-token-1234', segredo: '' }])
    await expect.element(token).toHaveValue('••••••••1234')
    await expect.element(page.getByLabelText('URL de retorno de chamada')).toHaveValue(webhook.url)
    await expect.element(page.getByLabelText('Token de verificação')).toHaveValue(webhook.verificacao)
    await expectAccessible()

    await token.fill('••••••••12345')
    await save.click()
    await expect.element(page.getByText('Apague o campo e digite a chave inteira')).toBeVisible()
    expect(sent).toHaveLength(1)
  })
})
