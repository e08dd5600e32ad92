import { makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { defaultConfig } from '@balcao/contract/defaults'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeSentMensagem, minutesAgo } from './sample-conversas.ts'
import { aviso, button, conversaRow, openName, sentBodies, setupAtendimento, waitForSocket } from './tab.ts'

const open = setupAtendimento()
const URL = '/dashboard?aba=atendimento&c=c1'
const MINE = { status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' } as const
const WAITING = { status: 'aguardando' } as const
const answered = { mensagens: [makeSentMensagem('Olá!')] }
const undoButton = page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' })
const finishDialog = page.getByRole('alertdialog')
const choice = (name: string) => finishDialog.getByRole('button', { name })
const ENDS = 'POST /atendimento/conversas/c1/finalizar'
const UNDONE = 'POST /atendimento/conversas/c1/desfazer'

describe('Undo of an act', () => {
  it('undoes a wrong take with one press', async () => {
    const screen = open({ open: [makeConversa({ id: 'c1', ...WAITING })] }, URL)
    await button('Assumir').click()
    await expect.element(aviso('Você assumiu a conversa com Marina Duarte.')).toBeVisible()
    await undoButton.click()
    await expect.element(button('Assumir')).toBeVisible()
    expect(sentBodies(screen, UNDONE)).toHaveLength(1)
  })

  it('undoes a release with Ctrl+Z', async () => {
    const screen = open({ open: [makeConversa({ id: 'c1', ...MINE })] }, URL)
    screen.api.on('POST /atendimento/conversas/c1/soltar', () =>
      ok({ conversa: makeConversa({ id: 'c1', ...WAITING, revisao: 7 }) }),
    )
    screen.api.on(UNDONE, () => ok({ conversa: makeConversa({ id: 'c1', ...MINE, revisao: 8 }) }))
    await button('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Devolver à fila' }).click()
    await expect.element(aviso('Marina Duarte voltou para a fila.')).toBeVisible()
    await openName('Marina Duarte').click()
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => sentBodies(screen, UNDONE)).toHaveLength(1)
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
  })

  it('reopens the chat of a finished conversa and explains a refusal', async () => {
    const { api } = open({ open: [makeConversa({ id: 'c1', ...MINE, ...answered })] }, URL)
    await button('Finalizar').click()
    await choice('Finalizar').click()
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    await undoButton.click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await expect.element(conversaRow('Marina')).toBeVisible()
    await button('Finalizar').click()
    await choice('Finalizar').click()
    api.on(UNDONE, () => refusal(409, 'desfazerVencido', 'Não dá mais para desfazer.'))
    await undoButton.click()
    await expect.element(aviso('Não foi desfeito: Não dá mais para desfazer.')).toBeVisible()
  })
})

