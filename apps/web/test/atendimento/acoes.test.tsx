import { fakeSocket } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { shortenWaits } from '#test/short-waits.ts'
import { makeConversa } from './sample-conversas.ts'
import {
  aviso,
  button,
  composer,
  conversaRow,
  openName,
  sentBodies,
  serveConversa,
  setupAtendimento,
  waitForSocket,
  openFilters,
} from './tab.ts'

const open = setupAtendimento()
const dialog = page.getByRole('dialog')
const START = 'POST /atendimento/conversas'
const MINE = { status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' } as const
const LEO = {
  ...{ id: 'k1', nome: 'Léo Prado', telefone: '5511940000001', etiquetas: [], observacao: '' },
  ...{ criadoEm: '2026-01-01T12:00:00.000Z', ultimaAtividade: '2026-01-01T12:00:00.000Z', pediuParada: true },
}

const RUI = 'Rui Sebastião da Conceição Albuquerque Costa'

describe('Nova conversa', () => {
  it('finds a contato, warns about PARAR, explains refusals and opens the conversa', async () => {
    const screen = open()
    const { api, conversaServer } = screen
    api.on('GET /contatos', () => ok({ contatos: [LEO], proximoCursor: null }))
    api.on(START, () =>
      refusal(409, 'conversaAberta', 'Este contato já tem uma conversa aberta.', { conversaId: 'c2', operador: 'Rui' }),
    )
    await button('Nova conversa').click()
    await button('Abrir conversa').click()
    await expect.element(dialog.getByText('Escolha um contato ou digite o telefone')).toBeVisible()
    await dialog.getByLabelText('Contato ou telefone').fill(`+${LEO.telefone}`)
    await expect.element(dialog.getByText('Esta pessoa pediu PARAR')).toBeVisible()
    await dialog.getByLabelText('Contato ou telefone').fill('léo')
    await expect.poll(() => dialog.getByText('Esta pessoa pediu PARAR').query()).toBeNull()
    await dialog.getByRole('button', { name: /Léo Prado/ }).click()
    await expect.element(dialog.getByText('Esta pessoa pediu PARAR')).toBeVisible()
    await dialog.getByLabelText('Primeira mensagem (opcional)').fill('Seu pedido chegou.')
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await expect.element(dialog.getByText('Este contato já tem uma conversa aberta com Rui.')).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: 'Ver conversa' })).toBeVisible()

    const fresh = makeConversa({ id: 'novo', nome: 'Léo Prado', mensagens: [], ...MINE })
    conversaServer.open = [...conversaServer.open, fresh]
    serveConversa(screen, conversaServer, 'novo')
    api.on(START, () => ok({ conversa: fresh }))
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await expect.element(openName('Léo Prado')).toBeVisible()
    await expect.element(conversaRow('Léo Prado')).toBeVisible()
    const body = { contatoId: 'k1', setor: 'geral', mensagem: 'Seu pedido chegou.' }
    expect(sentBodies(screen, START)).toEqual([body, body])
  })

  it('asks before it writes to a number that was erased on request', async () => {
    const screen = open()
    const { api, conversaServer } = screen
    api.on('GET /contatos', () => ok({ contatos: [], proximoCursor: null }))
    const fresh = makeConversa({ id: 'novo', nome: 'Iara', mensagens: [], ...MINE })
    serveConversa(screen, conversaServer, 'novo')
    api.on(START, ({ body }) => {
      if (Object(body).conferirApagado === true) return refusal(409, 'contatoApagado', 'Os dados foram apagados.')
      conversaServer.open = [...conversaServer.open, fresh]
      return ok({ conversa: fresh })
    })
    await button('Nova conversa').click()
    await dialog.getByLabelText('Contato ou telefone').fill('11 98765-0001')
    await dialog.getByLabelText('Primeira mensagem (opcional)').fill('Oi')
    await dialog.getByRole('button', { name: 'Enviar' }).click()
    await expect.element(dialog.getByText('Os dados foram apagados.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Abrir mesmo assim' }).click()
    await expect.element(openName('Iara')).toBeVisible()
    const body = { telefone: '11 98765-0001', nome: '', setor: 'geral', mensagem: 'Oi' }
    expect(sentBodies(screen, START)).toEqual([true, false].map((conferirApagado) => ({ ...body, conferirApagado })))
  })
})

