import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { defaultConfig } from '@balcao/contract/defaults'
import { PrinterCard } from '#features/loja/ajustes/printer-card.tsx'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { button, field } from './tab.ts'

let api: FakeApi
let close: (() => void) | null = null

beforeEach(() => void (api = fakeApi()))
afterEach(() => {
  close?.()
  api.restore()
})

const onOff = page.getByRole('switch', { name: /^Imprimir os pedidos na cozinha/ })

function Form() {
  const [value, setValue] = useState(defaultConfig().loja.impressora)
  return <PrinterCard value={value} onChange={setValue} errors={{ endereco: 'Informe o endereço da impressora' }} />
}

function open(disponivel: boolean): void {
  api.on('GET /loja/impressora', () => ok({ disponivel }))
  const place = document.createElement('main')
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <h1 className="sr-only">Ajustes</h1>
      <Form />
    </QueryClientProvider>,
  )
  close = () => {
    root.unmount()
    place.remove()
  }
}

describe('PrinterCard', () => {
  it('takes address, port and paper, and prints a test with them', async () => {
    open(true)
    const bodies: unknown[] = []
    api.on('POST /loja/impressora/testar', ({ body }) => {
      bodies.push(body)
      return bodies.length === 1 ? ok({ sucesso: true }) : refusal(409, 'impressoraSemResposta', 'x')
    })
    await onOff.click()
    await expect.element(button('Imprimir teste')).toBeDisabled()
    await expect.element(page.getByText('Informe o endereço da impressora')).toBeVisible()
    await userEvent.fill(field('Endereço da impressora'), ' 192.168.0.50')
    await userEvent.fill(field('Porta'), '91a01')
    await userEvent.selectOptions(field('Papel'), '58 mm (32 letras)')
    await button('Imprimir teste').click()
    await expect.poll(() => bodies).toEqual([{ endereco: '192.168.0.50', porta: 9_101, largura: 32 }])
    await expectAccessible()
  })

  it('cannot be switched on where the administrator allows no printer', async () => {
    open(false)
    await expect.element(page.getByText(/Peça ao administrador/)).toBeVisible()
    await expect.element(onOff).toBeDisabled()
  })
})
