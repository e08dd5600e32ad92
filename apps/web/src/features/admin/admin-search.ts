import {
  ACOES_AUDITORIA,
  type UsuarioOrder,
  ORDENS_USUARIOS,
  PERIODOS_AUDITORIA,
} from '@balcao/contract/administration'
import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { StatusUsuario } from '@balcao/contract/entities/usuario'
import { useNavigate, useSearch } from '@tanstack/react-router'

export const ADMIN_TABS = ['dashboard', 'usuarios', 'auditoria', 'sistema', 'configuracoes'] as const
export type AdminTab = (typeof ADMIN_TABS)[number]

export type UsuarioStatusFilter = StatusUsuario | 'todos' | 'excluido'
export const USUARIO_STATUS_FILTERS: readonly { readonly valor: UsuarioStatusFilter; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'pendente', rotulo: 'Pendentes' },
  { valor: 'ativo', rotulo: 'Ativos' },
  { valor: 'inativo', rotulo: 'Inativos' },
  { valor: 'excluido', rotulo: 'Excluídos' },
]

export interface UsuarioSort {
  readonly column: UsuarioOrder
  readonly direction: 'asc' | 'desc'
}
const NEWEST_FIRST: UsuarioSort = { column: 'cadastro', direction: 'desc' }

export interface UsuarioListFilter {
  readonly busca: string
  readonly status: UsuarioStatusFilter
  readonly ordem: UsuarioSort
  readonly pagina: number
}

export const ALL_USUARIOS: UsuarioListFilter = { busca: '', status: 'todos', ordem: NEWEST_FIRST, pagina: 1 }

/** The router parses a typed number, such as part of a phone number, as `number`. */
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export function useAdminTab(): AdminTab {
  const { aba } = useSearch({ from: '/admin' })
  return ADMIN_TABS.find((id) => id === aba) ?? 'dashboard'
}

function parseSort(written: string): UsuarioSort {
  const column = ORDENS_USUARIOS.find((name) => name === written.replace(/^-/, ''))
  return column === undefined ? NEWEST_FIRST : { column, direction: written.startsWith('-') ? 'desc' : 'asc' }
}

const parsePage = (escrita: string): number => (/^[1-9]\d{0,4}$/.test(escrita) ? Number(escrita) : 1)

function formatSort({ column, direction }: UsuarioSort): string | undefined {
  if (column === NEWEST_FIRST.column && direction === NEWEST_FIRST.direction) return undefined
  return `${direction === 'desc' ? '-' : ''}${column}`
}

function useShowSearch(): (search: { readonly aba: AdminTab } & Record<string, unknown>) => void {
  const navigate = useNavigate()
  return (search) => void navigate({ to: '/admin', search, replace: true, resetScroll: false })
}

export function useUsuarioFilter(): readonly [UsuarioListFilter, (change: Partial<UsuarioListFilter>) => void] {
  const { busca, status, ordem, pagina } = useSearch({ from: '/admin' })
  const show = useShowSearch()
  const filter: UsuarioListFilter = {
    busca: asText(busca),
    status: USUARIO_STATUS_FILTERS.find(({ valor }) => valor === status)?.valor ?? 'todos',
    ordem: parseSort(asText(ordem)),
    pagina: parsePage(asText(pagina)),
  }
  const mudar = (change: Partial<UsuarioListFilter>): void => {
    const fresh = { ...filter, pagina: 1, ...change }
    show({
      aba: 'usuarios',
      busca: fresh.busca === '' ? undefined : fresh.busca,
      status: fresh.status === 'todos' ? undefined : fresh.status,
      ordem: formatSort(fresh.ordem),
      pagina: fresh.pagina === 1 ? undefined : fresh.pagina,
    })
  }
  return [filter, mudar]
}

export interface AuditoriaViewFilter {
  readonly busca: string
  readonly acao: AcaoAuditoria | 'todas'
  readonly periodo: (typeof PERIODOS_AUDITORIA)[number]
  readonly resultado: 'todos' | 'feito' | 'recusado'
}

export function useAuditoriaFilter(): readonly [AuditoriaViewFilter, (change: Partial<AuditoriaViewFilter>) => void] {
  const { busca, acao, periodo, status } = useSearch({ from: '/admin' })
  const show = useShowSearch()
  const filter: AuditoriaViewFilter = {
    busca: asText(busca),
    acao: ACOES_AUDITORIA.find((name) => name === acao) ?? 'todas',
    periodo: PERIODOS_AUDITORIA.find((name) => name === periodo) ?? 'tudo',
    resultado: status === 'feito' || status === 'recusado' ? status : 'todos',
  }
  const mudar = (change: Partial<AuditoriaViewFilter>): void => {
    const fresh = { ...filter, ...change }
    show({
      aba: 'auditoria',
      busca: fresh.busca === '' ? undefined : fresh.busca,
      acao: fresh.acao === 'todas' ? undefined : fresh.acao,
      periodo: fresh.periodo === 'tudo' ? undefined : fresh.periodo,
      status: fresh.resultado === 'todos' ? undefined : fresh.resultado,
    })
  }
  return [filter, mudar]
}
