import { socketDeMentira } from './fake-socket.ts'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ComponentesPermitidos, Usuario } from '@balcao/contract/entities/usuario'
import { BOT_STATUS_INICIAL } from '@balcao/contract/status-bot'
import { defaultConfig } from '@balcao/contract/defaults'
import { createRoot } from 'react-dom/client'
import toast from 'react-hot-toast/headless'
import { App } from '#app/app.tsx'
import { type FakeApi, fakeApi, ok } from '#test/fake-api.ts'

export const CONTA = 'conta-1'

export const TODOS: ComponentesPermitidos = {
  configuracaoGeral: true,
  mensagensMenus: true,
  iaChatbot: true,
  logsStatus: true,
  atendimentoHumano: true,
  lojaWhatsapp: true,
}

export function umUsuario(campos: Partial<Usuario> = {}): Usuario {
  return {
    id: 'u1',
    contaId: CONTA,
    nome: 'Ana Ribeiro',
    email: 'ana@aurora.com.br',
    telefone: '11987654321',
    empresa: 'Padaria Aurora',
    tipo: 'usuario',
    plano: 'gratuito',
    status: 'ativo',
    ativo: true,
    dataCriacao: '2025-11-01T12:00:00.000Z',
    limiteMensagensDia: 1000,
    componentesPermitidos: TODOS,
    ...campos,
  }
}

export function umStatus(campos: Partial<BotStatus> = {}): BotStatus {
  return { ...BOT_STATUS_INICIAL, ...campos }
}

export function umaConfig(clientId = 'padaria-aurora', versao = 3): ConfigVersionada {
  const padrao = defaultConfig()
  return { ...padrao, versao, whatsapp: { ...padrao.whatsapp, clientId } }
}

export interface Servidor {
  usuario: Usuario
  bot: BotStatus
  config: ConfigVersionada
  mensagensHoje: number
  limiteDiario: number | null
  mensagensNoMes: number
}

export interface PainelDeTeste {
  readonly api: FakeApi
  readonly servidor: Servidor
  readonly desmontar: () => void
}

function estatisticas({ usuario, mensagensHoje, limiteDiario, mensagensNoMes }: Servidor) {
  const percentualUso = limiteDiario === null ? 0 : Math.round((mensagensHoje / limiteDiario) * 100)
  const uso = { mensagensHoje, limiteDiario, percentualUso, mensagemesTotalMes: mensagensNoMes }
  return {
    sucesso: true,
    usuario: { ...usuario, estatisticas: uso, limiteDiario, percentualUso, mensagemesTotalMes: mensagensNoMes },
  }
}

/** Notices outlive a screen. Removes them, and the pointer from them, before the next test. */
function limparAvisos(): void {
  const regiao = document.querySelector('[aria-label=Avisos]')
  regiao?.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
  toast.remove()
}

export function montarPainel(endereco: string, inicial: Partial<Servidor> = {}): PainelDeTeste {
  const servidor: Servidor = {
    usuario: umUsuario(),
    bot: umStatus(),
    config: umaConfig(),
    mensagensHoje: 120,
    limiteDiario: 1000,
    mensagensNoMes: 0,
    ...inicial,
  }
  const api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: servidor.usuario }),
    'POST /auth/logout': () => ({ status: 204 }),
    'GET /config': () => ok({ sucesso: true, config: servidor.config }),
    'GET /config/versoes': () => ok({ versoes: [] }),
    'GET /bot/status': () => ok(servidor.bot),
    'GET /usuario/estatisticas': () => ok(estatisticas(servidor)),
    'GET /health': () => ok({ sucesso: true }),
  })
  localStorage.setItem('token', 't')
  localStorage.setItem('user', JSON.stringify(servidor.usuario))
  history.pushState(null, '', endereco)
  const lugar = document.createElement('div')
  document.body.append(lugar)
  const raiz = createRoot(lugar)
  raiz.render(<App />)
  return {
    api,
    servidor,
    desmontar: () => {
      limparAvisos()
      raiz.unmount()
      lugar.remove()
      api.restore()
      socketDeMentira.voltar()
    },
  }
}
