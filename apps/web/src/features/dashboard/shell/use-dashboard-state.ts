import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CONNECTORS } from '@balcao/contract/connectors'
import type { Aba } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento-resumo'
import { notify } from '#shared/avisos.ts'
import { useBotStatus, type BotStatusRead } from '#shared/data/bot-status.ts'
import { useConfig, type ConfigRead } from '#shared/data/config/use-config.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import type { PlanLimits } from '#shared/conta/plan-limits.ts'
import { useLoginSession, useUsuario } from '#shared/session.tsx'
import { useSocketState } from '#shared/realtime/socket.ts'
import type { SocketState } from '#shared/realtime/socket-connection.ts'
import { TEXTS } from '#shared/texts.ts'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { canView, type Viewer } from './tab-list.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import type { ActionDeps } from './run-actions.ts'

export interface DashboardState {
  readonly usuario: Usuario
  readonly viewer: Viewer
  readonly aba: Aba
  readonly bot: BotStatusRead
  readonly config: ConfigRead
  readonly socket: SocketState
  /** Null while unknown, and for administrators, who have no limit. */
  readonly usage: { readonly usado: number; readonly limite: number } | null
  /** Limits under the plan's label. Null while unknown, and for operadores. */
  readonly limits: PlanLimits | null
  readonly waitingCount: number
  readonly actions: QuickActions
  readonly askClearSession: () => void
  readonly logout: () => void
  readonly hasSimulador: boolean
}

interface DashboardStateWithDialog {
  readonly painel: DashboardState
  readonly clearDialog: { readonly open: boolean; readonly close: () => void }
}

function useViewer(
  usuario: Usuario,
  pedidos: boolean | null,
): { readonly viewer: Viewer } & Pick<DashboardState, 'usage' | 'limits'> {
  const { data, isError } = useUsageStats()
  // Permissions of the session are the fallback when the request fails.
  // For operadores they apply immediately, so the tabs of the dono never flash.
  const fromSession = isError || usuario.tipo === 'operador' ? usuario.componentesPermitidos : null
  const componentes = data?.componentesPermitidos ?? fromSession
  const viewer = { tipo: usuario.tipo, componentes, pedidos }
  const limite = data?.limiteDiario ?? null
  const unlimited = usuario.tipo === 'admin' || limite === null
  const usage = data === undefined || unlimited ? null : { usado: data.estatisticas.mensagensHoje, limite }
  const limits = data === undefined || usuario.tipo === 'operador' ? null : { limiteDiario: limite, ...data.recursos }
  return { viewer, usage, limits }
}

/** While the configuration loads, the link of the default connector is shown. */
function usesSimulador({ config }: ConfigRead): boolean {
  return CONNECTORS[config?.whatsapp.conector ?? 'simulador'].pairing === 'simulated'
}

export function useDashboardState(aba: Aba): DashboardStateWithDialog {
  const usuario = useUsuario()
  const { logout } = useLoginSession()
  const navigate = useNavigate()
  const bot = useBotStatus()
  const config = useConfig()
  const socket = useSocketState()
  const [clearOpen, setClearOpen] = useState(false)
  const goToGeral = () => void navigate({ to: '/dashboard', search: { aba: 'geral' } })
  const actions = useQuickActions({ config, bot: bot.bot, goToGeral })
  const { viewer, usage, limits } = useViewer(usuario, config.config?.loja.pedidos ?? null)
  const waitingCount = useWaitingCount(viewer.componentes !== null && canView(viewer, 'atendimento'))

  async function leave(): Promise<void> {
    logout()
    notify.sucesso(TEXTS.logout)
    await navigate({ to: '/login' })
  }

  return {
    painel: {
      usuario,
      viewer,
      aba,
      bot,
      config,
      socket,
      usage,
      limits,
      waitingCount,
      actions,
      askClearSession: () => setClearOpen(true),
      logout: () => void leave(),
      hasSimulador: usesSimulador(config) && canView(viewer, 'geral'),
    },
    clearDialog: { open: clearOpen, close: () => setClearOpen(false) },
  }
}

function useWaitingCount(allowed: boolean): number {
  const { data } = useQuery({
    queryKey: QUERY_KEYS.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: allowed,
    retry: false,
  })
  return data?.aguardando ?? 0
}

export type QuickAction = 'setup' | 'limpar' | 'recarregar' | 'verificar'

export interface QuickActions {
  readonly running: QuickAction | null
  readonly quickSetup: () => Promise<void>
  readonly clear: () => Promise<void>
  readonly reload: () => Promise<void>
  readonly check: () => Promise<void>
}

function useQuickActions(deps: Pick<ActionDeps, 'config' | 'bot' | 'goToGeral'>): QuickActions {
  const client = useQueryClient()
  const [inFlight, setInFlight] = useState<QuickAction | null>(null)

  const run = (acao: QuickAction) => async (): Promise<void> => {
    if (inFlight !== null) return
    setInFlight(acao)
    try {
      const actions = await import('./run-actions.ts')
      await actions[acao]({ ...deps, client })
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    setInFlight(null)
  }

  return {
    running: inFlight,
    quickSetup: run('setup'),
    clear: run('limpar'),
    reload: run('recarregar'),
    check: run('verificar'),
  }
}
