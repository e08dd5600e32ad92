import { makeUsuario } from '#test/render.tsx'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Lote } from '@balcao/contract/entities/lote'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { makeConversa, makeConversas, makeSentMensagem, minutesAgo } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  conversaList,
  conversaRow,
  listedNames,
  listFrame,
  openName,
  searchBox,
  sentBodies,
  setupAtendimento,
  viewTab,
  waitForSocket,
} from './tab.ts'

const open = setupAtendimento()

const LOTE = 'POST /atendimento/lote'
const bar = page.getByRole('group', { name: 'Conversas selecionadas' })
const act = (name: string) => bar.getByRole('button', { name, exact: true })
const box = (name: string) => conversaList.getByRole('checkbox', { name: `Selecionar ${name}` })
const dialog = page.getByRole('dialog')
const count = (text: string) => bar.getByText(text, { exact: true })

/** Customers in the order of the list. */
const crowd = (length: number): Conversa[] =>
  Array.from({ length }, (_, index) =>
    makeConversa({
      id: `x${index}`,
      nome: `Cliente ${index}`,
      contatoId: `k${index}`,
      aguardandoDesde: minutesAgo(length - index),
    }),
  )

function chosenBy({ body }: FakeRequest): string[] {
  const { conversaIds }: { conversaIds?: string[] } = Object(body)
  return conversaIds ?? []
}

/** Does the act on all conversas of the request except the refused ones. */
function answerLote({ api }: AtendimentoTestApp, recusadas: Lote['recusadas'] = []): void {
  api.on(LOTE, (request) => {
    const refused = recusadas.filter(({ id }) => chosenBy(request).includes(id))
    const feitas = chosenBy(request).filter((id) => refused.every((one) => one.id !== id))
    return ok({ feitas, recusadas: refused })
  })
}