describe('Finish dialog', () => {
  it.for([
    ['Finalizar', { esperaSegundos: 5 }],
    ['Finalizar sem pedir nota', { semAvaliacao: true, esperaSegundos: 5 }],
    ['Finalizar sem avisar', { silencioso: true, esperaSegundos: 5 }],
  ] as const)('sends the choice %s', async ([name, body]) => {
    const screen = open({ open: [makeConversa({ id: 'c1', ...MINE, ...answered })] }, URL)
    await button('Finalizar').click()
    await expect.element(choice('Voltar')).toHaveFocus()
    await expectAccessible()
    await choice(name).click()
    await expect.poll(() => sentBodies(screen, ENDS)).toEqual([body])
  })

  it('asks for no rating when no person wrote, and says so', async () => {
    const since = minutesAgo(9)
    const wait = { aguardandoDesde: since, semRespostaDesde: since }
    const screen = open({ open: [makeConversa({ id: 'c1', ...MINE, ...wait })] }, URL)
    await button('Finalizar').click()
    await expect.element(finishDialog.getByText(/a despedida, sem pedido de avaliação/)).toBeVisible()
    expect(choice('Finalizar sem pedir nota').query()).toBeNull()
    await choice('Finalizar').click()
    await expect.poll(() => sentBodies(screen, ENDS)).toEqual([{ semAvaliacao: true, esperaSegundos: 5 }])
  })

  it('asks for a rating when a person wrote before the last message that the list has', async () => {
    const [aguardandoDesde, semRespostaDesde] = [minutesAgo(9), minutesAgo(2)]
    const screen = open({ open: [makeConversa({ id: 'c1', ...MINE, aguardandoDesde, semRespostaDesde })] }, URL)
    await button('Finalizar').click()
    await choice('Finalizar').click()
    await expect.poll(() => sentBodies(screen, ENDS)).toEqual([{ esperaSegundos: 5 }])
  })

  it.for([320, 1366])('fits at %i px', async (width) => {
    await page.viewport(width, 740)
    open({ open: [makeConversa({ id: 'c1', ...MINE, ...answered })] }, URL)
    await button('Finalizar').click()
    await expect.element(choice('Finalizar sem avisar')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })
})

describe('Assumir of a conversa of a colleague', () => {
  const ofBruna = { status: 'em_atendimento', operadorId: 'u7', operador: 'Bruna' } as const

  it('takes the conversa for the owner and names the colleague', async () => {
    const screen = open({ open: [makeConversa({ id: 'c1', ...ofBruna })] }, URL)
    await expect.element(page.getByText('Bruna está atendendo. Para responder, assuma a conversa.')).toBeVisible()
    await button('Assumir de Bruna').click()
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    expect(sentBodies(screen, 'POST /atendimento/conversas/c1/assumir')).toEqual([{ deColega: true }])
  })

  it('is not offered to operadores', async () => {
    open({ open: [makeConversa({ id: 'c1', ...ofBruna })] }, URL, {
      usuario: makeUsuario({ id: 'u9', tipo: 'operador', setores: [] }),
    })
    await expect.element(page.getByText(/Para responder, transfira a conversa e assuma/)).toBeVisible()
    expect(button('Assumir de Bruna').query()).toBeNull()
  })
})

describe('Transfer to a setor without people', () => {
  const dialog = page.getByRole('dialog', { name: 'Transferir a conversa com Marina Duarte' })
  const openWith = (pessoas: number, online: number) => {
    const screen = open({ open: [makeConversa({ id: 'c1', ...MINE })] }, URL, {
      usuario: makeUsuario({ id: 'u1', tipo: 'operador', setores: [] }),
    })
    const setores = defaultConfig().atendimento.setores.map((setor) => ({ ...setor, pessoas, online }))
    screen.api.on('GET /atendimento/setores', () => ok({ setores }))
    return screen
  }
  const TRANSFERS = 'POST /atendimento/conversas/c1/transferir'

  it.for([
    [0, 0, 'Ninguém atende este setor.'],
    [2, 0, 'Ninguém deste setor está online agora.'],
  ] as const)('asks first with %i people and %i online', async ([pessoas, online, warning]) => {
    const screen = openWith(pessoas, online)
    await button('Transferir').click()
    const target = dialog.getByRole('button', { name: /^Financeiro/ })
    await expect.element(target).toHaveTextContent(`Financeiro${warning}`)
    await target.click()
    const question = `Financeiro: ${warning} O cliente pode ficar sem resposta.`
    await expect.element(dialog.getByRole('alert').getByText(question)).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    expect(sentBodies(screen, TRANSFERS)).toEqual([])
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Transferir assim mesmo' }).click()
    await expect.poll(() => sentBodies(screen, TRANSFERS)).toEqual([{ setor: 'financeiro' }])
  })

  it('transfers at once to a setor with a person online', async () => {
    const screen = openWith(2, 1)
    await button('Transferir').click()
    await dialog.getByRole('button', { name: 'Financeiro' }).click()
    await expect.poll(() => sentBodies(screen, TRANSFERS)).toEqual([{ setor: 'financeiro' }])
  })
})

it('shows the conversa of an undone end to colleagues', async () => {
  open({ open: [] })
  await waitForSocket()
  fakeSocket.emit('conversaReaberta', { userId: CONTA_ID, conversa: makeConversa({ id: 'c1', ...MINE }) })
  await expect.element(conversaRow('Marina')).toBeVisible()
})
