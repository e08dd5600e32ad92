import { foldAccents } from '@balcao/contract/text/fold-accents'
import { ABAS, type Aba } from '@balcao/contract/constants'
import { BookOpen, Keyboard, LogOut, Moon, ShieldCheck, Smartphone, Sun, type LucideIcon } from 'lucide-react'
import type { Theme } from '#shared/hooks/use-theme.ts'
import { type EquipePanelId, equipePanelsFor } from '#shared/equipe-panels.ts'
import { TAB_DESCRIPTION, canView } from '#features/dashboard/shell/tab-list.ts'
import { QUICK_ACTION_DESCRIPTION } from '#features/dashboard/shell/menu-footer.tsx'
import type { DashboardState, QuickAction } from '#features/dashboard/shell/use-dashboard-state.ts'

export interface Command {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly icon: LucideIcon
  readonly keywords?: string
  readonly keys?: string
  readonly run: () => void
}

export function filterCommands(commands: readonly Command[], search: string): readonly Command[] {
  const words = foldAccents(search).split(/\s+/).filter(Boolean)
  const [first] = words
  if (first === undefined) return commands
  const found = commands.filter(({ title, group, keywords }) => {
    const commandWords = foldAccents(`${title} ${group} ${keywords ?? ''}`).split(/[\s/]+/)
    return words.every((typed) => commandWords.some((word) => word.startsWith(typed)))
  })
  const rank = (command: Command) => (foldAccents(command.title).startsWith(first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

export interface CommandTargets {
  readonly goTo: (aba: Aba) => void
  readonly openPage: (page: '/admin' | '/simulador' | '/ajuda/{-$tema}') => void
  readonly openPanel: (painel: EquipePanelId) => void
  readonly toggleTheme: () => void
  readonly openHelp: () => void
}

function pageCommands({ usuario, hasSimulador }: DashboardState, { openPage }: CommandTargets): readonly Command[] {
  const simulador: Command = {
    id: 'simulador',
    title: 'Abrir o simulador',
    group: 'Ir para',
    icon: Smartphone,
    keywords: 'celular testar',
    run: () => openPage('/simulador'),
  }
  const admin: Command = {
    id: 'admin',
    title: 'Administração',
    group: 'Ir para',
    icon: ShieldCheck,
    keywords: 'usuários admin',
    run: () => openPage('/admin'),
  }
  return [...(hasSimulador ? [simulador] : []), ...(usuario.tipo === 'admin' ? [admin] : [])]
}

function equipeCommands({ viewer }: DashboardState, { openPanel }: CommandTargets): readonly Command[] {
  if (!canView(viewer, 'atendimento')) return []
  return equipePanelsFor(viewer.tipo !== 'operador').map(({ id, title, icon, purpose }) => ({
    id: `painel-${id}`,
    title: `Abrir ${title}`,
    group: 'Atendimento',
    icon,
    keywords: purpose,
    run: () => openPanel(id),
  }))
}

function botCommands({ actions, askClearSession, viewer }: DashboardState): readonly Command[] {
  if (viewer.tipo === 'operador') return []
  const action = (id: QuickAction, run: () => void, keywords?: string): Command => ({
    ...QUICK_ACTION_DESCRIPTION[id],
    ...(keywords === undefined ? {} : { keywords }),
    id,
    group: 'Ações',
    run,
  })
  return [
    action('setup', () => void actions.quickSetup(), 'iniciar bot'),
    action('limpar', askClearSession, 'desconectar qr'),
    action('recarregar', () => void actions.reload()),
    action('verificar', () => void actions.check()),
  ]
}

export function panelCommands(painel: DashboardState, theme: Theme, targets: CommandTargets): readonly Command[] {
  const { logout, viewer } = painel
  const dark = theme === 'dark'
  return [
    ...ABAS.filter((aba) => canView(viewer, aba)).map((aba) => ({
      id: `aba-${aba}`,
      title: `Ir para ${TAB_DESCRIPTION[aba].title}`,
      group: 'Abas',
      icon: TAB_DESCRIPTION[aba].icon,
      keywords: TAB_DESCRIPTION[aba].purpose,
      keys: `G ${ABAS.indexOf(aba) + 1}`,
      run: () => targets.goTo(aba),
    })),
    ...equipeCommands(painel, targets),
    ...botCommands(painel),
    ...pageCommands(painel, targets),
    {
      id: 'tema',
      title: dark ? 'Usar tema claro' : 'Usar tema escuro',
      group: 'Preferências',
      icon: dark ? Sun : Moon,
      keywords: 'aparência cor',
      run: targets.toggleTheme,
    },
    {
      id: 'manual',
      title: 'Ajuda: o manual do Balcão',
      group: 'Preferências',
      icon: BookOpen,
      keywords: 'como fazer dúvidas',
      run: () => targets.openPage('/ajuda/{-$tema}'),
    },
    {
      id: 'atalhos',
      title: 'Atalhos do teclado',
      group: 'Preferências',
      icon: Keyboard,
      keywords: 'ajuda',
      keys: '?',
      run: targets.openHelp,
    },
    { id: 'sair', title: 'Sair', group: 'Sessão', icon: LogOut, keywords: 'logout encerrar', run: logout },
  ]
}