describe('Selection of conversas', () => {
  it('chooses by box, Shift and key, and Escape clears before it closes the chat', async () => {
    open({ open: crowd(6) }, '/dashboard?aba=atendimento&c=x5')
    await expect.element(openName('Cliente 5')).toBeVisible()
    await box('Cliente 0').click()
    await expect.element(count('1 selecionada')).toBeVisible()
    expect(searchBox.query()).toBeNull()
    await conversaRow('Cliente 3').click({ modifiers: ['Shift'] })
    await expect.element(count('4 selecionadas')).toBeVisible()
    await expect.element(page.getByText('4 conversas selecionadas')).toBeInTheDocument()
    await expect.element(openName('Cliente 5')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(searchBox).toBeVisible()
    await expect.element(openName('Cliente 5')).toBeVisible()
    conversaRow('Cliente 1').element().closest<HTMLElement>('[data-conversa]')?.focus()
    await userEvent.keyboard('x')
    await userEvent.keyboard('{Shift>}j{/Shift}')
    await expect.element(count('2 selecionadas')).toBeVisible()
    await expect.element(box('Cliente 2')).toBeChecked()
    await userEvent.keyboard('x')
    await expect.element(count('1 selecionada')).toBeVisible()
    await act('Limpar seleção').click()
    await expect.element(searchBox).toBeVisible()
    expect(document.activeElement?.hasAttribute('data-conversa')).toBe(true)
  })

  it('tags five customers that are not neighbours with seven clicks and one request', async () => {
    const app = open({ open: crowd(10), etiquetas: [{ id: 'e1', nome: 'VIP', cor: 'purple' }] })
    answerLote(app)
    for (const index of [0, 2, 4, 6, 8]) {
      // oxlint-disable-next-line no-await-in-loop -- clicks of one person
      await box(`Cliente ${index}`).click()
    }
    await act('Etiquetar').click()
    await dialog.getByRole('button', { name: 'Pôr VIP' }).click()
    await expect.element(aviso('VIP está em 5 conversas.')).toBeVisible()
    await expect.element(conversaRow('Cliente 8').getByText('VIP')).toBeInTheDocument()
    await expect.element(searchBox).toBeVisible()
    const conversaIds = ['x0', 'x2', 'x4', 'x6', 'x8']
    expect(sentBodies(app, LOTE)).toEqual([{ ato: 'etiquetar', conversaIds, adicionar: ['e1'], remover: [] }])
    await box('Cliente 0').click()
    await box('Cliente 1').click()
    await act('Etiquetar').click()
    await dialog.getByRole('button', { name: 'Tirar VIP 1 de 2' }).click()
    await expect.element(aviso('VIP saiu de 2 conversas.')).toBeVisible()
    await expect.poll(() => conversaRow('Cliente 0').getByText('VIP').query()).toBeNull()
  })

  it('keeps the refused ones chosen and says how many and why', async () => {
    const app = open({ open: crowd(4) })
    answerLote(app, [
      { id: 'x1', codigo: 'conversaAssumida' },
      { id: 'x2', codigo: 'conversaAssumida' },
    ])
    await box('Cliente 0').click()
    await box('Cliente 2').click({ modifiers: ['Shift'] })
    await act('Transferir').click()
    await page.getByRole('dialog', { name: 'Transferir 3 conversas' }).getByRole('button', { name: 'Suporte' }).click()
    await expect.element(aviso('1 conversa foi para o setor Suporte.')).toBeVisible()
    await expect.element(aviso('2 de 3 não mudaram: com outra pessoa (2).')).toBeVisible()
    await expect.element(count('2 selecionadas')).toBeVisible()
    await expect.element(box('Cliente 0')).not.toBeChecked()
    await expect.element(box('Cliente 2')).toBeChecked()
    expect(sentBodies(app, LOTE)).toEqual([{ ato: 'transferir', conversaIds: ['x0', 'x1', 'x2'], setor: 'suporte' }])
    app.api.on(LOTE, () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await act('Marcar como lida').click()
    await expect.element(aviso('As conversas não mudaram: O servidor está ocupado.')).toBeVisible()
    await expect.element(count('2 selecionadas')).toBeVisible()
  })

  it('finishes many after one question, with a rating only where a person wrote, and undoes it', async () => {
    const [one, ...others] = crowd(3)
    const answered: Conversa[] = one === undefined ? [] : [{ ...one, mensagens: [makeSentMensagem('Olá!')] }]
    const app = open({ open: [...answered, ...others] })
    answerLote(app)
    await box('Cliente 0').click()
    await act('Selecionar as visíveis').click()
    await act('Finalizar').click()
    const question = page.getByRole('alertdialog', { name: 'Finalizar 3 conversas?' })
    await expect.element(question.getByText(/só para quem a loja respondeu/)).toBeVisible()
    await expectAccessible()
    await question.getByRole('button', { name: 'Finalizar', exact: true }).click()
    await expect.element(aviso('3 conversas finalizadas.')).toBeVisible()
    await expect.poll(listedNames).toEqual([])
    expect(sentBodies(app, LOTE)).toEqual([
      { ato: 'finalizar', conversaIds: ['x0'], esperaSegundos: 5 },
      { ato: 'finalizar', conversaIds: ['x1', 'x2'], semAvaliacao: true, esperaSegundos: 5 },
    ])
    for (const { id } of [...answered, ...others]) {
      app.api.on(`POST /atendimento/conversas/${id}/desfazer`, () =>
        id === 'x2'
          ? refusal(409, 'desfazerVencido', 'Não dá mais para desfazer.')
          : ok({ conversa: makeConversa({ id, nome: `Cliente ${id}` }) }),
      )
    }
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
    await expect.poll(listedNames).toEqual(['Cliente x0', 'Cliente x1'])
    await expect.element(aviso('Não foi desfeito em 1 conversa: Não dá mais para desfazer.')).toBeVisible()
  })

  it('marks as read and sets a reminder', async () => {
    const app = open({ open: crowd(3).map((conversa) => ({ ...conversa, naoLidas: 2 })) })
    answerLote(app)
    await box('Cliente 0').click()
    await act('Marcar como lida').click()
    await expect.element(aviso('1 conversa marcada como lida.')).toBeVisible()
    await expect.poll(() => conversaRow('Cliente 0').getByText('2 não lidas').query()).toBeNull()
    await box('Cliente 1').click()
    await act('Lembrar').click()
    await page.getByRole('menuitem', { name: 'Lembrar amanhã às 8 h' }).click()
    await expect.element(conversaRow('Cliente 1').getByText('Com lembrete')).toBeInTheDocument()
    expect(sentBodies(app, LOTE)).toMatchObject([
      { ato: 'leitura', conversaIds: ['x0'] },
      { ato: 'lembrar', conversaIds: ['x1'], em: expect.stringMatching(/T11:00:00.000Z$/) },
    ])
  })

  it('keeps the choice while the list scrolls, takes at most 100 and drops what leaves', async () => {
    open({ open: crowd(140) })
    await box('Cliente 0').click()
    // The row with the focus stays drawn.
    await box('Cliente 1').click()
    await waitForSocket()
    listFrame().scrollTo({ top: 6_000, behavior: 'instant' })
    await expect.poll(() => box('Cliente 0').query()).toBeNull()
    await act('Selecionar as visíveis').click()
    await expect.element(count('100 selecionadas')).toBeVisible()
    await expect.element(bar.getByText('O máximo é 100 de uma vez.')).toBeVisible()
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: 'x0' })
    await expect.element(count('99 selecionadas')).toBeVisible()
    listFrame().scrollTo({ top: 6_500, behavior: 'instant' })
    await box('Cliente 99').click()
    await expect.element(count('98 selecionadas')).toBeVisible()
    listFrame().scrollTo({ top: 60_000, behavior: 'instant' })
    await box('Cliente 139').click({ modifiers: ['Shift'] })
    await expect.element(bar.getByText('O máximo é 100 de uma vez. Tire 39 da seleção.')).toBeVisible()
    await expect.element(act('Etiquetar')).toHaveAttribute('aria-disabled', 'true')
  })

  it('begins with the menu of a row on a phone, and then each tap chooses', async () => {
    await page.viewport(360, 740)
    open({ open: crowd(9) })
    await conversaRow('Cliente 0').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Selecionar' }).click()
    await conversaRow('Cliente 1').click()
    await expect.element(count('2 selecionadas')).toBeVisible()
    await expect.element(viewTab('Todas')).not.toBeInTheDocument()
    await conversaRow('Cliente 0').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Tirar da seleção' }).click()
    await expect.element(count('1 selecionada')).toBeVisible()
    await conversaRow('Cliente 1').click()
    await expect.element(viewTab('Todas')).toBeVisible()
    await conversaRow('Cliente 1').click()
    await expect.element(openName('Cliente 1')).toBeVisible()
  })

  it.for([
    [1366, 768, 'light'],
    [1366, 768, 'dark'],
    [360, 740, 'light'],
    [320, 640, 'dark'],
  ] as const)('keeps its rows and fits at %i by %i, %s', async ([width, height, theme]) => {
    await page.viewport(width, height)
    document.documentElement.dataset['theme'] = theme
    open({ open: crowd(14) })
    await box('Cliente 0').click()
    await expect.element(act('Lembrar')).toBeVisible()
    const { top, bottom } = listFrame().getBoundingClientRect()
    const rows = [...document.querySelectorAll('[data-linha]')].map((row) => row.getBoundingClientRect())
    const whole = rows.filter((row) => row.top >= top - 1 && row.bottom <= bottom + 1)
    expect(whole.length).toBeGreaterThanOrEqual(height > 700 ? 8 : 6)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    const { left, right } = bar.element().getBoundingClientRect()
    for (const one of bar.getByRole('button').elements()) {
      const edges = one.getBoundingClientRect()
      expect([edges.left >= left, edges.right <= right, one.scrollWidth <= one.clientWidth]).toEqual([true, true, true])
    }
    await expectAccessible()
  })
})

