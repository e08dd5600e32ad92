import { fakeSocket } from '../dashboard/fake-socket.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID, makeConfig, makeBotStatus } from '#test/dashboard/panel.tsx'
import {
  openLogsTab,
  aviso,
  button,
  addLog,
  waitForLive,
  logRows,
  logList,
  type LogsTestApp,
  makeMensagemBot,
  makeLog,
  makeSistemaStatus,
} from './tab.ts'

let registro: LogsTestApp | null = null
const open = (...data: Parameters<typeof openLogsTab>): LogsTestApp => (registro = openLogsTab(...data))

afterEach(async () => {
  registro?.panel.unmount()
  await page.viewport(1366, 800)
})

it('opens Depuração by its address, with the conversa that was selected', async () => {
  open(1, '&c=c7#depuracao')
  await expect.element(page.getByText('Depuração')).toHaveFocus()
  await expect.element(page.getByText('c7', { exact: true })).toBeVisible()
  await expectAccessible()
})

it('names the protocol of each wait', async () => {
  const app = open(0)
  app.logs = [makeLog(1, 'bot', 'Um cliente espera.', { protocolo: '20261123-0047' })]
  await expect.element(page.getByText('Protocolo 20261123-0047.')).toBeVisible()
})

describe('Logs: cards', () => {
  it('shows the measured values', async () => {
    open()
    for (const text of ['Sinal forte', 'CPU 45%', 'Resposta 1,2 s', '+12% hoje', '1.742', 'última notícia há 4 s'])
      await expect.element(page.getByText(text, { exact: true })).toBeVisible()
    await expect.element(page.getByText('Memória 61% · resposta 0,02 s')).toBeVisible()
  })

  it('shows an unstable server', async () => {
    open().sistema = makeSistemaStatus({ servidor: 'instavel' })
    await expect.element(page.getByText('Instável')).toBeVisible()
  })

  it('shows a text for each missing value', async () => {
    const { panel } = open(0, '', { bot: makeBotStatus({ status: 'PARADO' }) })
    panel.api.on('GET /sistema/status', () =>
      ok(
        makeSistemaStatus({
          whatsapp: 'PARADO',
          ia: 'sem_chave',
          tempoRespostaIa: null,
          variacaoMensagens: null,
          sinal: null,
          ultimoQuadroS: null,
        }),
      ),
    )
    for (const text of ['Sem sinal', 'Sem API Key', 'Sem respostas', 'Sem comparação', 'Nenhum registro hoje'])
      await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  })

  it('shows how many questions the AI failed to answer', async () => {
    const { panel } = open()
    panel.api.on('GET /sistema/status', () => ok(makeSistemaStatus({ falhasIaHoje: 5 })))
    await expect.element(page.getByText('falhas da IA hoje: 5')).toBeVisible()
  })

  it('shows less than a second as just now', async () => {
    const { panel } = open()
    panel.api.on('GET /sistema/status', () => ok(makeSistemaStatus({ ultimoQuadroS: 0 })))
    await expect.element(page.getByText('última notícia agora mesmo')).toBeVisible()
  })

  it('follows the connection state of the socket', async () => {
    const aberto = open()
    await waitForLive()
    aberto.sistema = makeSistemaStatus({ whatsapp: 'INICIALIZANDO', sinal: null, ultimoQuadroS: null })
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'INICIALIZANDO', motivo: 'semRede' })
    await expect.element(page.getByText('Sem sinal', { exact: true })).toBeVisible()
  })
})

