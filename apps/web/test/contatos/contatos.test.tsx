import { makeUsuario } from '#test/render.tsx'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Contato } from '@balcao/contract/entities/contato'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { makeConversa } from '#test/atendimento/sample-conversas.ts'
import { waitForSocket } from '#test/atendimento/tab.ts'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { shortenWaits } from '#test/short-waits.ts'

const VIP: Etiqueta = { id: 'e1', nome: 'VIP', cor: 'purple' }

function makeContato(fields: Partial<Contato> = {}): Contato {
  return {
    ...{ id: 'c1', nome: 'Ana Lima', telefone: '5511987654321', etiquetas: ['e1'], observacao: 'gosta de bolo' },
    ...{ criadoEm: '2026-01-05T12:00:00.000Z', ultimaAtividade: '2026-03-01T12:00:00.000Z' },
    ...fields,
  }
}

let panel: PanelTestApp | null = null
afterEach(() => {
  panel?.unmount()
  fakeSocket.restore()
})

function open(contatos: readonly Contato[], initial: Partial<PanelServer> = {}): PanelTestApp {
  panel = openPanel('/dashboard?aba=contatos', initial)
  const { api } = panel
  api.on('GET /etiquetas', () => ok({ etiquetas: [VIP], proximoCursor: null }))
  api.on('GET /contatos', ({ url }) => {
    const { busca = '', etiqueta = '', cursor = '' } = Object.fromEntries(url.searchParams)
    const found = contatos.filter(
      (one) =>
        one.nome.toLowerCase().includes(busca.toLowerCase()) && (etiqueta === '' || one.etiquetas.includes(etiqueta)),
    )
    const half = Math.ceil(found.length / 2)
    if (found.length < 4) return ok({ contatos: found, proximoCursor: null })
    return ok(
      cursor === ''
        ? { contatos: found.slice(0, half), proximoCursor: 'resto' }
        : { contatos: found.slice(half), proximoCursor: null },
    )
  })
  for (const contato of contatos) api.on(`GET /contatos/${contato.id}`, () => ok({ contato }))
  return panel
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const rows = () =>
  page
    .getByRole('button', { name: /^Editar / })
    .elements()
    .map((row) => row.querySelector('.font-semibold')?.textContent.replace('Editar ', ''))
const dialog = page.getByRole('dialog')
const bodyOf = (route: string) => panel?.api.calls.findLast((call) => call.route === route)?.body

const LONG_NAME = 'Dona Maria Aparecida do Rosário Conceição Nascimento da Silva'
const PEOPLE = [
  makeContato({ pediuParada: true }),
  makeContato({ id: 'c2', nome: LONG_NAME, etiquetas: [], conversaAbertaId: 'v9' }),
  makeContato({ id: 'c3', nome: '', telefone: '', nomeUsuario: 'caio.doces', etiquetas: [] }),
  makeContato({ id: 'c4', nome: 'Duda', etiquetas: [] }),
]

describe('Contatos', () => {
  it('lists, searches and filters contatos on every width and in both themes', async () => {
    await page.viewport(320, 700)
    open(PEOPLE)
    await expect.poll(rows).toEqual(['Ana Lima', LONG_NAME])
    await button('Mostrar mais').click()
    await expect.poll(rows).toEqual(['Ana Lima', LONG_NAME, '@caio.doces', 'Duda'])
    await expect.element(page.getByText('Pediu PARAR')).toBeVisible()
    const link = page.getByRole('link', { name: `Abrir conversa com ${LONG_NAME}` })
    expect(link.element().getAttribute('href')).toContain('c=v9')
    for (const width of [320, 1366]) {
      await page.viewport(width, 700)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
      await expectAccessible()
    }
    await field('Buscar contatos').fill('duda')
    await expect.poll(rows).toEqual(['Duda'])
    await field('Buscar contatos').fill('zé')
    await expect.element(page.getByText('Nenhum contato encontrado')).toBeVisible()
    await button('Limpar filtros').click()
    await field('Filtrar por etiqueta').selectOptions('VIP')
    await expect.poll(rows).toEqual(['Ana Lima'])
  })

  it('shows a customer who writes for the first time, with one read for a burst', async () => {
    shortenWaits()
    const contatos = [makeContato()]
    const { api } = open(contatos)
    await expect.poll(rows).toEqual(['Ana Lima'])
    await waitForSocket()
    const reads = () => api.calls.filter(({ route }) => route === 'GET /contatos').length
    const before = reads()
    const writes = (id: string): void =>
      fakeSocket.emit('botConversaAtiva', {
        userId: CONTA_ID,
        id,
        nome: 'Zeca',
        telefone: '5511900000000',
        ativa: true,
      })
    contatos.push(makeContato({ id: 'novo', nome: 'Zeca', telefone: '5511900000000' }))
    for (const id of ['novo', 'c1', 'novo']) writes(id)
    await expect.poll(rows).toEqual(['Ana Lima', 'Zeca'])
    expect(reads()).toBe(before + 1)
  })

  it('creates a contato and opens the known one for a repeated number', async () => {
    const { api } = open([makeContato()])
    let known = true
    api.on('POST /contatos', ({ body }) => {
      if (known) return refusal(409, 'contatoExiste', 'Já existe um contato com este telefone.', { contatoId: 'c1' })
      return { status: 201, body: { contato: makeContato({ id: 'novo', ...Object(body) }) } }
    })
    await button('Novo contato').click()
    await button('Salvar').click()
    await expect.element(dialog.getByText('Nome é obrigatório')).toBeVisible()
    await expect.element(field('Nome')).toHaveFocus()
    await field('Nome').fill('Zélia')
    await field('Telefone').fill('(11) 98765-4321')
    await dialog.getByRole('checkbox', { name: 'VIP' }).click()
    await expectAccessible()
    await button('Salvar').click()
    await expect.element(field('Telefone')).toHaveFocus()
    await button('Abrir este contato').click()
    await expect.element(field('Nome')).toHaveValue('Ana Lima')
    await button('Cancelar').click()

    known = false
    await button('Novo contato').click()
    await field('Nome').fill('Zélia')
    await field('Telefone').fill('11 98765-0000')
    await button('Salvar').click()
    await expect.element(page.getByText('Zélia está nos contatos.')).toBeVisible()
    expect(bodyOf('POST /contatos')).toEqual({
      nome: 'Zélia',
      telefone: '11 98765-0000',
      etiquetas: [],
      observacao: '',
      conferirApagado: true,
    })
  })

  it('asks before it saves a customer who was erased on request', async () => {
    const { api } = open([makeContato()])
    api.on('POST /contatos', ({ body }) =>
      Object(body).conferirApagado === true
        ? refusal(409, 'contatoApagado', 'Este cliente teve os dados apagados a pedido dele.')
        : { status: 201, body: { contato: makeContato({ id: 'novo', ...Object(body) }) } },
    )
    await button('Novo contato').click()
    await field('Nome').fill('Iara')
    await field('Telefone').fill('11 98765-0001')
    await button('Salvar').click()
    await expect.element(dialog.getByText('Este cliente teve os dados apagados a pedido dele.')).toBeVisible()
    await field('Telefone').fill('11 98765-0002')
    await button('Salvar').click()
    await expect.element(button('Salvar mesmo assim')).toBeVisible()
    await expectAccessible()
    await button('Salvar mesmo assim').click()
    await expect.element(page.getByText('Iara está nos contatos.')).toBeVisible()
  })

  it('edits name, observação and etiquetas, and creates an etiqueta on the way', async () => {
    const { api } = open([makeContato()])
    api.on('PUT /contatos/c1', ({ body }) => ok({ contato: makeContato(Object(body)) }))
    let taken = true
    api.on('POST /etiquetas', ({ body }) =>
      taken
        ? refusal(409, 'etiquetaExiste', 'Já existe uma etiqueta com este nome.')
        : { status: 201, body: { etiqueta: { ...Object(body), id: 'e2' } } },
    )
    await page.getByRole('button', { name: /^Editar Ana Lima/ }).click()
    await expect.element(field('Observação')).toHaveValue('gosta de bolo')
    await dialog.getByRole('checkbox', { name: 'VIP' }).click()
    await button('Nova etiqueta').click()
    await field('Nome da nova etiqueta').fill('Atacado')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByText('Já existe uma etiqueta com este nome.')).toBeVisible()
    taken = false
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Nova etiqueta')).toHaveFocus()
    await field('Nome').fill('Ana Maria')
    await button('Salvar').click()
    await expect.poll(rows).toEqual(['Ana Maria'])
    expect(bodyOf('PUT /contatos/c1')).toEqual({ nome: 'Ana Maria', observacao: 'gosta de bolo', etiquetas: ['e2'] })
  })

  it('puts and takes an etiqueta of many contatos with one request each', async () => {
    const { api } = open(PEOPLE.slice(0, 3))
    const bar = page.getByRole('group', { name: 'Contatos selecionados' })
    const box = (name: string) => page.getByRole('checkbox', { name: `Selecionar ${name}` })
    api.on('POST /contatos/lote', ({ body }) => {
      const { contatoIds }: { contatoIds: string[] } = Object(body)
      const [refused = '', ...feitas] = contatoIds.toReversed()
      return ok({ feitas, recusadas: [{ id: refused, codigo: 'naoEncontrado' }] })
    })
    await box('Ana Lima').click()
    await userEvent.keyboard('{Escape}')
    await expect.element(field('Buscar contatos')).toBeVisible()
    await userEvent.keyboard('x')
    await box('@caio.doces').click({ modifiers: ['Shift'] })
    await expect.element(bar.getByText('3 selecionados', { exact: true })).toBeVisible()
    await button('Pôr etiqueta').click()
    await dialog.getByRole('button', { name: 'Pôr VIP 1 de 3' }).click()
    await expect.element(page.getByText('VIP está em 2 contatos.')).toBeVisible()
    await expect.element(page.getByText('1 de 3 não mudou: não encontrada (1).')).toBeVisible()
    expect(bodyOf('POST /contatos/lote')).toEqual({
      contatoIds: ['c1', 'c2', 'c3'],
      adicionar: ['e1'],
      remover: [],
    })
    await expect.element(bar.getByText('1 selecionado', { exact: true })).toBeVisible()
    await expect.element(box('@caio.doces')).toBeChecked()
    for (const width of [320, 1366]) {
      await page.viewport(width, 700)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
      await expectAccessible()
    }
    await button('Selecionar os 3 da lista').click()
    await button('Tirar etiqueta').click()
    await dialog.getByRole('button', { name: 'Tirar VIP 1 de 3' }).click()
    await expect.element(page.getByText('VIP saiu de 2 contatos.')).toBeVisible()
    expect(bodyOf('POST /contatos/lote')).toMatchObject({ adicionar: [], remover: ['e1'] })
  })

  it('writes first and offers the open conversa when there is one', async () => {
    const { api } = open([makeContato({ pediuParada: true })])
    const conversaId = '01900000-0000-7000-8000-000000000001'
    // Without the conversa the inbox would remove it from the address.
    api.on('GET /atendimento/conversas', () => ok({ conversas: [makeConversa({ id: conversaId })] }))
    api.on(`GET /atendimento/conversas/${conversaId}`, () => ok({ conversa: makeConversa({ id: conversaId }) }))
    api.on('POST /atendimento/conversas', () => refusal(409, 'conversaAberta', 'Aberta.', { conversaId }))
    await button('Escrever para Ana Lima').click()
    await expect.element(dialog.getByText('Esta pessoa pediu PARAR')).toBeVisible()
    await field('Primeira mensagem (opcional)').fill('Seu bolo está pronto')
    await expectAccessible()
    await button('Enviar').click()
    await expect.element(dialog.getByText(/^Este contato já tem uma conversa aberta/)).toBeVisible()
    expect(bodyOf('POST /atendimento/conversas')).toEqual({ contatoId: 'c1', mensagem: 'Seu bolo está pronto' })
    await button('Ver conversa').click()
    await expect.poll(() => location.search).toContain(`aba=atendimento&c=${conversaId}`)
  })

  it('shows the effect of an import before it writes', async () => {
    const { api } = open([])
    const simulations: string[] = []
    api.on('POST /contatos/importar', ({ url }) => {
      simulations.push(String(url.searchParams.get('simular')))
      if (simulations.length === 1) return refusal(400, 'dadosInvalidos', 'O arquivo não tem uma coluna de telefone.')
      if (simulations.length === 3) return refusal(503, 'indisponivel', 'O banco está ocupado.')
      return ok({ novos: 2, atualizados: 1, iguais: 4, apagados: 1, recusados: [{ linha: 7, motivo: 'Sem telefone' }] })
    })
    await expect.element(page.getByText('Nenhum contato ainda')).toBeVisible()
    await button('Importar').click()
    const choose = () =>
      userEvent.upload(field('Escolher arquivo'), new File(['a;b'], 'clientes.csv', { type: 'text/csv' }))
    await choose()
    await expect.element(dialog.getByText('O arquivo não tem uma coluna de telefone.')).toBeVisible()
    await choose()
    await expect.element(dialog.getByText('clientes.csv')).toBeVisible()
    await expect.element(dialog.getByRole('row', { name: '7 Sem telefone' })).toBeVisible()
    await expect.element(dialog.getByText('1 contato novo teve os dados apagados a pedido do cliente.')).toBeVisible()
    await expectAccessible()
    await button('Importar 3').click()
    await expect
      .element(dialog.getByText('Os contatos não foram importados: O banco está ocupado.', { exact: true }))
      .toBeVisible()
    await button('Importar 3').click()
    await expect.element(page.getByText('Importação pronta: 2 novos e 1 alterados.')).toBeVisible()
    expect(simulations).toEqual(['true', 'true', 'false', 'false'])
  })

  it('renames and deletes etiquetas, and hides import and export from operadores', async () => {
    const { api } = open([makeContato()], { usuario: makeUsuario({ tipo: 'operador' }) })
    let taken = true
    api.on('PUT /etiquetas/e1', ({ body }) =>
      taken
        ? refusal(409, 'etiquetaExiste', 'Já existe uma etiqueta com este nome.')
        : ok({ etiqueta: { ...VIP, ...Object(body) } }),
    )
    api.on('DELETE /etiquetas/e1', () => ({ status: 204 }))
    await button('Mais ações dos contatos').click()
    expect(
      page
        .getByRole('menuitem')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Etiquetas'])
    await page.getByRole('menuitem', { name: 'Etiquetas' }).click()
    await field('Nome da etiqueta VIP').fill('Ouro')
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog.getByText('Já existe uma etiqueta com este nome.')).toBeVisible()
    taken = false
    await field('Nome da etiqueta VIP').fill('Prata')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => bodyOf('PUT /etiquetas/e1')).toEqual({ nome: 'Prata' })
    await expectAccessible()
    await button('Excluir VIP').click()
    await button('Excluir etiqueta').click()
    await expect.poll(() => panel?.api.calls.some(({ route }) => route === 'DELETE /etiquetas/e1')).toBe(true)
  })

  it('shows a failed read with a retry', async () => {
    const { api } = open([makeContato()])
    let fails = true
    api.on('GET /contatos', () =>
      fails ? refusal(400, 'dadosInvalidos', 'A lista não abriu.') : ok({ contatos: PEOPLE, proximoCursor: null }),
    )
    await expect.element(page.getByText('A lista não abriu.')).toBeVisible()
    fails = false
    await button('Tentar de novo').click()
    await expect.poll(() => rows().length).toBe(4)
  })
})