describe('Acts of the row menu', () => {
  const choose = async (row: string, item: string): Promise<void> => {
    await conversaRow(row).click({ button: 'right' })
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  it('transfers, tags and finishes without opening the chat', async () => {
    const conversas = makeConversas().map((conversa) => ({ ...conversa, contatoId: `k-${conversa.id}` }))
    const app = open({ open: conversas, etiquetas: [{ id: 'e1', nome: 'VIP', cor: 'purple' }] }, undefined, {
      usuario: makeUsuario({ id: 'u1', tipo: 'operador', setores: [] }),
    })
    const contato = { id: 'k-c4', nome: 'Rafa', telefone: '5511987654321', observacao: '' }
    app.api.on('PUT /contatos/k-c4', () =>
      ok({ contato: { ...contato, etiquetas: ['e1'], criadoEm: minutesAgo(9), ultimaAtividade: minutesAgo(9) } }),
    )
    await choose('Rafa', 'Etiquetas…')
    await page.getByRole('dialog', { name: 'Etiquetas de Rafa' }).getByRole('checkbox', { name: /VIP/ }).click()
    await expect.element(conversaRow('Rafa').getByText('VIP')).toBeInTheDocument()
    await expect.element(dialog.getByRole('checkbox', { name: /VIP/ })).toBeChecked()
    await userEvent.keyboard('{Escape}')
    await choose('Rafa', 'Transferir…')
    await dialog.getByRole('button', { name: 'Financeiro' }).click()
    await expect.element(aviso('Rafa foi para o setor Financeiro.')).toBeVisible()
    await choose('João', 'Finalizar…')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Finalizar', exact: true }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    expect(sentBodies(app, 'POST /atendimento/conversas/c4/transferir')).toEqual([{ setor: 'financeiro' }])
    expect(sentBodies(app, 'POST /atendimento/conversas/c2/finalizar')).toEqual([{ esperaSegundos: 5 }])
  })
})
