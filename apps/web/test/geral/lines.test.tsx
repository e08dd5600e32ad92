import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, makeBotStatus, makeLinha, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeUsuario } from '#test/render.tsx'
import { aviso, card, chooseAct, CONNECTED, DELIVERY, lastBody, MAIN, openLines, SITE, TWO } from './lines.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

function abrir(...args: Parameters<typeof openLines>): PanelTestApp {
  painel = openLines(...args)
  return painel
}

const addButton = page.getByRole('button', { name: 'Adicionar uma linha' })
const nameField = page.getByLabelText('Nome da linha')
const createButton = page.getByRole('button', { name: 'Criar linha' })
const lines = page.getByRole('region', { name: 'Linhas' })

describe('An account with one line', () => {
  it('keeps its screen and offers one quiet action', async () => {
    abrir([MAIN])
    await expect.element(page.getByRole('heading', { name: 'Status do Bot' })).toBeVisible()
    await expect.element(page.getByLabelText('Conector', { exact: true })).toBeVisible()
    await expect.element(addButton).toBeVisible()
    await expect.element(lines).not.toBeInTheDocument()
  })

  it('adds a second number and shows both as cards', async () => {
    const screen = abrir([MAIN])
    await addButton.click()
    await createButton.click()
    await expect.element(page.getByText('Dê um nome à linha')).toBeVisible()
    await nameField.fill('Delivery')
    await page.getByTitle('Verde').click()
    await createButton.click()
    await expect.element(aviso('Linha “Delivery” criada.')).toBeVisible()
    expect(lastBody(screen, 'POST /linhas')).toEqual({
      nome: 'Delivery',
      conector: 'whatsapp',
      cor: 'green',
      setor: '',
    })
    await expect.element(card('Loja').getByText('Principal')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Iniciar bot de Delivery' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Status do Bot' })).not.toBeInTheDocument()
    await expect.element(page.getByLabelText('Conector da linha principal')).toBeVisible()
  })

  it('opens the settings of a new chat on the site', async () => {
    const screen = abrir([MAIN])
    screen.api.on('GET /linhas/nova/webchat', () => refusal(500, 'erroInterno', 'Erro ao carregar o chat do site'))
    await addButton.click()
    await nameField.fill('Site')
    await page.getByRole('radio', { name: /^Chat no site/ }).click()
    await createButton.click()
    await expect.element(page.getByRole('dialog', { name: 'Chat no site: Site' })).toBeVisible()
  })

  it('says how many lines the plan allows, before and after the request', async () => {
    const screen = abrir([MAIN], { limiteLinhas: 1 })
    await addButton.click()
    await expect.element(page.getByText('Seu plano permite 1 linha')).toBeVisible()
    await expect.element(createButton).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Entendi' }).click()
    screen.unmount()

    const other = abrir([MAIN])
    other.api.on('POST /linhas', () =>
      refusal(403, 'limiteLinhas', 'Sua conta já tem todas as linhas que pode ter.', { usado: 2, limite: 2 }),
    )
    await addButton.click()
    await nameField.fill('Delivery')
    await createButton.click()
    await expect.element(page.getByText('Seu plano permite até 2 linhas')).toBeVisible()
  })

  it('shows a taken name beside its field and keeps the text', async () => {
    const screen = abrir([MAIN])
    screen.api.on('POST /linhas', () => refusal(409, 'linhaExiste', 'Já existe uma linha com este nome.'))
    await addButton.click()
    await nameField.fill('Loja')
    await createButton.click()
    await expect.element(page.getByText('Já existe uma linha com este nome.')).toBeVisible()
    await expect.element(nameField).toHaveValue('Loja')
    await expectAccessible()
  })

  it('keeps the bot usable while the lines are unknown, and reads them again', async () => {
    const other = abrir(TWO)
    other.api.on('GET /linhas', () => refusal(500, 'erroInterno', 'Erro ao carregar as linhas'))
    await expect.element(page.getByText('Não foi possível carregar as linhas.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Parar bot' })).toBeVisible()
    other.api.on('GET /linhas', () => ok({ linhas: other.server.linhas }))
    await page.getByRole('button', { name: 'Carregar de novo' }).click()
    await expect.element(card('Delivery')).toBeVisible()
  })

  it('offers no new line to an operador', async () => {
    abrir([MAIN], { usuario: makeUsuario({ tipo: 'operador' }) })
    await expect.element(page.getByRole('heading', { name: 'Status do Bot' })).toBeVisible()
    await expect.element(addButton).not.toBeInTheDocument()
  })
})

