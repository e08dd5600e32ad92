import { ChartColumn, ListOrdered, type LucideIcon, MessageSquareQuote, Star, UsersRound } from 'lucide-react'

/** Pages of the team, opened over the tab atendimento: `?aba=atendimento&painel=`. */
export type EquipePanelId = 'equipe' | 'fila' | 'avaliacoes' | 'relatorio' | 'respostas'

export interface EquipePanelInfo {
  readonly id: EquipePanelId
  readonly title: string
  readonly purpose: string
  readonly icon: LucideIcon
  readonly ownerOnly: boolean
}

const EQUIPE_PANELS: readonly EquipePanelInfo[] = [
  {
    id: 'equipe',
    title: 'Equipe',
    purpose: 'Quem atende com você, e em quais setores.',
    icon: UsersRound,
    ownerOnly: true,
  },
  {
    id: 'fila',
    title: 'Fila',
    purpose: 'Quem recebe a próxima conversa, e o que acontece quando alguém não responde.',
    icon: ListOrdered,
    ownerOnly: true,
  },
  {
    id: 'avaliacoes',
    title: 'Avaliações',
    purpose: 'As notas que os clientes dão no fim do atendimento.',
    icon: Star,
    ownerOnly: false,
  },
  {
    id: 'relatorio',
    title: 'Relatório',
    purpose: 'Conversas, tempos e notas por dia, setor e pessoa.',
    icon: ChartColumn,
    ownerOnly: false,
  },
  {
    id: 'respostas',
    title: 'Respostas rápidas',
    purpose: 'Textos prontos que entram na conversa com / e um nome curto.',
    icon: MessageSquareQuote,
    ownerOnly: false,
  },
]

export function equipePanelsFor(dono: boolean): readonly EquipePanelInfo[] {
  return EQUIPE_PANELS.filter(({ ownerOnly }) => dono || !ownerOnly)
}

export function findEquipePanel(value: string): EquipePanelInfo | null {
  return EQUIPE_PANELS.find(({ id }) => id === value) ?? null
}
