import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { type AdminTestApp, openAdmin } from './server.ts'

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

const typed = page.getByLabelText('Endereços permitidos')
const save = page.getByRole('button', { name: 'Salvar endereços' })

describe('Admin: Endereços da IA', () => {
  it('saves one name per line and refuses addresses', async () => {
    open = openAdmin('/admin?aba=configuracoes')
    const sent: unknown[] = []
    open.api.on('GET /admin/ia', () => ok({ hosts: ['ollama.interno'] }))
    open.api.on('PUT /admin/ia', ({ body }) => {
      sent.push(body)
      return ok({ hosts: ['ollama.interno', 'ia.exemplo.com:8443'] })
    })
    await page.getByRole('heading', { name: 'Endereços da IA' }).click()
    await expect.element(typed).toHaveValue('ollama.interno')
    await expect.element(save).toBeDisabled()
    await typed.fill('ollama.interno\n10.0.0.5')
    await expect.element(page.getByText(/sem endereço IP/)).toBeVisible()
    await expect.element(save).toBeDisabled()
    await typed.fill('ollama.interno\nia.exemplo.com:8443')
    await expectAccessible()
    await save.click()
    await expect.element(page.getByText('Endereços da IA salvos.').first()).toBeVisible()
    expect(sent).toEqual([{ hosts: ['ollama.interno', 'ia.exemplo.com:8443'] }])
  })
})