describe('Com o bot', () => {
  it('lists who talks with the bot and takes a customer over', async () => {
    const screen = open()
    const { api, conversaServer } = screen
    const fresh = makeConversa({ id: 'novo', nome: 'Bia Lima', ...MINE })
    const entry = { contatoId: 'k2', cliente: fresh.cliente, etapa: 'menu', ultimaAtividade: fresh.ultimaAtividade }
    const itens = Array.from({ length: 5 }, (_, n) => ({ nome: `Pão de queijo recheado ${n}`, quantidade: 2 }))
    const carrinho = { itens, totalItens: 7, subtotalCentavos: 123_450 }
    const listed = [{ ...entry, carrinho, ultimaMensagem: { texto: 'quero pão', timestamp: fresh.ultimaAtividade } }]
    api.on('GET /atendimento/conversas', ({ url }) =>
      url.searchParams.get('status') === 'bot'
        ? ok({ conversas: listed, proximoCursor: null })
        : ok({ conversas: conversaServer.open }),
    )
    await openFilters()
    await button('Com o bot').click()
    const row = page.getByRole('list', { name: 'Com o bot' }).getByRole('listitem')
    for (const text of ['Bia Lima', 'quero pão', 'No menu', /^2x Pão de queijo recheado 0, 2x .* e mais 2$/])
      await expect.element(row.getByText(text).first()).toBeVisible()
    // On the smallest phone the sum stays whole beside items that are cut.
    await page.viewport(360, 740)
    const sum = row.getByText(/R\$\s1\.234,50/)
    await expect.element(sum).toBeVisible()
    expect(sum.element().getBoundingClientRect().right).toBeLessThanOrEqual(row.element().getBoundingClientRect().right)
    expect(sum.element().scrollWidth).toBe(sum.element().clientWidth)
    expect(api.calls.some(({ route }) => route.endsWith('/carrinho'))).toBe(false)
    await page.viewport(1366, 800)
    await expectAccessible()
    conversaServer.open = [...conversaServer.open, fresh]
    serveConversa(screen, conversaServer, 'novo')
    api.on(START, () => {
      listed.length = 0
      return ok({ conversa: fresh })
    })
    await row.getByRole('button', { name: 'Assumir Bia Lima' }).click()
    await expect.element(openName('Bia Lima')).toBeVisible()
    await expect.element(page.getByText('Ninguém com o bot agora')).toBeVisible()
    expect(sentBodies(screen, START)).toEqual([{ contatoId: 'k2' }])
  })
})

describe('An open or finished conversa', () => {
  it('reopens for 7 days, goes to a person with a motivo and returns to the queue', async () => {
    const finalizadaEm = new Date(Date.now() - 3_600_000).toISOString()
    const ended = makeConversa({ id: 'c1', status: 'finalizada', finalizadaEm })
    const old = makeConversa({
      id: 'c9',
      nome: 'Antiga',
      status: 'finalizada',
      finalizadaEm: '2026-01-01T12:00:00.000Z',
    })
    const screen = open(
      { open: [], finished: [ended, old], atendentes: [{ id: 'u7', nome: RUI, setores: ['suporte'], linhas: [] }] },
      '/dashboard?aba=atendimento&c=c1',
    )
    const { api, conversaServer } = screen
    const mine = makeConversa({ id: 'c1', ...MINE })
    api.on('POST /atendimento/conversas/c1/reabrir', () => {
      Object.assign(conversaServer, { open: [mine], finished: [old] })
      fakeSocket.emit('conversaReaberta', { userId: CONTA_ID, conversa: mine })
      return ok({ conversa: mine })
    })
    api.on('POST /atendimento/conversas/c1/transferir', () => ok({ conversa: mine }))
    api.on('POST /atendimento/conversas/c1/soltar', () => {
      const { operador: _nome, operadorId: _id, ...rest } = mine
      conversaServer.open = [{ ...rest, status: 'aguardando' }]
      return ok({ conversa: conversaServer.open[0] })
    })
    await waitForSocket()
    await expect.element(button('Reabrir')).toBeVisible()
    await expectAccessible()
    await button('Reabrir').click()
    await expect.element(aviso('Conversa reaberta. Ela está com você.')).toBeVisible()
    await expect.element(composer).toBeEnabled()
    await userEvent.click(button('Transferir'))
    await dialog.getByLabelText('Motivo (opcional)').fill(' Quer nota fiscal ')
    await expectAccessible()
    await dialog.getByRole('button', { name: `${RUI} Offline · vai para Suporte` }).click()
    await expect.element(aviso(`Marina Duarte foi para ${RUI}.`)).toBeVisible()
    expect(sentBodies(screen, 'POST /atendimento/conversas/c1/transferir')).toEqual([
      { setor: 'suporte', operadorId: 'u7', motivo: 'Quer nota fiscal' },
    ])
    await button('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Devolver à fila' }).click()
    await expect.element(aviso('Marina Duarte voltou para a fila.')).toBeVisible()
    await expect.element(conversaRow('Marina').getByText('Aguardando')).toBeVisible()
    await openFilters()
    await button('Finalizadas').click()
    await conversaRow('Antiga').click()
    await expect.element(openName('Antiga')).toBeVisible()
    await expect.element(button('Reabrir')).not.toBeInTheDocument()
  })
})

