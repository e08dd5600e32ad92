import { fakeSocket } from './fake-socket.ts'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { Linha } from '@balcao/contract/entities/linha'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { Recursos, Usuario } from '@balcao/contract/entities/usuario'
import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { defaultConfig } from '@balcao/contract/defaults'
import { createRoot } from 'react-dom/client'
import toast from 'react-hot-toast/headless'
import { App } from '#app/app.tsx'
import { type FakeApi, fakeApi, ok } from '#test/fake-api.ts'
import { makeUsuario } from '#test/render.tsx'

export const CONTA_ID = 'conta-1'

export function makeBotStatus(fields: Partial<BotStatus> = {}): BotStatus {
  return { ...BOT_STATUS_INICIAL, ...fields }
}

export function makeConfig(clientId = 'padaria-aurora', versao = 3): VersionedConfig {
  const padrao = defaultConfig()
  return { ...padrao, versao, whatsapp: { ...padrao.whatsapp, clientId } }
}

export function makeLinha(fields: Partial<Linha> = {}): Linha {
  return {
    ...{ id: 'l1', nome: 'Principal', conector: 'whatsapp', principal: false, cor: 'blue', setor: '', ativa: true },
    ...{ status: 'CONECTADO', criadaEm: '2026-11-01T12:00:00.000Z', versao: 1 },
    ...fields,
  }
}

export interface PanelServer {
  usuario: Usuario
  bot: BotStatus
  config: VersionedConfig
  mensagensHoje: number
  limiteDiario: number | null
  limiteLinhas: number
  mensagensNoMes: number
  recursos: Recursos
  /** Digits of the installation's support. */
  suporte: string
  /** False: no mail server. */
  email: boolean
  linhas: Linha[]
}

export interface PanelTestApp {
  readonly api: FakeApi
  readonly server: PanelServer
  readonly unmount: () => void
}

function usageStats({ usuario, mensagensHoje, limiteDiario, limiteLinhas, mensagensNoMes, recursos }: PanelServer) {
  const percentualUso = limiteDiario === null ? 0 : Math.round((mensagensHoje / limiteDiario) * 100)
  const uso = { mensagensHoje, limiteDiario, percentualUso, mensagemesTotalMes: mensagensNoMes }
  return {
    sucesso: true,
    usuario: {
      ...usuario,
      estatisticas: uso,
      recursos,
      limiteLinhas,
      limiteDiario,
      percentualUso,
      mensagemesTotalMes: mensagensNoMes,
    },
  }
}

const EMPTY_FIGURES = {
  ...{ conversas: 0, finalizadas: 0, avaliacoes: 0, semResposta: 0 },
  ...{ primeiraRespostaMs: null, resolucaoMs: null, notaMedia: null },
  espera: { media: null, mediana: null, p90: null },
}
const EMPTY_REPORT = { total: EMPTY_FIGURES, anterior: EMPTY_FIGURES, dias: [], setores: [], operadores: [] }

/** Notices outlive a screen. Removes them, and the pointer from them, before the next test. */
function clearAvisos(): void {
  const region = document.querySelector('[aria-label=Avisos]')
  region?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
  toast.remove()
}

export function openPanel(url: string, initial: Partial<PanelServer> = {}): PanelTestApp {
  const servidor: PanelServer = {
    usuario: makeUsuario(),
    bot: makeBotStatus(),
    config: makeConfig(),
    mensagensHoje: 120,
    limiteDiario: 1000,
    limiteLinhas: 3,
    mensagensNoMes: 0,
    recursos: { iaPermitida: true, opcoesMenuMaximo: null },
    suporte: '',
    email: true,
    linhas: [makeLinha({ principal: true })],
    ...initial,
  }
  const api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: servidor.usuario }),
    'GET /auth/opcoes': () =>
      ok({ permitirAutoRegistro: true, suporteWhatsapp: servidor.suporte, email: servidor.email }),
    'POST /auth/logout': () => ({ status: 204 }),
    'GET /config': () => ok({ sucesso: true, config: servidor.config }),
    'GET /config/versoes': () => ok({ versoes: [] }),
    'GET /bot/status': () => ok(servidor.bot),
    'GET /usuario/estatisticas': () => ok(usageStats(servidor)),
    'GET /linhas': () => ok({ linhas: servidor.linhas }),
    'GET /health': () => ok({ sucesso: true }),
    'GET /atendimento/relatorio': () => ok(EMPTY_REPORT),
  })
  localStorage.setItem('token', 't')
  localStorage.setItem('user', JSON.stringify(servidor.usuario))
  history.pushState(null, '', url)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(<App />)
  return {
    api,
    server: servidor,
    unmount: () => {
      clearAvisos()
      root.unmount()
      place.remove()
      api.restore()
      fakeSocket.restore()
    },
  }
}
