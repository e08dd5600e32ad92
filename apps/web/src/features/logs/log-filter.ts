import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Log, TipoLog } from '@balcao/contract/entities/log'
import type { PeriodoLog } from '@balcao/contract/routes/registros'

export interface LogFilter {
  readonly busca: string
  readonly tipo: TipoLog | null
  readonly periodo: PeriodoLog
  /** Null: all lines, and what belongs to none. */
  readonly linha: string | null
}

export const DEFAULT_LOG_PERIOD: PeriodoLog = 'hoje'
export const NO_LOG_FILTER: LogFilter = { busca: '', tipo: null, periodo: DEFAULT_LOG_PERIOD, linha: null }

export const LOG_TYPES: Readonly<Record<TipoLog, { readonly nome: string; readonly matiz: number }>> = {
  info: { nome: 'Informação', matiz: 215 },
  error: { nome: 'Erro', matiz: 25 },
  success: { nome: 'Sucesso', matiz: 155 },
  warning: { nome: 'Aviso', matiz: 75 },
  bot: { nome: 'Bot', matiz: 305 },
  user: { nome: 'Pessoa', matiz: 255 },
}

export const ORDERED_LOG_TYPES: readonly TipoLog[] = ['info', 'error', 'success', 'warning', 'bot', 'user']

export const LOG_PERIODS: readonly { readonly valor: PeriodoLog; readonly rotulo: string }[] = [
  { valor: 'hoje', rotulo: 'Hoje' },
  { valor: 'ontem', rotulo: 'Ontem' },
  { valor: 'semana', rotulo: 'Semana (7 dias)' },
  { valor: 'mes', rotulo: 'Mês (1 mês)' },
  { valor: 'todos', rotulo: 'Todos' },
]

export function parseLogFilter(
  search: Readonly<Partial<Record<'busca' | 'tipo' | 'periodo' | 'linha', string | undefined>>>,
): LogFilter {
  return {
    busca: (search.busca ?? '').slice(0, LOG_SEARCH_MAX),
    tipo: ORDERED_LOG_TYPES.find((tipo) => tipo === search.tipo) ?? null,
    periodo: LOG_PERIODS.find(({ valor }) => valor === search.periodo)?.valor ?? DEFAULT_LOG_PERIOD,
    linha: search.linha ?? null,
  }
}

export function logFilterSearch({ busca, tipo, periodo, linha }: LogFilter) {
  return {
    busca: busca === '' ? undefined : busca,
    tipo: tipo ?? undefined,
    periodo: periodo === DEFAULT_LOG_PERIOD ? undefined : periodo,
    linha: linha ?? undefined,
  }
}

export const LOG_SEARCH_MAX = 200

export function logQueryOf({ busca, tipo, periodo, linha }: LogFilter) {
  return {
    periodo,
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
    ...(tipo === null ? {} : { tipo }),
    ...(linha === null ? {} : { linha }),
  }
}

export function isFilteringLogs({ busca, tipo, linha }: LogFilter): boolean {
  return busca.trim() !== '' || tipo !== null || linha !== null
}

/** True if a new entry matches the filter, by the server's rules. Entries do not carry their line. */
export function matchesLogFilter({ busca, tipo, periodo, linha }: LogFilter, log: Log): boolean {
  if (linha !== null || periodo === 'ontem' || (tipo !== null && log.tipo !== tipo)) return false
  const where = `${log.mensagem} ${log.detalhes === undefined ? '' : JSON.stringify(log.detalhes)}`
  return foldAccents(where).includes(foldAccents(busca.trim()))
}