describe('Cards of lines', () => {
  it('names number, connector, state and count, the main line first', async () => {
    abrir([MAIN, { ...DELIVERY, status: 'ERRO', motivo: 'numeroEmUso' }, SITE])
    await expect.element(lines.getByText('3 de 3')).toBeVisible()
    expect(
      lines
        .getByRole('heading', { level: 3 })
        .elements()
        .map((title) => title.textContent),
    ).toEqual(['Loja', 'Delivery', 'Site'])
    await expect.element(card('Loja').getByText(/98765-4321/)).toBeVisible()
    await expect.element(card('Delivery').getByText('Este número já está conectado em outra linha.')).toBeVisible()
    await expect.element(card('Delivery').getByText(/desconecte a outra linha/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Configurar o chat de Site' })).toBeVisible()
    expect(page.getByRole('button', { name: 'Iniciar bot de Site' }).query()).toBeNull()
  })

  it('links a line by QR code or typed code, and follows its events', async () => {
    const screen = abrir()
    const { api } = screen
    api.on('POST /linhas/l2/iniciar', () => ok({ mensagem: 'x', ...makeBotStatus({ status: 'INICIALIZANDO' }) }))
    api.on('GET /linhas/l2/status', () => ok(makeBotStatus({ status: 'INICIALIZANDO' })))
    await expect.poll(() => fakeSocket.connectionCount()).toBe(1)
    await page.getByRole('button', { name: 'Iniciar bot de Delivery' }).click()
    await expect.element(card('Delivery').getByText('Iniciando', { exact: true })).toBeVisible()
    fakeSocket.emit('linhaQrCode', { userId: CONTA_ID, linhaId: 'l2', qrCode: '2@abc' })
    await expect.element(card('Delivery').getByRole('img', { name: 'QR Code' })).toBeVisible()
    expect(card('Loja').getByRole('img', { name: 'QR Code' }).query()).toBeNull()

    api.on('POST /linhas/l2/codigo', () =>
      ok({ codigo: 'ABCD1234', expiraEm: new Date(Date.now() + 120_000).toISOString() }),
    )
    await card('Delivery').getByText('Conectar com o número do celular').click()
    await page.getByLabelText('Número do WhatsApp da empresa').fill('11 98888-7777')
    await page.getByRole('button', { name: 'Gerar código' }).click()
    await expect.element(card('Delivery').getByText('ABCD-1234')).toBeVisible()
    expect(lastBody(screen, 'POST /linhas/l2/codigo')).toEqual({ telefone: '11 98888-7777' })

    const linha = { ...DELIVERY, status: 'CONECTADO', conectadoComo: '+55 11 98888-7777' }
    fakeSocket.emit('linhaMudou', { userId: CONTA_ID, linha })
    await expect.element(card('Delivery').getByText(/98888-7777/)).toBeVisible()
    await expect.element(card('Delivery').getByText('Conectado', { exact: true })).toBeVisible()
    expect(card('Delivery').getByRole('img', { name: 'QR Code' }).query()).toBeNull()
  })

  it('reads the QR code of a line that was waiting before the screen opened', async () => {
    const screen = abrir([MAIN, { ...DELIVERY, status: 'AGUARDANDO_QR' }])
    screen.api.on('GET /linhas/l2/status', () =>
      ok(makeBotStatus({ status: 'AGUARDANDO_QR', qrCode: '2@abc', qr: '2@abc' })),
    )
    await expect.element(card('Delivery').getByRole('img', { name: 'QR Code' })).toBeVisible()
    await expectAccessible()
  })

  it('connects the simulator of one line with a click', async () => {
    const waiting = makeBotStatus({ status: 'AGUARDANDO_QR', qrCode: 'q', qr: 'q', modoTeste: true })
    const screen = abrir([MAIN, { ...DELIVERY, conector: 'simulador', status: 'AGUARDANDO_QR' }])
    screen.api.on('GET /linhas/l2/status', () => ok(waiting))
    screen.api.on('POST /simulador/escanear', () => {
      screen.api.on('GET /linhas/l2/status', () => ok(makeBotStatus({ status: 'CONECTADO', isRunning: true })))
      return ok({ sucesso: true })
    })
    await card('Delivery').getByRole('button', { name: 'Conectar o simulador' }).click()
    await expect.element(card('Delivery').getByText('Conectado', { exact: true })).toBeVisible()
    expect(lastBody(screen, 'POST /simulador/escanear')).toEqual({ linhaId: 'l2' })
  })

  it('stops one line and reports a failure, while the other goes on', async () => {
    const screen = abrir([MAIN, { ...DELIVERY, status: 'CONECTADO' }])
    await page.getByRole('button', { name: 'Parar bot de Delivery' }).click()
    await expect.element(aviso(/Erro ao parar bot/)).toBeVisible()
    screen.api.on('POST /linhas/l2/parar', () => ok({ mensagem: 'x', ...makeBotStatus() }))
    await page.getByRole('button', { name: 'Parar bot de Delivery' }).click()
    await expect.element(page.getByRole('button', { name: 'Iniciar bot de Delivery' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Parar bot de Loja' })).toBeVisible()
  })

  it('starts the main line by the route of the bot', async () => {
    const screen = abrir(TWO, { bot: makeBotStatus() })
    screen.api.on('POST /bot/iniciar', () => ok({ mensagem: 'x', ...CONNECTED }))
    await page.getByRole('button', { name: 'Iniciar bot de Loja' }).click()
    await expect.element(card('Loja').getByText('Conectado', { exact: true })).toBeVisible()
  })

  it('clears the session of a line after a question', async () => {
    const screen = abrir([MAIN, { ...DELIVERY, status: 'CONECTADO' }])
    screen.api.on('POST /linhas/l2/limpar-sessao', () => ok({ mensagem: 'x', ...makeBotStatus() }))
    await chooseAct('Delivery', 'Limpar Sessão')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Limpar Sessão' }).click()
    await expect.element(aviso(/^Sessão limpa!/)).toBeVisible()
    await expect.element(card('Delivery').getByText('Parado', { exact: true })).toBeVisible()
  })

  it('edits the data of the official API of one line', async () => {
    const screen = abrir([MAIN, { ...DELIVERY, conector: 'oficial' }])
    const stored = { telefoneId: '', contaWhatsappId: '', token: '', segredo: '' }
    screen.api.on('GET /linhas/l2/oficial', () => ok({ oficial: stored }))
    screen.api.on('PUT /linhas/l2/oficial', ({ body }) => ok({ oficial: { ...stored, ...Object(body) } }))
    await page.getByRole('button', { name: 'Dados da API oficial de Delivery' }).click()
    await page.getByLabelText('Identificação do número de telefone').fill('106540')
    await userEvent.keyboard('{Escape}')
    await page.getByRole('button', { name: 'Continuar editando' }).click()
    await page.getByRole('button', { name: 'Salvar API oficial' }).click()
    await expect.element(aviso('API oficial salva! Inicie o bot para usar.')).toBeVisible()
    expect(lastBody(screen, 'PUT /linhas/l2/oficial')).toEqual({ ...stored, telefoneId: '106540' })
  })

  it('shows cards without acts of the owner to an operador', async () => {
    abrir(TWO, { usuario: makeUsuario({ tipo: 'operador' }) })
    await expect.element(page.getByRole('button', { name: 'Iniciar bot de Delivery' })).toBeVisible()
    await expect.element(addButton).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Mais ações de Delivery' }).click()
    expect(
      page
        .getByRole('menuitem')
        .elements()
        .map((item) => item.textContent),
    ).toEqual(['Limpar Sessão'])
  })
})

describe('Changing lines', () => {
  it('saves only the changed fields and keeps edits over the values of another window', async () => {
    const screen = abrir()
    await chooseAct('Delivery', 'Editar')
    await page.getByLabelText('Setor').selectOptions('Vendas')
    screen.server.linhas = [MAIN, { ...DELIVERY, nome: 'Entregas', versao: 2 }]
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    await expect.element(page.getByText('Esta linha mudou em outra janela')).toBeVisible()
    await expect.element(nameField).toHaveValue('Entregas')
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    await expect.element(aviso('Linha salva.')).toBeVisible()
    expect(lastBody(screen, 'PUT /linhas/l2')).toEqual({ setor: 'vendas', versao: 2 })
    await expect.element(card('Entregas').getByText('Vendas')).toBeVisible()
  })

  it('asks before unsaved edits of a line are lost', async () => {
    abrir(TWO)
    await chooseAct('Delivery', 'Editar')
    await nameField.fill('Entregas')
    const question = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
    await userEvent.keyboard('{Escape}')
    await question.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(nameField).toHaveValue('Entregas')
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await question.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(nameField).not.toBeInTheDocument()
    await chooseAct('Delivery', 'Editar')
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await expect.element(nameField).not.toBeInTheDocument()
  })

  it('changes the connector only of a stopped line', async () => {
    abrir([MAIN, { ...DELIVERY, status: 'CONECTADO' }])
    await chooseAct('Delivery', 'Editar')
    await expect.element(page.getByRole('dialog').getByLabelText('Conector')).toBeDisabled()
    await expect.element(page.getByText('Para trocar, pare antes o bot desta linha.')).toBeVisible()
    await expectAccessible()
  })

  it('deactivates a line, which says so and can return', async () => {
    abrir()
    await chooseAct('Delivery', 'Editar')
    await page.getByRole('switch', { name: /^Linha ativa/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click()
    await expect.element(card('Delivery').getByText('Desativada', { exact: true })).toBeVisible()
    await expect.element(card('Delivery').getByText(/ninguém é atendido por ela/)).toBeVisible()
    await page.getByRole('button', { name: 'Ativar Delivery' }).click()
    await expect.element(aviso('Delivery está ativa.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Iniciar bot de Delivery' })).toBeVisible()
  })

  it('makes another line the main one after a question', async () => {
    const screen = abrir()
    screen.api.on('PUT /linhas/l2', () => {
      screen.server.linhas = [
        { ...DELIVERY, principal: true, versao: 2 },
        { ...MAIN, principal: false, versao: 2 },
      ]
      return ok({ linha: screen.server.linhas[0] })
    })
    await chooseAct('Delivery', 'Tornar principal')
    await page.getByRole('button', { name: 'Tornar principal' }).click()
    await expect.element(aviso('Delivery é a linha principal agora.')).toBeVisible()
    await expect.element(card('Delivery').getByText('Principal')).toBeVisible()
    expect(lastBody(screen, 'PUT /linhas/l2')).toEqual({ principal: true, versao: 1 })
  })

  it('refuses the chat on the site as the main line', async () => {
    abrir([MAIN, SITE])
    await page.getByRole('button', { name: 'Mais ações de Site' }).click()
    await expect.element(page.getByText('O chat no site não pode ser a principal')).toBeVisible()
  })

  it('asks twice when people still serve conversas of a deleted line', async () => {
    const screen = abrir()
    const queries: string[] = []
    screen.api.on('DELETE /linhas/l2', ({ url }) => {
      queries.push(url.search)
      if (url.searchParams.get('encerrar') !== 'true')
        return refusal(409, 'linhaEmUso', 'Esta linha tem conversas abertas.', { conversas: 3 })
      screen.server.linhas = [MAIN]
      return { status: 204 }
    })
    await chooseAct('Delivery', 'Excluir')
    await page.getByRole('button', { name: 'Excluir linha' }).click()
    await expect.element(page.getByRole('alertdialog', { name: 'Delivery tem 3 conversas abertas' })).toBeVisible()
    await page.getByRole('button', { name: 'Voltar' }).click()
    await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
    await expect.element(card('Delivery')).toBeVisible()

    await chooseAct('Delivery', 'Excluir')
    await page.getByRole('button', { name: 'Excluir linha' }).click()
    await page.getByRole('button', { name: 'Encerrar e excluir' }).click()
    await expect.element(aviso('Linha “Delivery” excluída.')).toBeVisible()
    expect(queries).toEqual(['', '', '?encerrar=true'])
    await expect.element(page.getByRole('heading', { name: 'Status do Bot' })).toHaveFocus()
  })

  it('asks who the person is before a line is deleted', async () => {
    const screen = abrir()
    screen.api.on('DELETE /linhas/l2', () =>
      refusal(403, 'confirmacaoNecessaria', 'Confirme que é você.', { metodos: ['senha'] }),
    )
    await chooseAct('Delivery', 'Excluir')
    await page.getByRole('button', { name: 'Excluir linha' }).click()
    await expect.element(page.getByRole('dialog', { name: /Confirme/ })).toBeVisible()
  })

  it('passes axe with all states of a line', async () => {
    abrir([
      MAIN,
      { ...DELIVERY, status: 'ERRO', motivo: 'maquinaFora' },
      makeLinha({ id: 'l4', nome: 'Oficina', cor: 'red', conector: 'oficial', status: 'CONECTADO', setor: 'vendas' }),
      makeLinha({ id: 'l5', nome: 'Antiga', cor: 'gray', status: 'PARADO', ativa: false }),
      SITE,
    ])
    await expect.element(card('Antiga')).toBeVisible()
    await expectAccessible()
  })
})