describe('An act whose answer was lost', () => {
  const C1 = '/atendimento/conversas/c1'
  const lose = (): never => {
    throw new TypeError('network lost')
  }

  it('shows the result if the server stored it', async () => {
    const mine = makeConversa({ id: 'c1', ...MINE })
    const screen = open({ open: [mine] }, '/dashboard?aba=atendimento&c=c1')
    const { api, conversaServer } = screen
    const store = (fields: Partial<typeof mine>) => (): never => {
      Object.assign(conversaServer, { open: [{ ...mine, ...fields }] })
      return lose()
    }
    api.on(`POST ${C1}/transferir`, store({ status: 'aguardando', setor: 'suporte' }))
    await userEvent.click(button('Transferir'))
    await dialog.getByRole('button', { name: 'Suporte' }).click()
    await expect.element(aviso('Marina Duarte foi para o setor Suporte.')).toBeVisible()
    await expect.element(conversaRow('Marina').getByText('Suporte')).toBeVisible()
    expect(aviso(/^Erro/).query()).toBeNull()
    expect(sentBodies(screen, `POST ${C1}/transferir`)).toHaveLength(1)
  })

  it('reads the conversa until the connection returns', async () => {
    shortenWaits()
    const mine = makeConversa({ id: 'c1', ...MINE })
    const { api, conversaServer } = open({ open: [mine] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(openName('Marina Duarte')).toBeVisible()
    let reads = 0
    api.on(`GET ${C1}`, () => ((reads += 1) < 3 ? lose() : ok({ conversa: conversaServer.finished[0] })))
    api.on(`POST ${C1}/finalizar`, () => {
      Object.assign(conversaServer, { open: [], finished: [{ ...mine, status: 'finalizada' }] })
      return lose()
    })
    await button('Finalizar').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Finalizar' }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
    expect(aviso(/^Erro/).query()).toBeNull()
  })

  it('says that nothing changed, or to check the conversa without a connection', async () => {
    shortenWaits()
    const ended = { status: 'finalizada', finalizadaEm: new Date().toISOString() } as const
    const { api } = open(
      { open: [], finished: [makeConversa({ id: 'c1', ...MINE, ...ended })] },
      `/dashboard?aba=atendimento&c=c1`,
    )
    api.on(`POST ${C1}/reabrir`, lose)
    await button('Reabrir').click()
    const prefix = 'Erro ao reabrir conversa: A conexão falhou'
    await expect.element(aviso(`${prefix} e nada mudou. Tente de novo.`)).toBeVisible()
    api.on(`GET ${C1}`, lose)
    await button('Reabrir').click()
    await expect.element(aviso(`${prefix}. Confira a conversa antes de tentar de novo.`)).toBeVisible()
  })
})
