import '../dashboard/fake-socket.ts'
import type { Operador } from '@balcao/contract/entities/operador'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { collectDownloads } from '#test/downloads.ts'
import { ENTREGA, LINHAS, LOJA, SITE } from '#test/atendimento/sample-linhas.ts'
import { expectAccessible } from '#test/axe.ts'
import { type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import {
  button,
  chooseMenuItem,
  makeOperador,
  makeOperadorUsuario,
  openEquipePanel,
  requestBodies,
} from './equipe-panel.ts'
import { makeEmptyRelatorio, makeRelatorio } from './samples.ts'

let panel: PanelTestApp | null = null
afterEach(async () => {
  panel?.unmount()
  await page.viewport(1366, 800)
})

const NONE = ['00000000-0000-0000-0000-000000000000']
const BRUNO = makeOperador({ linhas: [ENTREGA.id, SITE.id] })
const CARLA = makeOperador({ id: 'o2', nome: 'Carla Menezes', setores: [] })
const DAVI = makeOperador({ id: 'o3', nome: 'Davi Souza', linhas: NONE })

function openTeam(equipe: readonly Operador[], server: Partial<PanelServer> = { linhas: LINHAS }): PanelTestApp {
  panel = openEquipePanel('equipe', server)
  panel.api.on('GET /conta/operadores', () => ok({ operadores: equipe }))
  return panel
}

const PUT_DAVI = 'PUT /conta/operadores/o3'
const dialog = page.getByRole('dialog')
const box = (name: string | RegExp) => dialog.getByRole('checkbox', { name })
const linesOf = (nome: string) => page.getByRole('list', { name: `Linhas de ${nome}` })

describe('Lines of each person', () => {
  it('are listed beside the setores, and not with one line', async () => {
    openTeam([BRUNO, CARLA, DAVI])
    await expect.element(linesOf('Bruno Lima').getByText(ENTREGA.nome)).toBeVisible()
    await expect.element(linesOf('Bruno Lima').getByText(SITE.nome)).toBeVisible()
    await expect.element(linesOf('Carla Menezes').getByText('Todas as linhas')).toBeVisible()
    await expect.element(button(/^Nenhuma linha: escolha/)).toBeVisible()
    await expectAccessible()
    panel?.unmount()
    openTeam([CARLA], {})
    await expect.element(page.getByRole('heading', { name: 'Carla Menezes' })).toBeVisible()
    expect(linesOf('Carla Menezes').query()).toBeNull()
    await chooseMenuItem('Ações para Carla Menezes', 'Editar')
    await expect.element(box('Vendas')).toBeVisible()
    expect(dialog.getByRole('group', { name: 'Linhas que atende' }).query()).toBeNull()
  })

  it('are saved only when they change, also of a person without a line', async () => {
    const screen = openTeam([DAVI], { linhas: [LOJA] })
    screen.api.on(PUT_DAVI, ({ body }) => ok({ operador: { ...DAVI, ...Object(body) } }))
    await chooseMenuItem('Ações para Davi Souza', 'Editar')
    await expect.element(dialog.getByText(/^Nenhuma linha: escolha\./)).toBeVisible()
    await expect.element(box('Todas')).not.toBeChecked()
    await dialog.getByLabelText('Nome').fill('Davi S.')
    await button('Salvar').click()
    await expect.poll(() => dialog.query()).toBeNull()
    await button(/^Nenhuma linha: escolha/).click()
    await box('Todas').click()
    await button('Salvar').click()
    await expect.poll(() => button(/^Nenhuma linha: escolha/).query()).toBeNull()
    const [first, second] = requestBodies(screen, PUT_DAVI)
    expect(first).toEqual({ nome: 'Davi S.', email: DAVI.email, setores: DAVI.setores })
    expect(second).toMatchObject({ linhas: [] })
  })

  it('are chosen one by one, and a refusal is shown beside them', async () => {
    const screen = openTeam([CARLA])
    const detalhes = [{ caminho: 'linhas.0', mensagem: 'Esta linha não existe.' }]
    screen.api.on('PUT /conta/operadores/o2', () =>
      refusal(400, 'dadosInvalidos', 'Esta linha não existe.', { detalhes }),
    )
    await chooseMenuItem('Ações para Carla Menezes', 'Editar')
    await expect.element(box('Todas')).toBeChecked()
    await box(ENTREGA.nome).click()
    await expect.element(box('Todas')).not.toBeChecked()
    await expect.element(dialog.getByText(/^A pessoa vê e atende só as conversas das linhas marcadas/)).toBeVisible()
    await expectAccessible()
    await button('Salvar').click()
    await expect.element(dialog.getByText('Esta linha não existe.')).toBeVisible()
    await expect.element(box('Todas')).toHaveFocus()
    await box(ENTREGA.nome).click()
    await expect.element(box('Todas')).toBeChecked()
    await box('Todas').click()
    for (const { nome } of LINHAS) await expect.element(box(nome)).toBeChecked()
    expect(requestBodies(screen, 'PUT /conta/operadores/o2')).toMatchObject([{ linhas: [ENTREGA.id] }])
  })
})

describe('Report of a line', () => {
  const choice = page.getByLabelText('Linha', { exact: true })
  const REPORT = 'GET /atendimento/relatorio'
  const EMPTY = makeEmptyRelatorio('2026-11-01', '2026-11-30')

  it('shows its figures, names it in the file, and returns to all lines', async () => {
    const file = collectDownloads()
    const asked: (string | null)[] = []
    panel = openEquipePanel('relatorio', { linhas: LINHAS })
    panel.api.on(REPORT, ({ url }) => {
      const [linha, de, ate] = ['linha', 'de', 'ate'].map((name) => url.searchParams.get(name) ?? '')
      asked.push(linha ?? '')
      return ok(linha === SITE.id ? makeEmptyRelatorio(de ?? '', ate ?? '') : makeRelatorio(de ?? '', ate ?? ''))
    })
    await expect.element(choice).toHaveValue('')
    await userEvent.selectOptions(choice, ENTREGA.nome)
    await expect.element(page.getByText(/, só a linha Entregas e encomendas de festa$/)).toBeVisible()
    await expectAccessible()
    await button('Baixar planilha').click()
    await expect.poll(() => file.length).toBe(1)
    await userEvent.selectOptions(choice, SITE.nome)
    await expect.element(page.getByText('Nenhuma conversa neste período')).toBeVisible()
    await button('Ver todas as linhas').click()
    await expect.element(choice).toHaveValue('')
    expect([...new Set(asked)]).toEqual(['', ENTREGA.id, SITE.id])
  })

  it('offers an operador the own lines, and none with one', async () => {
    const own = makeOperadorUsuario({ setores: [], linhas: [ENTREGA.id, SITE.id] })
    panel = openEquipePanel('relatorio', { linhas: LINHAS, usuario: own })
    panel.api.on(REPORT, () => ok(EMPTY))
    await expect.element(page.getByText(/Aqui entram só as suas linhas\.$/)).toBeVisible()
    await expect.element(choice).toBeVisible()
    const options = () => [...choice.element().querySelectorAll('option')].map(({ textContent }) => textContent)
    await expect.poll(options).toEqual(['Todas as linhas', ENTREGA.nome, SITE.nome])
    panel.unmount()
    panel = openEquipePanel('relatorio')
    panel.api.on(REPORT, () => ok(EMPTY))
    await expect.element(page.getByText('Nenhuma conversa neste período')).toBeVisible()
    expect(choice.query()).toBeNull()
  })
})
