import { ABAS, type Aba } from '@balcao/contract/constants'
import type { Busca } from '@balcao/contract/entities/busca'
import {
  BookOpen,
  Keyboard,
  LogOut,
  MessageSquarePlus,
  MessagesSquare,
  Moon,
  ShieldCheck,
  ShoppingBag,
  Smartphone,
  Sun,
  TextSearch,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import { foundEntries, type FoundGroup, type FoundTarget } from '#shared/busca/found-entries.ts'
import type { Theme } from '#shared/hooks/use-theme.ts'
import { type EquipePanelId, equipePanelsFor } from '#shared/equipe-panels.ts'
import { TAB_DESCRIPTION, canView } from '#features/dashboard/shell/tab-list.ts'
import { QUICK_ACTION_DESCRIPTION } from '#features/dashboard/shell/menu-footer.tsx'
import type { Command } from './command.ts'
import { settingCommands } from './setting-commands.ts'
import type { DashboardState, QuickAction } from '#features/dashboard/shell/use-dashboard-state.ts'

export interface CommandTargets {
  readonly goTo: (aba: Aba, lista?: string) => void
  readonly openPage: (page: '/admin' | '/simulador' | '/conta' | '/ajuda/{-$tema}') => void
  readonly openFound: (target: FoundTarget) => void
  readonly startConversa: () => void
  /** Null: no chat is open, or the shop takes no orders. */
  readonly startPedido: (() => void) | null
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

function conversaCommands({ viewer }: DashboardState, { startConversa }: CommandTargets): readonly Command[] {
  if (!canView(viewer, 'atendimento')) return []
  const title = 'Nova conversa'
  const keywords = 'escrever mensagem cliente número'
  return [{ id: 'nova-conversa', title, group: 'Atendimento', icon: MessageSquarePlus, keywords, run: startConversa }]
}

const GROUP_ICON: Readonly<Record<FoundGroup, LucideIcon>> = {
  Clientes: UserRound,
  Conversas: MessagesSquare,
  Mensagens: TextSearch,
  Produtos: ShoppingBag,
}

/** The results of the search as commands, so that arrows and Enter work as for the others. */
export function foundCommands(found: Busca | undefined, { openFound }: CommandTargets): readonly Command[] {
  if (found === undefined) return []
  return foundEntries(found).map(({ id, group, title, detail, marcas, target }) => ({
    ...{ id, group, title, detail, marcas },
    icon: GROUP_ICON[group],
    run: () => openFound(target),
  }))
}

const PANEL_WORDS: Readonly<Partial<Record<EquipePanelId, string>>> = {
  equipe: 'convidar pessoa operador atendente',
}

function pedidoCommands({ startPedido }: CommandTargets): readonly Command[] {
  if (startPedido === null) return []
  return [
    {
      ...{ id: 'novo-pedido', title: 'Novo pedido', group: 'Ações', icon: ShoppingBag, keys: 'P' },
      keywords: 'vender produto carrinho entrega cliente conversa',
      run: startPedido,
    },
  ]
}

function equipeCommands({ viewer }: DashboardState, { openPanel }: CommandTargets): readonly Command[] {
  if (!canView(viewer, 'atendimento')) return []
  return equipePanelsFor(viewer.tipo !== 'operador').map(({ id, title, icon, purpose }) => ({
    id: `painel-${id}`,
    title: `Abrir ${title}`,
    group: 'Atendimento',
    icon,
    keywords: `${purpose} ${PANEL_WORDS[id] ?? ''}`,
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
    ...conversaCommands(painel, targets),
    ...pedidoCommands(targets),
    ...settingCommands(viewer, targets.goTo),
    {
      id: 'conta',
      title: 'Minha conta',
      group: 'Ir para',
      icon: UserRound,
      keywords: 'senha nome telefone aparelhos perfil',
      run: () => targets.openPage('/conta'),
    },
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
