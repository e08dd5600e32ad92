import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { avisar } from '#shared/avisos.ts'
import { expectAccessible } from '#test/axe.ts'
import { compositor, conversa, ha, mensagem, usarAtendimento } from './aba.ts'

/** Where the notices stand while a chat is open: over nothing that a person reaches for. */

const regiao = page.getByRole('region', { name: 'Avisos' })
const itens = regiao.getByRole('status')
const abrir = usarAtendimento()

/** The names of the controls, those of the menu's foot apart, that a notice lies over. */
function cobertos(): (string | null)[] {
  const avisos = itens.elements().map((aviso) => aviso.getBoundingClientRect())
  const controles = [
    ...document.querySelectorAll('header button, header a, nav a, [data-conversa-aberta] :is(button, textarea)'),
  ]
  const visiveis = controles.filter(
    (controle) => controle.checkVisibility() && controle.closest('[role=log], [inert]') === null,
  )
  expect(visiveis.length).toBeGreaterThan(8)
  const sobre = visiveis.filter((controle) => {
    const { left, right, top, bottom } = controle.getBoundingClientRect()
    return avisos.some((um) => um.left < right && um.right > left && um.top < bottom && um.bottom > top)
  })
  return sobre.map((controle) => controle.getAttribute('aria-label') ?? controle.textContent)
}

describe('notices', () => {
  it.for([
    [360, 640],
    [1366, 800],
  ] as const)(
    'at %i by %i cover no control, three at most, and say how many more there are',
    async ([largura, altura]) => {
      await page.viewport(largura, altura)
      const mensagens = [mensagem({ id: 'j1', texto: 'Olá?', timestamp: ha(3) })]
      const servida = conversa({
        id: 'c2',
        operadorId: 'u1',
        operador: 'Ana Ribeiro',
        status: 'em_atendimento',
        mensagens,
      })
      abrir({ abertas: [servida] }, '/dashboard?aba=atendimento&c=c2')
      await expect.element(compositor).toBeVisible()
      for (const vez of [1, 2, 3]) avisar.info(`Chegou uma conversa nova no setor Vendas: cliente ${vez}`)
      await expect.poll(() => itens.elements().length).toBe(3)
      expect(cobertos()).toEqual([])
      await compositor.fill('Bom dia!\nSobre o seu pedido:\nele sai hoje\nà tarde,\nsem falta.')
      await expect.poll(cobertos).toEqual([])

      for (const vez of [4, 5]) avisar.info(`Chegou uma conversa nova no setor Vendas: cliente ${vez}`)
      await expect.element(regiao.getByText('Mais 2 na Central de avisos')).toBeVisible()
      expect(itens.elements().map((aviso) => aviso.textContent?.slice(-1))).toEqual(['5', '4', '3'])
      expect(cobertos()).toEqual([])
      await expectAccessible()
    },
  )
})
