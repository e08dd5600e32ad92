import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import type { WhatsappSettings } from '@balcao/contract/entities/whatsapp'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { type AdminTestApp, openAdmin } from './server.ts'

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

const typed = page.getByLabelText('Nova versão')
const save = page.getByRole('button', { name: 'Testar e usar' })

async function openCard(initial: WhatsappSettings): Promise<AdminTestApp> {
  open = openAdmin('/admin?aba=sistema')
  open.api.on('GET /admin/whatsapp', () => ok(initial))
  await page.getByRole('heading', { name: 'Versão do WhatsApp' }).click()
  return open
}

describe('Admin: Versão do WhatsApp', () => {
  it('saves three numbers, or none, and refuses anything else', async () => {
    const sent: unknown[] = []
    const screen = await openCard({ versao: null })
    screen.api.on('PUT /admin/whatsapp', ({ body }) => {
      sent.push(body)
      return ok({ versao: '2.3000.77' })
    })
    await expect.element(page.getByText('Em uso: a do próprio sistema')).toBeVisible()
    await expectAccessible()
    await expect.element(save).toBeDisabled()
    await typed.fill('2.3000')
    await expect.element(page.getByText(/Use três números separados por pontos/)).toBeVisible()
    await expect.element(save).toBeDisabled()
    await typed.fill(' 2.3000.77 ')
    await save.click()
    await expect.element(page.getByText(/Versão aceita/).first()).toBeVisible()
    expect(sent).toEqual([{ versao: '2.3000.77' }])
  })

  it('shows why the last version was refused', async () => {
    const recusada = { versao: '2.1.1', motivo: 'O WhatsApp não aceita esta versão.', em: '2026-03-10T14:00:00.000Z' }
    const screen = await openCard({ versao: '2.3000.5', recusada })
    screen.api.on('PUT /admin/whatsapp', () => refusal(409, 'versaoRecusada', 'A sessão de teste não conectou.'))
    await expect.element(page.getByText(/Recusada em .*2\.1\.1\. O WhatsApp não aceita esta versão\./)).toBeVisible()
    await expect.element(typed).toHaveValue('2.3000.5')
    await typed.fill('')
    await save.click()
    await expect.element(page.getByText(/A sessão de teste não conectou/).first()).toBeVisible()
  })
})
