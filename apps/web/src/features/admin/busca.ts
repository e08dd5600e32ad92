import {
  ACOES_AUDITORIA,
  type OrdemUsuarios,
  ORDENS_USUARIOS,
  PERIODOS_AUDITORIA,
} from '@balcao/contract/administracao'
import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { StatusUsuario } from '@balcao/contract/entities/usuario'
import { useNavigate, useSearch } from '@tanstack/react-router'

export const ABAS_ADMIN = ['dashboard', 'usuarios', 'auditoria', 'sistema', 'configuracoes'] as const
export type AbaAdmin = (typeof ABAS_ADMIN)[number]

export type FiltroDeStatus = StatusUsuario | 'todos' | 'excluido'
export const FILTROS: readonly { readonly valor: FiltroDeStatus; readonly rotulo: string }[] = [
  { valor: 'todos', rotulo: 'Todos' },
  { valor: 'pendente', rotulo: 'Pendentes' },
  { valor: 'ativo', rotulo: 'Ativos' },
  { valor: 'inativo', rotulo: 'Inativos' },
  { valor: 'excluido', rotulo: 'Excluídos' },
]

export interface Ordem {
  readonly coluna: OrdemUsuarios
  readonly direcao: 'asc' | 'desc'
}
const RECENTES: Ordem = { coluna: 'cadastro', direcao: 'desc' }

export interface Filtro {
  readonly busca: string
  readonly status: FiltroDeStatus
  readonly ordem: Ordem
  /** Starts at 1. */
  readonly pagina: number
}

export const TODOS_OS_USUARIOS: Filtro = { busca: '', status: 'todos', ordem: RECENTES, pagina: 1 }

/** The router parses a typed number, such as part of a phone number, as `number`. */
const texto = (valor: unknown): string =>
  typeof valor === 'string' ? valor : typeof valor === 'number' ? String(valor) : ''

export function useAbaAdmin(): AbaAdmin {
  const { aba } = useSearch({ from: '/admin' })
  return ABAS_ADMIN.find((id) => id === aba) ?? 'dashboard'
}

/** `nome` is ascending, `-nome` descending. */
function lerOrdem(escrita: string): Ordem {
  const coluna = ORDENS_USUARIOS.find((nome) => nome === escrita.replace(/^-/, ''))
  return coluna === undefined ? RECENTES : { coluna, direcao: escrita.startsWith('-') ? 'desc' : 'asc' }
}

const lerPagina = (escrita: string): number => (/^[1-9]\d{0,4}$/.test(escrita) ? Number(escrita) : 1)

function escreverOrdem({ coluna, direcao }: Ordem): string | undefined {
  if (coluna === RECENTES.coluna && direcao === RECENTES.direcao) return undefined
  return `${direcao === 'desc' ? '-' : ''}${coluna}`
}

/** Any change of the filter except `pagina` itself goes back to page 1. */
export function useFiltro(): readonly [Filtro, (mudanca: Partial<Filtro>) => void] {
  const { busca, status, ordem, pagina } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const filtro: Filtro = {
    busca: texto(busca),
    status: FILTROS.find(({ valor }) => valor === status)?.valor ?? 'todos',
    ordem: lerOrdem(texto(ordem)),
    pagina: lerPagina(texto(pagina)),
  }
  const mudar = (mudanca: Partial<Filtro>): void => {
    const novo = { ...filtro, pagina: 1, ...mudanca }
    void navigate({
      to: '/admin',
      search: {
        aba: 'usuarios',
        busca: novo.busca === '' ? undefined : novo.busca,
        status: novo.status === 'todos' ? undefined : novo.status,
        ordem: escreverOrdem(novo.ordem),
        pagina: novo.pagina === 1 ? undefined : novo.pagina,
      },
      replace: true,
      resetScroll: false,
    })
  }
  return [filtro, mudar]
}

export interface FiltroAuditoria {
  readonly busca: string
  readonly acao: AcaoAuditoria | 'todas'
  readonly periodo: (typeof PERIODOS_AUDITORIA)[number]
  readonly resultado: 'todos' | 'feito' | 'recusado'
}

export function useFiltroAuditoria(): readonly [FiltroAuditoria, (mudanca: Partial<FiltroAuditoria>) => void] {
  const { busca, acao, periodo, status } = useSearch({ from: '/admin' })
  const navigate = useNavigate()
  const filtro: FiltroAuditoria = {
    busca: texto(busca),
    acao: ACOES_AUDITORIA.find((nome) => nome === acao) ?? 'todas',
    periodo: PERIODOS_AUDITORIA.find((nome) => nome === periodo) ?? 'tudo',
    resultado: status === 'feito' || status === 'recusado' ? status : 'todos',
  }
  const mudar = (mudanca: Partial<FiltroAuditoria>): void => {
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
