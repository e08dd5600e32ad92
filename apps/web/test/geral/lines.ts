import type { Linha } from '@balcao/contract/entities/linha'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { makeBotStatus, makeLinha, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'

export const MAIN = makeLinha({ id: 'l1', nome: 'Loja', principal: true })
export const DELIVERY = makeLinha({ id: 'l2', nome: 'Delivery', cor: 'green', status: 'PARADO' })
export const SITE = makeLinha({ id: 'l3', nome: 'Site', cor: 'yellow', conector: 'webchat' })
export const TWO: readonly Linha[] = [MAIN, DELIVERY]

export const CONNECTED = makeBotStatus({
  status: 'CONECTADO',
  isRunning: true,
  inicializado: true,
  conectadoComo: '+55 11 98765-4321',
})

/** Opens Geral over a server that keeps lines like the real one. */
export function openLines(linhas: readonly Linha[] = TWO, initial: Partial<PanelServer> = {}): PanelTestApp {
  const painel = openPanel('/dashboard?aba=geral', { linhas: [...linhas], bot: CONNECTED, ...initial })
  const { api, server } = painel
  const put = (id: string, fields: object): Linha => {
    server.linhas = server.linhas.map((one) => (one.id === id ? { ...one, ...fields } : one))
    return server.linhas.find((one) => one.id === id) ?? MAIN
  }
  api.on('POST /linhas', ({ body }) => {
    const linha = { ...makeLinha({ id: 'nova', status: 'PARADO' }), ...Object(body) }
    server.linhas = [...server.linhas, linha]
    return { status: 201, body: { linha } }
  })
  for (const { id } of linhas) {
    api.on(`PUT /linhas/${id}`, ({ body }) => {
      const { versao, ...fields } = Object(body)
      const known = server.linhas.find((one) => one.id === id)
      if (known === undefined || known.versao !== versao)
        return refusal(409, 'conflito', 'Alguém mudou isto antes de você.')
      return ok({ linha: put(id, { ...fields, versao: known.versao + 1 }) })
    })
    api.on(`DELETE /linhas/${id}`, () => {
      server.linhas = server.linhas.filter((one) => one.id !== id)
      return { status: 204 }
    })
  }
  return painel
}

export const card = (nome: string) =>
  page.getByRole('region', { name: 'Linhas' }).getByRole('listitem').filter({ hasText: nome })

export const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)

export async function chooseAct(nome: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Mais ações de ${nome}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

export function lastBody({ api }: PanelTestApp, route: string): unknown {
  return api.calls.findLast((call) => call.route === route)?.body
}
