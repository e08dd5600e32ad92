import type { StatusUsuario } from '@balcao/contract/entities/usuario'
import { useNavigate, useSearch } from '@tanstack/react-router'

/** The address says which screen, which search and which filter: Back, reload and links work. */

export const ABAS_ADMIN = ['dashboard', 'usuarios', 'configuracoes'] as const
export type AbaAdmin = (typeof ABAS_ADMIN)[number]

export type FiltroDeStatus = StatusUsuario | 'todos'
export const FILTROS: readonly { readonly valor: FiltroDeStatus; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'pendente', rotulo: 'Pendentes' },
  { valor: 'ativo', rotulo: 'Ativos' },
  { valor: 'inativo', rotulo: 'Inativos' },
]

export interface Filtro {
  readonly busca: string
  readonly status: FiltroDeStatus
}

export function useAbaAdmin(): AbaAdmin {
  const { aba } = useSearch({ from: '/admin' })
  return ABAS_ADMIN.find((id) => id === aba) ?? 'dashboard'
}

export function useFiltro(): readonly [Filtro, (mudanca: Partial<Filtro>) => void] {
  const { busca = '', status } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const filtro: Filtro = { busca, status: FILTROS.find(({ valor }) => valor === status)?.valor ?? 'todos' }
  const mudar = (mudanca: Partial<Filtro>): void => {
    const novo = { ...filtro, ...mudanca }
    void navigate({
      to: '/admin',
      search: {
        aba: 'usuarios',
        busca: novo.busca === '' ? undefined : novo.busca,
        status: novo.status === 'todos' ? undefined : novo.status,
      },
      replace: true,
      resetScroll: false,
    })
  }
  return [filtro, mudar]
}
