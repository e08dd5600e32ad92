import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeLinha, type PanelServer } from '#test/dashboard/panel.tsx'
import { makeUsuario } from '#test/render.tsx'
import { makeConversa, minutesAgo } from './sample-conversas.ts'
import { conversasOfLinhas, ENTREGA, lineOf, LINHAS, LOJA, OLD, SITE } from './sample-linhas.ts'
import {
  button,
  composer,
  conversaRow,
  type ConversaServer,
  listedNames,
  openFilters,
  openName,
  searchBox,
  sentBodies,
  setupAtendimento,
  viewTab,
} from './tab.ts'

const open = setupAtendimento()
const openLinhas = (initial: Partial<ConversaServer> = {}, server: Partial<PanelServer> = {}) =>
  open({ open: conversasOfLinhas(), ...initial }, '/dashboard?aba=atendimento', { linhas: LINHAS, ...server })

const cards = page.getByRole('group', { name: 'Linhas' })
const card = (nome: string) => cards.getByRole('button', { name: new RegExp(nome) })
const dialog = page.getByRole('dialog')
const details = page.getByRole('complementary', { name: 'Detalhes' })
const START = 'POST /atendimento/conversas'
const LIST = 'GET /atendimento/conversas'
const rowHeights = () => new Set([...document.querySelectorAll('[data-linha]')].map(({ clientHeight }) => clientHeight))

describe('Inbox with several lines', () => {
  it('names the line in row, head, field and details, a deleted one too, at the same row height', async () => {
    openLinhas()
    for (const [name, { nome }] of [
      ['Marina', ENTREGA],
      ['João', LOJA],
      ['Studio', SITE],
      ['Rafa', OLD],
    ] as const) {
      await expect.element(conversaRow(name).getByTitle(nome)).toBeVisible()
    }
    const heights = rowHeights()
    await conversaRow('Marina').click()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await expect
      .element(page.getByRole('textbox', { name: /, pela linha Entregas e encomendas de festa$/ }))
      .toBeVisible()
    await expect.element(page.getByText('pela linha', { exact: true }).first()).toBeVisible()
    await expect
      .element(page.getByText(/^Aguardando há 3 min · .*Entregas e encomendas de festa · Vendas/))
      .toBeVisible()
    await expectAccessible()
    await page.viewport(1600, 900)
    await expect.element(details.getByText(ENTREGA.nome)).toBeVisible()
    open({ open: conversasOfLinhas() })
    await expect.element(conversaRow('Marina')).toBeVisible()
    expect(rowHeights()).toEqual(heights)
  })

  it('shows that a visitor writes on the site under a claimed name', async () => {
    openLinhas()
    await conversaRow('Studio').click()
    await expect.element(page.getByText(/no site, nome informado pelo visitante$/)).toBeVisible()
    await page.viewport(1600, 900)
    await expect.element(details.getByText('No chat do site')).toBeVisible()
    await expect.element(details.getByText('Informado pelo visitante')).toBeVisible()
  })

  it('names no line while there is one', async () => {
    open({ open: conversasOfLinhas() })
    await conversaRow('Marina').click()
    await expect.element(composer).toBeVisible()
    await openFilters()
    await expect.element(page.getByRole('group', { name: 'Setores' })).toBeVisible()
    await page.viewport(1600, 900)
    await expect.element(details).toBeVisible()
    for (const { nome } of [...LINHAS, OLD]) expect(page.getByText(nome, { exact: true }).query()).toBeNull()
    expect(page.getByText('pela linha').query()).toBeNull()
    expect(cards.query()).toBeNull()
    await button('Nova conversa').click()
    await expect.element(dialog.getByLabelText('Setor')).toBeVisible()
    expect(dialog.getByLabelText('Linha').query()).toBeNull()
  })

  it('explains an empty list to an operador whose last line was deleted', async () => {
    const none = '00000000-0000-0000-0000-000000000000'
    openLinhas({}, { usuario: makeUsuario({ id: 'o1', tipo: 'operador', linhas: [none] }), linhas: [LOJA] })
    await expect.element(page.getByText('Nenhuma linha para você')).toBeVisible()
    await expectAccessible()
  })
})

