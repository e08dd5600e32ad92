import { ChartColumn, type LucideIcon, MessageSquareQuote, Star, UsersRound } from 'lucide-react'

/** Pages of the team, opened over the tab atendimento: `?aba=atendimento&painel=`. */
export type Painel = 'equipe' | 'avaliacoes' | 'relatorio' | 'respostas'

export interface DescricaoDoPainel {
  readonly id: Painel
  readonly titulo: string
  readonly paraQue: string
  readonly icone: LucideIcon
  readonly soDono: boolean
}

const PAINEIS: readonly DescricaoDoPainel[] = [
  {
    id: 'equipe',
    titulo: 'Equipe',
    paraQue: 'Quem atende com você, e em quais setores.',
    icone: UsersRound,
    soDono: true,
  },
  {
    id: 'avaliacoes',
    titulo: 'Avaliações',
    paraQue: 'As notas que os clientes dão no fim do atendimento.',
    icone: Star,
    soDono: false,
  },
  {
    id: 'relatorio',
    titulo: 'Relatório',
    paraQue: 'Conversas, tempos e notas por dia, setor e pessoa.',
    icone: ChartColumn,
    soDono: false,
  },
  {
    id: 'respostas',
    titulo: 'Respostas rápidas',
    paraQue: 'Textos prontos que entram na conversa com / e um nome curto.',
    icone: MessageSquareQuote,
    soDono: false,
  },
]

export function paineisDe(dono: boolean): readonly DescricaoDoPainel[] {
  return PAINEIS.filter(({ soDono }) => dono || !soDono)
}

/** Returns the page with this id, or null. Does not check permissions. */
export function lerPainel(valor: string): DescricaoDoPainel | null {
  return PAINEIS.find(({ id }) => id === valor) ?? null
}
