import { useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { MenuPageCard } from '#features/loja/ajustes/menu-page-card.tsx'
import { expectAccessible } from '#test/axe.ts'
import { collectDownloads } from '#test/downloads.ts'
import { type FakeApi, fakeApi, ok } from '#test/fake-api.ts'
import { storeSession } from '#test/render.tsx'

const OFF = { ativa: false, endereco: '', descricao: '', indexar: true }
const SAVED = { ...OFF, ativa: true, endereco: 'aurora' }

let api: FakeApi
let root: Root
let place: HTMLElement
let latest = OFF

beforeEach(() => {
  api = fakeApi()
  storeSession()
})
afterEach(() => {
  root.unmount()
  place.remove()
  api.restore()
})

function open(start: typeof OFF, saved = start, endereco?: string): void {
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  function Form() {
    const [pagina, setPagina] = useState(start)
    latest = pagina
    return (
      <main>
        <h1>Loja</h1>
        <MenuPageCard pagina={pagina} saved={saved} errors={{ endereco }} onChange={setPagina} />
      </main>
    )
  }
  root.render(<Form />)
}

const address = page.getByLabelText('Endereço da página')

describe('MenuPageCard', () => {
  it('asks for an address before the page is switched on, and keeps only letters that an address has', async () => {
    open(OFF)
    await page.getByRole('switch', { name: /Página ligada/ }).click()
    await expect.element(page.getByText('Escolha o endereço da página')).toBeVisible()
    await address.fill('Padaria São João!')
    await expect.element(address).toHaveValue('padaria-sao-joao')
    await expect.element(page.getByText(`${location.host}/m/padaria-sao-joao`)).toBeVisible()
    expect(latest).toEqual({ ...OFF, ativa: true, endereco: 'padaria-sao-joao' })
    await address.fill('ab')
    await expect.element(page.getByText('Use pelo menos 3 letras ou números')).toBeVisible()
    await expect.element(page.getByLabelText('Link do cardápio')).not.toBeInTheDocument()
  })

  it('shows the refusal of the server at the address', async () => {
    open(SAVED, OFF, 'Este endereço já é de outra loja. Escolha outro.')
    await expect.element(page.getByText('Este endereço já é de outra loja. Escolha outro.')).toBeVisible()
    await expect.element(address).toHaveAttribute('aria-invalid', 'true')
  })

  it('offers the saved link and the QR code', async () => {
    const downloads = collectDownloads()
    api.on('GET /loja/pagina/qr', ({ url }) => ok({ formato: url.searchParams.get('formato') }))
    open({ ...SAVED, endereco: 'outro' }, SAVED)
    await expect.element(page.getByLabelText('Link do cardápio')).toHaveValue(`${location.origin}/m/aurora`)
    await page.getByRole('button', { name: 'QR code em PNG' }).click()
    await expect.poll(() => downloads[0]?.nome).toBe('cardapio-aurora.png')
    expect(await downloads[0]?.conteudo).toContain('png')
    await expectAccessible()
  })
})