describe('Logs: filters', () => {
  it('keeps filters in the URL, queries the server and clears them with one click', async () => {
    const aberto = open(0)
    aberto.logs = [
      makeLog(3, 'error', 'O envio falhou'),
      makeLog(2, 'bot', 'Menu enviado'),
      makeLog(1, 'error', 'Sem rede'),
    ]
    await expect.poll(logRows).toHaveLength(3)
    expect(aberto.requests[0]).toBe('?periodo=hoje&limite=100')
    await page.getByText('Erro', { exact: true }).first().click()
    await expect.poll(logRows).toEqual([expect.stringContaining('O envio falhou'), expect.stringContaining('Sem rede')])
    await page.getByLabelText('Período').selectOptions('semana')
    await page.getByLabelText('Pesquisar').fill('rede')
    await expect.poll(logRows).toEqual([expect.stringContaining('Sem rede')])
    expect(aberto.requests.at(-1)).toBe('?periodo=semana&busca=rede&tipo=error&limite=100')
    expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
      aba: 'logs',
      busca: 'rede',
      tipo: 'error',
      periodo: 'semana',
    })
    await page.getByLabelText('Pesquisar').fill('não existe')
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await expectAccessible()
    await button('Limpar filtros').click()
    await expect.poll(logRows).toHaveLength(3)
    await expect.element(page.getByLabelText('Pesquisar')).toHaveValue('')
    await expect.element(page.getByRole('radio', { name: 'Todos' })).toBeChecked()
  })

  it('opens with the filters of the URL and ignores invalid ones', async () => {
    const aberto = open(2, '&periodo=ontem&tipo=talvez&busca=2')
    await expect.poll(logRows).toHaveLength(1)
    expect([...new Set(aberto.requests)]).toEqual(['?periodo=ontem&busca=2&limite=100'])
    await expect.element(page.getByText('Registros de ontem: não mudam mais.')).toBeVisible()
    await expect.element(page.getByLabelText('Período')).toHaveValue('ontem')
  })
})

