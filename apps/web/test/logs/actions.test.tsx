import { collectDownloads } from '#test/downloads.ts'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import {
  openLogsTab,
  aviso,
  button,
  waitForLive,
  logRows,
  type LogsTestApp,
  makeLog,
  makeSistemaStatus,
} from './tab.ts'

let registro: LogsTestApp | null = null
const open = (...data: Parameters<typeof openLogsTab>): LogsTestApp => (registro = openLogsTab(...data))

afterEach(async () => {
  registro?.panel.unmount()
  await page.viewport(1366, 800)
})

const bodies = (rota: string): unknown[] =>
  registro?.panel.api.calls.filter(({ route }) => route === rota).map(({ body }) => body) ?? []

describe('Modo de manutenção', () => {
  it('asks for the password, reports a wrong one and shows everywhere that it is on', async () => {
    const aberto = open()
    await button('Iniciar manutenção').click()
    const janela = page.getByRole('dialog', { name: 'Iniciar modo de manutenção?' })
    const password = janela.getByLabelText('Sua senha')
    await expect.element(password).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(password).toHaveAccessibleDescription(/Digite a senha para continuar/)
    await expectAccessible()
    expect(bodies('POST /sistema/manutencao')).toEqual([])

    aberto.panel.api.on('POST /sistema/manutencao', () => refusal(403, 'senhaManutencao', 'A senha está incorreta.'))
    await password.fill('errada')
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso('Erro: A senha está incorreta.')).toBeVisible()
    await expect.element(password).toHaveAccessibleDescription(/A senha está incorreta/)
    await expect.element(password).toHaveFocus()

    aberto.panel.api.on('POST /sistema/manutencao', () => {
      aberto.sistema = makeSistemaStatus({ sistema: { manutencao: true } })
      return ok({ manutencao: true })
    })
    await password.fill('certa')
    await janela.getByRole('button', { name: 'Iniciar manutenção' }).click()
    await expect.element(janela).not.toBeInTheDocument()
    expect(bodies('POST /sistema/manutencao')).toEqual([
      { senha: 'errada', ativa: true },
      { senha: 'certa', ativa: true },
    ])
    await expect.element(page.getByText('Modo de manutenção ligado')).toBeVisible()
    await expect.element(button('Encerrar manutenção')).toBeVisible()
    await expectAccessible()
  })

  it('asks for the password to end', async () => {
    const aberto = open(1)
    aberto.sistema = makeSistemaStatus({ sistema: { manutencao: true } })
    await button('Encerrar manutenção').click()
    aberto.panel.api.on('POST /sistema/manutencao', () => {
      aberto.sistema = makeSistemaStatus()
      return ok({ manutencao: false })
    })
    await page.getByLabelText('Sua senha').fill('certa')
    await userEvent.keyboard('{Enter}')
    await expect.element(button('Iniciar manutenção')).toBeVisible()
    expect(bodies('POST /sistema/manutencao')).toEqual([{ senha: 'certa', ativa: false }])
  })

  it('shows on the other tabs, with a link to end it', async () => {
    const aberto = open()
    await waitForLive()
    aberto.sistema = makeSistemaStatus({ sistema: { manutencao: true } })
    aberto.panel.server.bot = { ...aberto.panel.server.bot, motivo: 'manutencao' }
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'CONECTADO', motivo: 'manutencao' })
    await expect.element(button('Encerrar manutenção')).toBeVisible()
    await page.getByRole('link', { name: 'Geral' }).first().click()
    await page.getByRole('link', { name: 'Abrir a aba Logs' }).click()
    await expect.element(button('Encerrar manutenção')).toBeVisible()
  })
})

