import { useRef } from 'react'
import { ABAS, COMPONENTE_DA_ABA, type Aba } from '@balcao/contract/constants'
import type { ComponentesPermitidos, TipoUsuario } from '@balcao/contract/entities/usuario'
import {
  BookUser,
  ClipboardList,
  Headset,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  SlidersHorizontal,
  Sparkles,
  Store,
} from 'lucide-react'

export interface TabDescription {
  readonly title: string
  readonly icon: LucideIcon
  readonly purpose: string
}

export const TAB_DESCRIPTION: Readonly<Record<Aba, TabDescription>> = {
  geral: {
    title: 'Geral',
    icon: SlidersHorizontal,
    purpose: 'Conectar o WhatsApp, ligar o bot e configurar o sistema.',
  },
  mensagens: {
    title: 'Mensagens',
    icon: MessagesSquare,
    purpose: 'Escrever o menu, as opções e as mensagens automáticas.',
  },
  ia: {
    title: 'IA',
    icon: Sparkles,
    purpose: 'Ligar o assistente de IA, treinar as respostas e testar perguntas reais.',
  },
  logs: {
    title: 'Logs',
    icon: ScrollText,
    purpose: 'Acompanhar o que o bot faz, filtrar o histórico e pausar para manutenção.',
  },
  atendimento: {
    title: 'Atendimento',
    icon: Headset,
    purpose: 'Atender as conversas transferidas para pessoas, por setor.',
  },
  loja: {
    title: 'Loja',
    icon: Store,
    purpose: 'Cadastrar os produtos que o bot mostra e acompanhar os pedidos.',
  },
  contatos: {
    title: 'Contatos',
    icon: BookUser,
    purpose: 'Encontrar clientes, marcar com etiquetas, importar, exportar e escrever primeiro.',
  },
  pedidos: {
    title: 'Pedidos',
    icon: ClipboardList,
    purpose: 'Acompanhar os pedidos dos clientes, do preparo à entrega.',
  },
}

/** The current user. `componentes` is null while the permissions load. */
export interface Viewer {
  readonly tipo: TipoUsuario
  readonly componentes: ComponentesPermitidos | null
  /** The shop takes orders. Null while unknown. */
  readonly pedidos: boolean | null
}

/** Tabs that exist for this kind of usuario. */
export const tabsFor = (tipo: TipoUsuario): readonly Aba[] =>
  tipo === 'operador' ? ABAS : ABAS.filter((aba) => aba !== 'pedidos')

/** Administrators see every tab. All users see every tab while the permissions load. */
export function canView({ tipo, componentes, pedidos }: Viewer, aba: Aba): boolean {
  if (aba === 'pedidos' && (tipo !== 'operador' || pedidos !== true)) return false
  return tipo === 'admin' || componentes === null || componentes[COMPONENTE_DA_ABA[aba]]
}

/** Operadores do not see tabs without permission. Other users see them locked. */
export function tabsOf(viewer: Viewer): readonly Aba[] {
  const tabs = tabsFor(viewer.tipo)
  return viewer.tipo === 'operador' ? tabs.filter((aba) => canView(viewer, aba)) : tabs
}

export function firstPermittedTab(viewer: Viewer): Aba | null {
  return ABAS.find((aba) => canView(viewer, aba)) ?? null
}

export function parseTab(value: unknown, tipo: TipoUsuario): Aba {
  if (value === 'pedidos' && tipo !== 'operador') return 'loja'
  return ABAS.find((aba) => aba === value) ?? (tipo === 'operador' ? 'atendimento' : 'geral')
}

const NUMBER_AFTER_G_MS = 1_000

/** `G`, then `1` to `8`. Not in the hotkey library: it misses a second sequence typed right after the first. */
export function useTabKeys(goTo: (aba: Aba) => void): Readonly<Record<string, () => void>> {
  const pressedG = useRef(Number.NEGATIVE_INFINITY)
  const numbers = ABAS.map((aba, index) => [
    String(index + 1),
    () => {
      if (performance.now() - pressedG.current < NUMBER_AFTER_G_MS) goTo(aba)
      pressedG.current = Number.NEGATIVE_INFINITY
    },
  ])
  const g = () => {
    pressedG.current = performance.now()
  }
  return { g, ...Object.fromEntries(numbers) }
}