describe('Logs: list', () => {
  it('adds live entries that match the filter and keeps 100', async () => {
    const aberto = open(150, '&busca=Registro')
    await waitForLive()
    await expect.poll(logRows).toHaveLength(100)
    await expect.element(page.getByText(/Aqui ficam os 100 mais recentes/)).toBeVisible()
    addLog(aberto, makeLog(151, 'info', 'De outro assunto'))
    addLog(aberto, makeLog(152, 'success', 'REGISTRO novo'))
    await expect.poll(() => logRows()[0]).toContain('REGISTRO novo')
    expect(logRows()).toHaveLength(100)
    expect(logRows()[1]).toContain('Registro 150')
  })

  it('pauses under the pointer and counts new entries', async () => {
    const aberto = open()
    await waitForLive()
    await logList.hover()
    await expect.element(page.getByText('Em pausa', { exact: true })).toBeVisible()
    addLog(aberto, makeLog(4))
    await expect.element(button('1 nova')).toBeVisible()
    addLog(aberto, makeLog(5))
    await expect.element(button('2 novas')).toBeVisible()
    expect(logRows()[0]).toContain('Registro 3')
    await button('2 novas').click()
    await expect.poll(() => logRows()[0]).toContain('Registro 5')
    await userEvent.unhover(logList)
    await page.getByLabelText('Pesquisar').click()
    addLog(aberto, makeLog(6))
    await expect.poll(() => logRows()[0]).toContain('Registro 6')
  })

  it('pauses while it has the focus, and permanently on request', async () => {
    const aberto = open()
    await waitForLive()
    page.getByLabelText('Mostrar detalhes').element().focus()
    await userEvent.keyboard('{Tab}')
    await expect.element(logList).toHaveFocus()
    await userEvent.keyboard('{Tab}')
    await expect.element(page.getByText('Em pausa', { exact: true })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(logList.getByText('Código')).toBeVisible()
    await button('Pausar a lista').click()
    addLog(aberto, makeLog(4))
    await expect.element(page.getByText('(1 nova)')).toBeVisible()
    expect(logRows()).toHaveLength(3)
    await expectAccessible()
    await button('Continuar').click()
    await expect.poll(logRows).toHaveLength(4)
  })

  it('opens a row by click and all rows by the switch', async () => {
    const aberto = open(0)
    aberto.logs = [
      makeLog(3, 'error', 'O envio falhou', { erro: 'sem conexão', mensagemId: 'm-1' }),
      makeLog(2, 'bot', 'Um cliente espera', { protocolo: '20261121-0001', setor: 'vendas' }),
      makeLog(1, 'user', 'Ana salvou', 'Texto dos detalhes'),
    ]
    await logList.getByRole('button', { name: /O envio falhou/ }).click()
    await expect.element(logList.getByText('sem conexão')).toBeVisible()
    expect(document.querySelectorAll('[aria-label=Registros] dl')).toHaveLength(1)
    await page.getByLabelText('Mostrar detalhes').click()
    for (const text of ['sem conexão', '20261121-0001', 'Vendas', 'Texto dos detalhes'])
      await expect.element(logList.getByText(text, { exact: true })).toBeVisible()
    await logList.getByRole('button', { name: /Um cliente espera/ }).click()
    await expect.element(logList.getByText('20261121-0001')).not.toBeInTheDocument()
  })

  it('keeps entries written during a read', async () => {
    const aberto = open(1)
    await waitForLive()
    const { promise: wait, resolve: reply } = Promise.withResolvers<void>()
    aberto.panel.api.on('GET /logs', async () => {
      await wait
      return ok({ logs: [makeLog(1)] })
    })
    const before = aberto.panel.api.calls.length
    await button('Atualizar').click()
    await expect.poll(() => aberto.panel.api.calls.slice(before).map(({ route }) => route)).toContain('GET /logs')
    addLog(aberto, makeLog(2))
    await expect.poll(logRows).toHaveLength(2)
    reply()
    await expect.element(aviso('Dados atualizados!')).toBeVisible()
    expect(logRows()).toHaveLength(2)
  })

  it('shows why a read failed, keeps the old entries and retries', async () => {
    const aberto = open(2)
    aberto.panel.api.on('GET /logs', () => refusal(400, 'dadosInvalidos', 'Erro ao carregar logs'))
    await expect.element(page.getByRole('alert').getByText('Erro ao carregar logs')).toBeVisible()
    await expectAccessible()
    aberto.panel.api.on('GET /logs', () => ok({ logs: aberto.logs }))
    await button('Tentar de novo').click()
    await expect.poll(logRows).toHaveLength(2)
    aberto.panel.api.on('GET /logs', () => refusal(400, 'dadosInvalidos', 'Não deu'))
    await button('Atualizar').click()
    await expect.element(aviso('Erro ao atualizar dados: Não deu')).toBeVisible()
    await expect.element(page.getByText(/Não foi possível atualizar: Não deu/)).toBeVisible()
    expect(logRows()).toHaveLength(2)
    aberto.panel.api.on('GET /logs', () => refusal(403, 'semPermissao', 'Você não tem permissão para isto.'))
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
  })
})

describe('Logs: messages', () => {
  it('shows the last 50 and follows their state', async () => {
    const aberto = open()
    aberto.mensagens = Array.from({ length: 50 }, (_, i) => makeMensagemBot(50 - i))
    await waitForLive()
    await page.getByRole('tab', { name: 'Logs' }).click()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(page.getByRole('tab', { name: 'Mensagens' })).toHaveFocus()
    const mensagens = page.getByRole('region', { name: 'Mensagens' })
    const items = () => [...mensagens.element().querySelectorAll('li')].map(({ textContent }) => textContent)
    await expect.poll(items).toHaveLength(50)
    expect(items()[0]).toContain('Marina Duarte+55 11 91234-5678')
    expect(location.search).toContain('lista=mensagens')
    const resposta = makeMensagemBot(51, { direcao: 'saida', origem: 'bot', conteudo: 'Olá!', estado: 'pendente' })
    fakeSocket.emit('botMensagem', { ...resposta, userId: CONTA_ID })
    await expect.poll(() => items()[0]).toMatch(/Enviada.*Olá!.*Bot.*Enviando…/)
    expect(items()).toHaveLength(50)
    fakeSocket.emit('botMensagem', { ...resposta, estado: 'falhou', userId: CONTA_ID })
    await expect.poll(() => items()[0]).toContain('Não enviada')
    fakeSocket.emit('botMensagem', { ...makeMensagemBot(52), userId: 'outra-conta' })
    fakeSocket.emit('botMensagem', {
      ...makeMensagemBot(53, { conteudo: '', midia: { tipo: 'imagem' } }),
      userId: CONTA_ID,
    })
    await expect.poll(() => items()[0]).toContain('Imagem')
    expect(items()[1]).toContain('Olá!')
    await expectAccessible()
  })

  it('says that there are none', async () => {
    open(0, '&lista=mensagens')
    await expect.element(page.getByText('Nenhuma mensagem ainda')).toBeVisible()
  })
})

describe('Logs: time zone', () => {
  it('shows the hours of the account, wherever the browser is', async () => {
    const config = makeConfig()
    const { horario } = config.atendimento
    const noAcre = { ...config.atendimento, horario: { ...horario, fuso: 'America/Rio_Branco' } }
    const registro = open(0, '', { config: { ...config, atendimento: noAcre } })
    registro.logs = [{ ...makeLog(1), timestamp: '2026-03-10T02:04:00.000Z' }]
    await expect.element(logList.getByText('21:04')).toBeVisible()
  })
})
