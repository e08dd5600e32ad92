import type { DashboardState, QuickAction, QuickActions } from './use-dashboard-state.ts'
import { isRestricted, readerOf } from '@balcao/contract/conversa-access'
import { useUsuario } from '#shared/session.tsx'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { describeLimits, type PlanLimits } from '#shared/conta/plan-limits.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { USO_AMARELO_PERCENTUAL, USO_VERMELHO_PERCENTUAL } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/bot-status'
import { Link } from '@tanstack/react-router'
import {
  ChevronDown,
  KeyRound,
  Activity,
  Eraser,
  LoaderCircle,
  type LucideIcon,
  RefreshCw,
  UserRound,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { BOT_STATUS_LABELS, type StatusTone, statusTone } from '#shared/data/status-labels.ts'

export function MenuFooter({
  painel: { usage, bot, socket, viewer, actions, askClearSession },
}: {
  painel: DashboardState
}) {
  return (
    <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-4 pt-4">
      <Link
        to="/conta"
        className="flex min-h-11 items-center gap-2.5 rounded-lg px-2 text-sm text-muted hover:bg-sunken hover:text-ink lg:min-h-9"
      >
        <UserRound aria-hidden className="size-4 flex-none" /> Minha conta
      </Link>
      <Link
        to="/seguranca"
        className="flex min-h-11 items-center gap-2.5 rounded-lg px-2 text-sm text-muted hover:bg-sunken hover:text-ink lg:min-h-9"
      >
        <KeyRound aria-hidden className="size-4 flex-none" /> Segurança
      </Link>
      {usage !== null && <DailyUsageBar usado={usage.usado} limite={usage.limite} />}
      <SystemStatus bot={bot.bot} online={socket.tipo === 'online'} />
      {viewer.tipo !== 'operador' && <ActionList actions={actions} onAskClear={askClearSession} />}
    </div>
  )
}

export function AccountLimits({ limits }: { limits: PlanLimits }) {
  return <>{describeLimits(limits)}</>
}

const USAGE_COLOR = { verde: 'brand', amarelo: 'warn', vermelho: 'danger' } as const

/** The exact ratio: 70.4 % is already yellow. */
function usageColor(percent: number): keyof typeof USAGE_COLOR {
  if (percent > USO_VERMELHO_PERCENTUAL) return 'vermelho'
  return percent > USO_AMARELO_PERCENTUAL ? 'amarelo' : 'verde'
}

function DailyUsageBar({ usado, limite }: { usado: number; limite: number }) {
  const percent = limite > 0 ? (usado / limite) * 100 : 0
  const color = usageColor(percent)
  return (
    <div className="px-2" data-uso={color}>
      <div className="mb-1.5 flex items-baseline justify-between gap-2 text-sm">
        <span className="font-semibold">Mensagens Hoje</span>
        <span className="text-muted tabular-nums">
          {formatNumber(usado)} / {formatNumber(limite)}
        </span>
      </div>
      <Meter label="Mensagens Hoje" percent={percent} color={USAGE_COLOR[color]} />
      <p className="mt-1 text-xs text-muted tabular-nums">{formatPercent(percent)} usado</p>
    </div>
  )
}

const STATUS_COLOR: Readonly<Record<StatusTone, string>> = {
  verde: 'bg-brand',
  amarelo: 'bg-ipe',
  vermelho: 'bg-danger',
  cinza: 'bg-line-strong',
}

function StatusRow({ nome, color, children }: { nome: string; color?: StatusTone; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 py-0.5">
      <dt className="text-muted">{nome}</dt>
      <dd className="flex min-w-0 items-center gap-2 font-semibold">
        {color !== undefined && <span aria-hidden className={`size-2 flex-none rounded-full ${STATUS_COLOR[color]}`} />}
        <span className="truncate">{children}</span>
      </dd>
    </div>
  )
}

function SystemStatus({ bot, online }: { bot: BotStatus; online: boolean }) {
  // The server names no contatos to an operador of some setores.
  const counts = !isRestricted(readerOf(useUsuario()))
  const status = parseStatusBot(bot.status)
  return (
    <details open className="group px-2 text-sm">
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between font-semibold [&::-webkit-details-marker]:hidden">
        Status do Sistema
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <dl className="pt-0.5">
        <StatusRow nome="Bot" color={statusTone(bot.status)}>
          {status === null ? 'Desconhecido' : BOT_STATUS_LABELS[status]}
          {bot.modoTeste && ' (teste)'}
        </StatusRow>
        <StatusRow nome="Tempo real" color={online ? 'verde' : 'cinza'}>
          {online ? 'Online' : 'Offline'}
        </StatusRow>
        {counts && <StatusRow nome="Conversas ativas">{bot.conversasAtivas.length}</StatusRow>}
      </dl>
    </details>
  )
}

export const QUICK_ACTION_DESCRIPTION: Readonly<Record<QuickAction, { title: string; icon: LucideIcon }>> = {
  setup: { title: 'Setup Rápido', icon: Zap },
  limpar: { title: 'Limpar Sessão', icon: Eraser },
  recarregar: { title: 'Recarregar Config', icon: RefreshCw },
  verificar: { title: 'Verificar Status Bot', icon: Activity },
}

interface ActionButtonProps {
  readonly action: QuickAction
  readonly actions: QuickActions
  readonly onClick: () => void
}

function ActionButton({ action, actions: { running }, onClick }: ActionButtonProps) {
  const { title, icon: Icon } = QUICK_ACTION_DESCRIPTION[action]
  const rodando = running === action
  return (
    <button
      type="button"
      className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2 text-left text-sm text-muted hover:bg-sunken hover:text-ink disabled:opacity-55 disabled:hover:bg-transparent"
      disabled={running !== null && !rodando}
      aria-busy={rodando}
      onClick={onClick}
    >
      {rodando ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        <Icon aria-hidden className="size-4 flex-none" />
      )}
      <span>{title}</span>
    </button>
  )
}

/** Rare acts on the bot, closed, so that the menu of a low screen ends above the fold. */
function ActionList({ actions, onAskClear }: { actions: QuickActions; onAskClear: () => void }) {
  return (
    <details
      className="group"
      onToggle={({ currentTarget }) => currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' })}
    >
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between px-2 text-sm font-semibold [&::-webkit-details-marker]:hidden">
        Ações rápidas
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-1">
        <ActionButton action="setup" actions={actions} onClick={() => void actions.quickSetup()} />
        <ActionButton action="limpar" actions={actions} onClick={onAskClear} />
        <ActionButton action="recarregar" actions={actions} onClick={() => void actions.reload()} />
        <ActionButton action="verificar" actions={actions} onClick={() => void actions.check()} />
      </div>
    </details>
  )
}
