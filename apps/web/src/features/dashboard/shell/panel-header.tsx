import { CircleCheck, CircleDashed, type LucideIcon, Menu, Search, TriangleAlert, Wifi, WifiOff } from 'lucide-react'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { TAB_DESCRIPTION } from './tab-list.ts'
import { NoticeCenter } from '#features/dashboard/avisos/notice-center.tsx'
import type { DashboardState } from './use-dashboard-state.ts'
import { useEffect, useState } from 'react'
import type { SocketState } from '#shared/realtime/socket-connection.ts'

const RECONNECTING_S = 5

function formatOffline(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

interface StateLook {
  readonly words: string
  readonly tone: ChipTone
  readonly icon: LucideIcon
}

/** Classes of the words and of the tip. Below the named width the icon stands alone and the words are its tip. */
const WORDS_FROM = {
  '22.5rem': ['max-[22.5rem]:sr-only', 'min-[22.5rem]:after:hidden'],
  '25rem': ['max-[25rem]:sr-only', 'min-[25rem]:after:hidden'],
  sm: ['max-sm:sr-only', 'sm:after:hidden'],
  xl: ['max-xl:sr-only', 'xl:after:hidden'],
  never: ['sr-only', ''],
} as const

function StateChip({ look: { words, tone, icon: Icon }, from }: { look: StateLook; from: keyof typeof WORDS_FROM }) {
  const [wordsClass, tipClass] = WORDS_FROM[from]
  return (
    <span data-tip={words} className={`tip inline-flex ${tipClass}`}>
      <Chip tone={tone} className="min-h-6 tabular-nums">
        <Icon aria-hidden className="size-3.5" />
        <span className={wordsClass}>{words}</span>
      </Chip>
    </span>
  )
}

function Reconnecting({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const look: StateLook =
    seconds >= RECONNECTING_S
      ? { words: `Offline há ${formatOffline(seconds)}`, tone: 'vermelho', icon: WifiOff }
      : { words: 'Reconectando…', tone: 'amarelo', icon: WifiOff }
  return <StateChip look={look} from="22.5rem" />
}

const ONLINE: StateLook = { words: 'Online', tone: 'verde', icon: Wifi }
const CONNECTING: StateLook = { words: 'Conectando…', tone: 'cinza', icon: Wifi }

function ConnectionChip({ socket }: { socket: SocketState }) {
  if (socket.tipo === 'offline') return <Reconnecting since={socket.desde} />
  const online = socket.tipo === 'online'
  return <StateChip look={online ? ONLINE : CONNECTING} from={online ? '25rem' : 'sm'} />
}

const CONFIG_LOADED: StateLook = { words: 'Configuração carregada', tone: 'verde', icon: CircleCheck }
const CONFIG_LOADING: StateLook = { words: 'Carregando configuração…', tone: 'cinza', icon: CircleDashed }
const CONFIG_MISSING: StateLook = { words: 'Configuração não carregada', tone: 'vermelho', icon: TriangleAlert }

/** The tab Geral has the same words in its bar. */
function ConfigChip({ config: { loading, source }, aba }: Pick<DashboardState, 'config' | 'aba'>) {
  if (source === 'servidor') return <StateChip look={CONFIG_LOADED} from={aba === 'geral' ? 'never' : 'xl'} />
  return loading ? <StateChip look={CONFIG_LOADING} from="xl" /> : <StateChip look={CONFIG_MISSING} from="sm" />
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
      <h1 className="min-w-0 truncate font-bold max-[22.5rem]:text-sm sm:text-lg">
        {TAB_DESCRIPTION[painel.aba].title}
      </h1>
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
        <ConfigChip config={painel.config} aba={painel.aba} />
        <ConnectionChip socket={painel.socket} />
        <NoticeCenter />
        {/* On phones the name of the tab needs the room. The search has the same command. */}
        <span className="max-[25rem]:hidden">
          <ThemeToggle />
        </span>
      </div>
    </header>
  )
}
