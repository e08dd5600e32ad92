import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Log, TipoLog } from '@balcao/contract/entities/log'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import { CONTA_ID, openPanel, type PanelTestApp, type PanelServer, makeBotStatus } from '#test/dashboard/panel.tsx'

/** The tab logs over a fake server that keeps, filters and pages its log. */

export function makeSistemaStatus(fields: Partial<SistemaStatus> = {}): SistemaStatus {
  return {
    whatsapp: 'CONECTADO',
    servidor: 'online',
    ia: 'ativa',
    sistema: { manutencao: false },
    inicializado: true,
    cpu: 45.2,
    memoria: 61,
    tempoResposta: 0.018,
    tempoRespostaIa: 1.234,
    falhasIaHoje: 0,
    mensagensHoje: 1742,
    variacaoMensagens: 12,
    sinal: 'forte',
    ultimoQuadroS: 4.2,
    ...fields,
  }
}

const TODAY = new Date(new Date().setHours(12, 0, 0, 0))

export function makeLog(n: number, tipo: TipoLog = 'info', message = `Registro ${n}`, details?: Log['detalhes']): Log {
  return {
    id: `01950000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    tipo,
    mensagem: message,
    ...(details === undefined ? {} : { detalhes: details }),
    timestamp: new Date(TODAY.getTime() + n * 60_000).toISOString(),
  }
}

export function makeMensagemBot(n: number, fields: Partial<MensagemBot> = {}): MensagemBot {
  return {
    id: `01950000-0000-7000-9000-${String(n).padStart(12, '0')}`,
    timestamp: TODAY.toISOString(),
    conteudo: `Mensagem ${n}`,
    contato: 'Marina Duarte',
    telefone: '5511912345678',
    direcao: 'entrada',
    origem: 'cliente',
    ...fields,
  }
}

export interface LogsTestApp {
  readonly panel: PanelTestApp
  logs: Log[]
  mensagens: MensagemBot[]
  sistema: SistemaStatus
  readonly requests: string[]
}

function filterLogs({ logs }: LogsTestApp, url: URL): Log[] {
  const { tipo = null, busca = '' } = Object.fromEntries(url.searchParams)
  return logs.filter(
    (log) => (tipo === null || log.tipo === tipo) && log.mensagem.toLowerCase().includes(busca.toLowerCase()),
  )
}

export function openLogsTab(count = 3, query = '', initial: Partial<PanelServer> = {}): LogsTestApp {
  const painel = openPanel(`/dashboard?aba=logs${query}`, {
    bot: makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true }),
    ...initial,
  })
  const registro: LogsTestApp = {
    panel: painel,
    logs: Array.from({ length: count }, (_, i) => makeLog(count - i)),
    mensagens: [],
    sistema: makeSistemaStatus(),
    requests: [],
  }
  painel.api.on('GET /sistema/status', () => ok(registro.sistema))
  painel.api.on('GET /logs', ({ url }) => {
    registro.requests.push(url.search)
    const found = filterLogs(registro, url)
    const start = found.findIndex(({ id }) => id === url.searchParams.get('cursor')) + 1
    const limite = Number(url.searchParams.get('limite') ?? 100)
    const logs = found.slice(start, start + limite)
    const resta = found.length > start + limite
    return ok({ logs, ...(resta ? { proximoCursor: logs.at(-1)?.id } : {}) })
  })
  painel.api.on('GET /mensagens', () => ok({ mensagens: registro.mensagens }))
  return registro
}

export function addLog(app: LogsTestApp, log: Log): void {
  app.logs = [log, ...app.logs]
  fakeSocket.emit('botLog', { ...log, userId: CONTA_ID })
}

/** Waits for the socket. Moves the pointer away first, because the list pauses under it. */
export async function waitForLive(): Promise<void> {
  await page.getByRole('banner').hover()
  await expect.poll(() => fakeSocket.connectionCount()).toBe(1)
  await expect.element(page.getByText('Ao vivo', { exact: true })).toBeVisible()
}

export const logList = page.getByRole('region', { name: 'Registros' })
export const logRows = (): string[] =>
  [...document.querySelectorAll('[aria-label=Registros] li > button')].map((line) => line.textContent)
export const button = (name: string | RegExp) => page.getByRole('button', { name: name, exact: true })
export const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)