describe('Limpar conversas', () => {
  const conversa = (id: string, etapa: string, ativa: boolean) => ({
    id,
    telefone: '5511912345678',
    nome: 'Marina',
    etapa,
    ativa,
    ultimaAtividade: '2026-11-21T12:00:00.000Z',
    iniciadoEm: '2026-11-21T12:00:00.000Z',
  })

  it('shows how many are deleted and how many stay before asking', async () => {
    const { panel } = open()
    panel.api.on('GET /conversas', () =>
      ok({
        conversas: [conversa('a', 'menu', true), conversa('b', 'humano', true), conversa('c', 'humano', false)],
        agendadas: 3,
      }),
    )
    panel.api.on('DELETE /conversas', () => ok({ sucesso: true, removidas: 2, agendadas: 3 }))
    await button('Limpar conversas').click()
    const janela = page.getByRole('alertdialog', { name: 'Limpar as conversas?' })
    await expect.element(janela.getByText('Agora: 2 conversas para apagar, 1 continua.')).toBeVisible()
    await expect.element(janela.getByText(/^3 mensagens agendadas dessas conversas também saem/)).toBeVisible()
    await expect.element(janela.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    await expectAccessible()
    await userEvent.keyboard('{Enter}')
    await expect.element(janela).not.toBeInTheDocument()
    expect(bodies('DELETE /conversas')).toHaveLength(0)
    await button('Limpar conversas').click()
    const clear = janela.getByRole('button', { name: 'Limpar conversas' })
    await expect.element(janela.getByRole('link', { name: 'Escolher o prazo em Privacidade' })).toBeVisible()
    await janela.getByLabelText('Para apagar, digite APAGAR').fill('apagar')
    await expect.element(clear).toBeDisabled()
    await janela.getByLabelText('Para apagar, digite APAGAR').fill('APAGAR')
    await clear.click()
    await expect.element(aviso('Conversas limpas! 2 conversas e 3 mensagens agendadas a menos.')).toBeVisible()
    expect(bodies('DELETE /conversas')).toHaveLength(1)
  })

  it('reports a failure', async () => {
    const { panel } = open()
    panel.api.on('GET /conversas', () => refusal(400, 'dadosInvalidos', 'Sem banco'))
    panel.api.on('DELETE /conversas', () => refusal(400, 'dadosInvalidos', 'Ocupado'))
    await button('Limpar conversas').click()
    await expect.element(aviso('Erro ao carregar conversas: Sem banco')).toBeVisible()
    await page.getByLabelText('Para apagar, digite APAGAR').fill('APAGAR')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Limpar conversas' }).click()
    await expect.element(aviso('Erro ao limpar conversas: Ocupado')).toBeVisible()
  })
})

describe('Log export', () => {
  it('exports every filtered entry, page by page, in a file named by day', async () => {
    const aberto = open(0, '&tipo=error')
    aberto.logs = Array.from({ length: 900 }, (_, i) => makeLog(900 - i, i % 2 === 0 ? 'error' : 'info'))
    await expect.poll(logRows).toHaveLength(100)
    const arquivos = collectDownloads()
    await button('Exportar').click()
    await expect.element(aviso('Logs exportados com sucesso!')).toBeVisible()
    const doDia = { timeZone: 'America/Sao_Paulo', dateStyle: 'short' } as const
    const day = new Intl.DateTimeFormat('sv-SE', doDia).format(new Date())
    expect(arquivos.map(({ nome }) => nome)).toEqual([`logs-${day}.json`])
    const content: unknown = JSON.parse((await arquivos[0]?.conteudo) ?? '')
    expect(content).toEqual(aberto.logs.filter(({ tipo }) => tipo === 'error'))
    expect(aberto.requests.filter((request) => request.includes('limite=200'))).toHaveLength(3)
  })

  it('stops at 10,000 entries with a notice and writes no empty file', async () => {
    const aberto = open(10_001)
    await expect.poll(logRows).toHaveLength(100)
    const arquivos = collectDownloads()
    await button('Exportar').click()
    await expect.element(aviso(/Exportados os 10.000 logs mais recentes/)).toBeVisible()
    expect(JSON.parse((await arquivos[0]?.conteudo) ?? '')).toHaveLength(10_000)
    aberto.logs = []
    await button('Exportar').click()
    await expect.element(aviso('Não há registros para exportar com este filtro.')).toBeVisible()
    expect(arquivos).toHaveLength(1)
  })

  it('reports a failure', async () => {
    const { panel } = open()
    await expect.poll(logRows).toHaveLength(3)
    panel.api.on('GET /logs', () => refusal(400, 'dadosInvalidos', 'Ocupado'))
    await button('Exportar').click()
    await expect.element(aviso('Erro ao exportar logs: Ocupado')).toBeVisible()
  })
})
