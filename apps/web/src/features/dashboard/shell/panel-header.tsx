import { CircleCheck, CircleDashed, Menu, Search, TriangleAlert, Wifi, WifiOff } from 'lucide-react'
import type { ConfigRead } from '#shared/data/config/use-config.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { TAB_DESCRIPTION } from './tab-list.ts'
import { NoticeCenter } from '#features/dashboard/avisos/notice-center.tsx'
import type { DashboardState } from './use-dashboard-state.ts'
import { useEffect, useState } from 'react'
import type { SocketState } from '#shared/realtime/socket-connection.ts'

/** For the first 5 s of a lost connection the chip shows no seconds. */
const RECONNECTING_S = 5

/** `há 20 s`, then minutes and hours. */
function formatOffline(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

function Reconnecting({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const offline = seconds >= RECONNECTING_S
  return (
    <Chip tone={offline ? 'vermelho' : 'amarelo'} className="tabular-nums">
      <WifiOff aria-hidden className="size-3.5" />
      {offline ? `Offline há ${formatOffline(seconds)}` : 'Reconectando…'}
    </Chip>
  )
}

function ConnectionChip({ socket }: { socket: SocketState }) {
  if (socket.tipo === 'offline') return <Reconnecting since={socket.desde} />
  const online = socket.tipo === 'online'
  return (
    <Chip tone={online ? 'verde' : 'cinza'}>
      <Wifi aria-hidden className="size-3.5" /> {online ? 'Online' : 'Conectando…'}
    </Chip>
  )
}

function ConfigChip({ config: { loading, source } }: { config: ConfigRead }) {
  if (source === 'servidor') {
    return (
      <Chip tone="verde">
        <CircleCheck aria-hidden className="size-3.5" /> Configuração carregada
      </Chip>
    )
  }
  return loading ? (
    <Chip tone="cinza">
      <CircleDashed aria-hidden className="size-3.5" /> Carregando configuração…
    </Chip>
  ) : (
    <Chip tone="vermelho">
      <TriangleAlert aria-hidden className="size-3.5" /> Configuração não carregada
    </Chip>
  )
}

export interface PanelHeaderProps {
  readonly painel: DashboardState
  readonly menuOpen: boolean
  readonly onOpenMenu: () => void
  readonly onSearch: () => void
}

export function PanelHeader({ painel, menuOpen, onOpenMenu, onSearch }: PanelHeaderProps) {
  return (
    <header className="sticky top-0 z-30 flex min-h-14 items-center gap-1 border-b bg-surface/95 px-2 [backdrop-filter:blur(8px)] sm:gap-2 sm:px-4">
      <span className="lg:hidden">
        <IconButton
          label="Abrir menu"
          tooltip={false}
          aria-expanded={menuOpen}
          aria-controls="menu"
          icon={<Menu aria-hidden className="size-5" />}
          onClick={onOpenMenu}
        />
      </span>
      <h1 className="min-w-0 truncate font-bold sm:text-lg">{TAB_DESCRIPTION[painel.aba].title}</h1>
      <div className="ml-auto flex items-center gap-1 sm:gap-2">
        <button type="button" className="btn btn-outline hidden text-muted md:inline-flex" onClick={onSearch}>
          <Search aria-hidden className="size-4" />
          Buscar ou executar
          <kbd className="rounded border bg-sunken px-1.5 font-mono text-xs">Ctrl K</kbd>
        </button>
        <span className="md:hidden">
          <IconButton
            label="Buscar ou executar"
            tooltip={false}
            icon={<Search aria-hidden className="size-4.5" />}
            onClick={onSearch}
          />
        </span>
        <span className="hidden xl:inline-flex">
          <ConfigChip config={painel.config} />
        </span>
        <ConnectionChip socket={painel.socket} />
        <NoticeCenter />
        <ThemeToggle />
      </div>
    </header>
  )
}
