import {
  ACOES_AUDITORIA,
  type UsuarioOrder,
  ORDENS_USUARIOS,
  PERIODOS_AUDITORIA,
} from '@balcao/contract/administracao'
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
  /** Starts at 1. */
  readonly pagina: number
}

export const ALL_USUARIOS: UsuarioListFilter = { busca: '', status: 'todos', ordem: NEWEST_FIRST, pagina: 1 }

/** The router parses a typed number, such as part of a phone number, as `number`. */
const asText = (valor: unknown): string =>
  typeof valor === 'string' ? valor : typeof valor === 'number' ? String(valor) : ''

export function useAdminTab(): AdminTab {
  const { aba } = useSearch({ from: '/admin' })
  return ADMIN_TABS.find((id) => id === aba) ?? 'dashboard'
}

/** `nome` is ascending, `-nome` descending. */
function parseSort(escrita: string): UsuarioSort {
  const coluna = ORDENS_USUARIOS.find((nome) => nome === escrita.replace(/^-/, ''))
  return coluna === undefined ? NEWEST_FIRST : { column: coluna, direction: escrita.startsWith('-') ? 'desc' : 'asc' }
}

const parsePage = (escrita: string): number => (/^[1-9]\d{0,4}$/.test(escrita) ? Number(escrita) : 1)

function formatSort({ column, direction }: UsuarioSort): string | undefined {
  if (column === NEWEST_FIRST.column && direction === NEWEST_FIRST.direction) return undefined
  return `${direction === 'desc' ? '-' : ''}${column}`
}

/** Any change of the filter except `pagina` itself goes back to page 1. */
export function useUsuarioFilter(): readonly [UsuarioListFilter, (mudanca: Partial<UsuarioListFilter>) => void] {
  const { busca, status, ordem, pagina } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const filtro: UsuarioListFilter = {
    busca: asText(busca),
    status: USUARIO_STATUS_FILTERS.find(({ valor }) => valor === status)?.valor ?? 'todos',
    ordem: parseSort(asText(ordem)),
    pagina: parsePage(asText(pagina)),
  }
  const mudar = (mudanca: Partial<UsuarioListFilter>): void => {
    const novo = { ...filtro, pagina: 1, ...mudanca }
    void navigate({
      to: '/admin',
      search: {
        aba: 'usuarios',
        busca: novo.busca === '' ? undefined : novo.busca,
        status: novo.status === 'todos' ? undefined : novo.status,
        ordem: formatSort(novo.ordem),
        pagina: novo.pagina === 1 ? undefined : novo.pagina,
      },
      replace: true,
      resetScroll: false,
    })
  }
  return [filtro, mudar]
}

export interface AuditoriaViewFilter {
  readonly busca: string
  readonly acao: AcaoAuditoria | 'todas'
  readonly periodo: (typeof PERIODOS_AUDITORIA)[number]
  readonly resultado: 'todos' | 'feito' | 'recusado'
}

export function useAuditoriaFilter(): readonly [AuditoriaViewFilter, (mudanca: Partial<AuditoriaViewFilter>) => void] {
  const { busca, acao, periodo, status } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const filtro: AuditoriaViewFilter = {
    busca: asText(busca),
    acao: ACOES_AUDITORIA.find((nome) => nome === acao) ?? 'todas',
    periodo: PERIODOS_AUDITORIA.find((nome) => nome === periodo) ?? 'tudo',
    resultado: status === 'feito' || status === 'recusado' ? status : 'todos',
  }
  const mudar = (mudanca: Partial<AuditoriaViewFilter>): void => {
    const novo = { ...filtro, ...mudanca }
    void navigate({
      to: '/admin',
      search: {
        aba: 'auditoria',
        busca: novo.busca === '' ? undefined : novo.busca,
        acao: novo.acao === 'todas' ? undefined : novo.acao,
        periodo: novo.periodo === 'tudo' ? undefined : novo.periodo,
        status: novo.resultado === 'todos' ? undefined : novo.resultado,
      },
      replace: true,
      resetScroll: false,
    })
  }
  return [filtro, mudar]
}
