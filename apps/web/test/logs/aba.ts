import { socketDeMentira } from '../dashboard/fake-socket.ts'
import type { Log, TipoLog } from '@balcao/contract/entities/log'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { ok } from '#test/fake-api.ts'
import { CONTA, montarPainel, type PainelDeTeste, type Servidor, umStatus } from '../dashboard/painel.tsx'

/** The tab logs over a fake server that keeps, filters and pages its log. */

export function umSistema(campos: Partial<SistemaStatus> = {}): SistemaStatus {
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
    ...campos,
  }
}

const HOJE = new Date(new Date().setHours(12, 0, 0, 0))

export function umLog(n: number, tipo: TipoLog = 'info', mensagem = `Registro ${n}`, detalhes?: Log['detalhes']): Log {
  return {
    id: `01950000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    tipo,
    mensagem,
    ...(detalhes === undefined ? {} : { detalhes }),
    timestamp: new Date(HOJE.getTime() + n * 60_000).toISOString(),
  }
}

export function umaMensagem(n: number, campos: Partial<MensagemBot> = {}): MensagemBot {
  return {
    id: `01950000-0000-7000-9000-${String(n).padStart(12, '0')}`,
    timestamp: HOJE.toISOString(),
    conteudo: `Mensagem ${n}`,
    contato: 'Marina Duarte',
    telefone: '5511912345678',
    direcao: 'entrada',
    origem: 'cliente',
    ...campos,
  }
}

export interface Registro {
  readonly painel: PainelDeTeste
  logs: Log[]
  mensagens: MensagemBot[]
  sistema: SistemaStatus
  readonly pedidos: string[]
}

function buscar({ logs }: Registro, url: URL): Log[] {
  const { tipo = null, busca = '' } = Object.fromEntries(url.searchParams)
  return logs.filter(
    (log) => (tipo === null || log.tipo === tipo) && log.mensagem.toLowerCase().includes(busca.toLowerCase()),
  )
}

export function abrirLogs(quantos = 3, endereco = '', inicial: Partial<Servidor> = {}): Registro {
  const painel = montarPainel(`/dashboard?aba=logs${endereco}`, {
    bot: umStatus({ status: 'CONECTADO', isRunning: true, inicializado: true }),
    ...inicial,
  })
  const registro: Registro = {
    painel,
    logs: Array.from({ length: quantos }, (_, i) => umLog(quantos - i)),
    mensagens: [],
    sistema: umSistema(),
    pedidos: [],
  }
  painel.api.on('GET /sistema/status', () => ok(registro.sistema))
  painel.api.on('GET /logs', ({ url }) => {
    registro.pedidos.push(url.search)
    const achados = buscar(registro, url)
    const inicio = achados.findIndex(({ id }) => id === url.searchParams.get('cursor')) + 1
    const limite = Number(url.searchParams.get('limite') ?? 100)
    const logs = achados.slice(inicio, inicio + limite)
    const resta = achados.length > inicio + limite
    return ok({ logs, ...(resta ? { proximoCursor: logs.at(-1)?.id } : {}) })
  })
  painel.api.on('GET /mensagens', () => ok({ mensagens: registro.mensagens }))
  return registro
}

export function escrever(registro: Registro, log: Log): void {
  registro.logs = [log, ...registro.logs]
  socketDeMentira.emitir('botLog', { ...log, userId: CONTA })
}

/** Waits for the socket. Moves the pointer away first, because the list pauses under it. */
export async function ligado(): Promise<void> {
  await page.getByRole('banner').hover()
  await expect.poll(() => socketDeMentira.conectados()).toBe(1)
  await expect.element(page.getByText('Ao vivo', { exact: true })).toBeVisible()
}

export const lista = page.getByRole('region', { name: 'Registros' })
export const linhas = (): string[] =>
  [...document.querySelectorAll('[aria-label=Registros] li > button')].map((linha) => linha.textContent)
export const botao = (nome: string | RegExp) => page.getByRole('button', { name: nome, exact: true })
export const aviso = (texto: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(texto)
