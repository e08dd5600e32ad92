import type { Log, TipoLog } from '@balcao/contract/entities/log'
import type { PeriodoLog } from '@balcao/contract/routes/registros'

export interface Filtro {
  readonly busca: string
  readonly tipo: TipoLog | null
  readonly periodo: PeriodoLog
}

export const PERIODO_PADRAO: PeriodoLog = 'hoje'
export const SEM_FILTRO: Filtro = { busca: '', tipo: null, periodo: PERIODO_PADRAO }

export const TIPOS: Readonly<Record<TipoLog, { readonly nome: string; readonly matiz: number }>> = {
  info: { nome: 'Informação', matiz: 215 },
  error: { nome: 'Erro', matiz: 25 },
  success: { nome: 'Sucesso', matiz: 155 },
  warning: { nome: 'Aviso', matiz: 75 },
  bot: { nome: 'Bot', matiz: 305 },
  user: { nome: 'Pessoa', matiz: 255 },
}

export const TIPOS_EM_ORDEM: readonly TipoLog[] = ['info', 'error', 'success', 'warning', 'bot', 'user']

export const PERIODOS: readonly { readonly valor: PeriodoLog; readonly rotulo: string }[] = [
  { valor: 'hoje', rotulo: 'Hoje' },
  { valor: 'ontem', rotulo: 'Ontem' },
  { valor: 'semana', rotulo: 'Semana (7 dias)' },
  { valor: 'mes', rotulo: 'Mês (1 mês)' },
  { valor: 'todos', rotulo: 'Todos' },
]

/** Parses the URL. Invalid values fall back to the defaults. */
export function lerFiltro(
  endereco: Readonly<Partial<Record<'busca' | 'tipo' | 'periodo', string | undefined>>>,
): Filtro {
  return {
    busca: (endereco.busca ?? '').slice(0, BUSCA_MAXIMO),
    tipo: TIPOS_EM_ORDEM.find((tipo) => tipo === endereco.tipo) ?? null,
    periodo: PERIODOS.find(({ valor }) => valor === endereco.periodo)?.valor ?? PERIODO_PADRAO,
  }
}

/** URL parameters of a filter. Defaults are omitted. */
export function escreverFiltro({ busca, tipo, periodo }: Filtro) {
  return {
    busca: busca === '' ? undefined : busca,
    tipo: tipo ?? undefined,
    periodo: periodo === PERIODO_PADRAO ? undefined : periodo,
  }
}

export const BUSCA_MAXIMO = 200

export function consultaDe({ busca, tipo, periodo }: Filtro) {
  return { periodo, ...(busca.trim() === '' ? {} : { busca: busca.trim() }), ...(tipo === null ? {} : { tipo }) }
}

export function filtrando({ busca, tipo }: Filtro): boolean {
  return busca.trim() !== '' || tipo !== null
}

function simplificar(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** True if a new entry matches the filter, by the server's rules. */
export function aceita({ busca, tipo, periodo }: Filtro, log: Log): boolean {
  if (periodo === 'ontem' || (tipo !== null && log.tipo !== tipo)) return false
  const onde = `${log.mensagem} ${log.detalhes === undefined ? '' : JSON.stringify(log.detalhes)}`
  return simplificar(onde).includes(simplificar(busca.trim()))
}