describe('Filter by line', () => {
  it('works with views and counts, and is cleared with the others', async () => {
    const mine = { status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' } as const
    const other = makeConversa({ id: 'c8', nome: 'Bia Lima', ...mine, linha: lineOf(ENTREGA) })
    openLinhas({ open: [...conversasOfLinhas(), other] })
    await openFilters()
    await expect.element(card('Entregas')).toMatchTextContent(/2 conversas$/)
    await expect.element(card('Site')).toMatchTextContent(/1 conversa$/)
    await card('Entregas').click()
    await expect.poll(listedNames).toEqual(['Marina Duarte', 'Bia Lima'])
    await expectAccessible()
    await viewTab('Minhas').click()
    await expect.poll(listedNames).toEqual(['Bia Lima'])
    await viewTab('Fila').click()
    await expect.poll(listedNames).toEqual(['Marina Duarte'])
    await card('Site').click()
    await expect.poll(listedNames).toEqual(['Studio Bela Vista'])
    await searchBox.fill('marina')
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await searchBox.fill('')
    await button('Filtros (em uso)').click()
    await button('Tirar filtros').click()
    await expect.poll(listedNames).toContain('Marina Duarte')
    await openFilters()
    await expect.element(card('Site')).toHaveAttribute('aria-pressed', 'false')
  })

  it('is a list instead of cards with more than six lines', async () => {
    const more = Array.from({ length: 4 }, (_, index) => makeLinha({ id: `m${index}`, nome: `Filial ${index}` }))
    openLinhas({}, { linhas: [...LINHAS, ...more] })
    await openFilters()
    const choice = page.getByLabelText('Linha', { exact: true })
    await userEvent.selectOptions(choice, ENTREGA.nome)
    await expect.poll(listedNames).toEqual(['Marina Duarte'])
    expect(cards.query()).toBeNull()
    await expectAccessible()
  })

  it('asks the server for finished conversas and for the bot of the line, and takes over there', async () => {
    const ended = { status: 'finalizada', finalizadaEm: minutesAgo(5) } as const
    const finished = [LOJA, ENTREGA].map((line) =>
      makeConversa({ id: `f${line.id}`, nome: `Fim ${line.id}`, ...ended, linha: lineOf(line) }),
    )
    const screen = openLinhas({ finished })
    await openFilters()
    await card('Loja').click()
    await button('Finalizadas').click()
    await expect.poll(listedNames).toEqual(['Fim l1'])
    const asked: string[] = []
    const bot = { contatoId: 'k2', cliente: { nome: 'Caio', telefone: '5511940000002' }, etapa: 'menu' }
    screen.api.on(LIST, ({ url }) => {
      asked.push(`${url.searchParams.get('status')} ${url.searchParams.get('linha')}`)
      const listed = url.searchParams.get('linha') === LOJA.id ? [{ ...bot, ultimaAtividade: minutesAgo(1) }] : []
      return ok({ conversas: listed, proximoCursor: null })
    })
    screen.api.on(START, () => refusal(409, 'conversaAberta', 'Este contato já tem uma conversa aberta.'))
    await button('Com o bot').click()
    await button('Assumir Caio').click()
    expect(sentBodies(screen, START)).toEqual([{ contatoId: 'k2', linhaId: LOJA.id }])
    await card('Entregas').click()
    await expect.element(page.getByText('Ninguém com o bot nesta linha')).toBeVisible()
    expect(asked).toEqual(expect.arrayContaining(['bot l1', 'bot l2']))
  })

  it('searches the messages of the line and changes it above the results', async () => {
    const { api } = openLinhas()
    const asked: (string | null)[] = []
    api.on('GET /atendimento/busca', ({ url }) => {
      asked.push(url.searchParams.get('linha'))
      return ok({ resultados: [], proximoCursor: null })
    })
    await openFilters()
    await card('Entregas').click()
    await searchBox.fill('bolo')
    await button('Buscar “bolo” nas mensagens').click()
    const choice = page.getByLabelText('Linha', { exact: true })
    await expect.element(choice).toHaveValue(ENTREGA.id)
    await expect.element(page.getByText(/A busca está só em uma linha/)).toBeVisible()
    await expectAccessible()
    await userEvent.selectOptions(choice, 'Todas as linhas')
    await expect.element(page.getByText(/^Todas as palavras precisam estar/)).toBeVisible()
    await expect.element(card('Entregas')).toHaveAttribute('aria-pressed', 'false')
    expect(asked).toEqual([ENTREGA.id, null])
  })
})

describe('Write first', () => {
  it('offers the lines that may write, and by default leaves the choice to the server', async () => {
    const screen = openLinhas()
    screen.api.on('GET /contatos', () => ok({ contatos: [], proximoCursor: null }))
    screen.api.on(START, () =>
      refusal(409, 'conversaAberta', 'Este contato já tem uma conversa aberta.', { conversaId: 'c1', operador: 'Rui' }),
    )
    await button('Nova conversa').click()
    const choice = dialog.getByLabelText('Linha')
    await expect.element(choice).toHaveValue('')
    expect([...choice.element().querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
      'A última linha do cliente',
      LOJA.nome,
      ENTREGA.nome,
    ])
    await dialog.getByLabelText('Contato ou telefone').fill('11 98765-0001')
    await dialog.getByRole('button', { name: 'Abrir conversa' }).click()
    await expect.element(dialog.getByText(/já tem uma conversa aberta nesta linha com Rui/)).toBeVisible()
    await userEvent.selectOptions(choice, ENTREGA.nome)
    await expectAccessible()
    screen.api.on(START, () => refusal(409, 'linhaNaoEscreve', 'Por esta linha é o cliente quem escreve primeiro.'))
    await dialog.getByRole('button', { name: 'Abrir conversa' }).click()
    await expect.element(dialog.getByText(/No chat do site a loja só responde/)).toBeVisible()
    expect(sentBodies(screen, START)).toMatchObject([{ telefone: '11 98765-0001' }, { linhaId: ENTREGA.id }])
    expect(sentBodies(screen, START)[0]).not.toHaveProperty('linhaId')
  })

  it('fills the name of the line into a quick reply and its preview', async () => {
    const { api } = openLinhas()
    const respostas = [{ atalho: 'linha', texto: 'Aqui é {linha}.', setores: [] }]
    api.on('GET /atendimento/respostas-rapidas', () => ok({ respostas, versao: '1' }))
    await conversaRow('Marina').click()
    await composer.fill('/linha')
    await page.getByRole('option', { name: /Aqui é Entregas e encomendas de festa/ }).click()
    await expect.element(composer).toHaveValue(`Aqui é ${ENTREGA.nome}.`)
  })
})

describe('Earlier conversas', () => {
  it('name their line in the list and when one is read', async () => {
    const { api } = openLinhas({ finished: [makeConversa({ id: 'old', status: 'finalizada', linha: OLD })] })
    const earlier = {
      id: 'old',
      protocolo: '20261101-0007',
      setor: 'vendas',
      iniciadoEm: minutesAgo(9_000),
      linha: OLD,
    }
    api.on('GET /atendimento/conversas/c1/cliente', () =>
      ok({
        anteriores: [{ ...earlier, status: 'finalizada' }],
        totalAnteriores: 1,
        avaliacoes: { total: 0, notaMedia: null },
      }),
    )
    await page.viewport(1600, 900)
    await conversaRow('Marina').click()
    await details.getByRole('button', { name: /20261101-0007.*Quiosque/ }).click()
    await expect.element(dialog.getByText(OLD.nome)).toBeVisible()
    await expectAccessible()
  })
})
