import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'

export type FiltroDeStatus = 'todos' | StatusConversa

export interface Filtro {
  readonly status: FiltroDeStatus
  /** Null: all setores. */
  readonly setor: string | null
  readonly busca: string
  /** The operador's setores, null for all. Only a filter: the operador can switch it off. */
  readonly meus: readonly string[] | null
}

export const SEM_FILTRO: Filtro = { status: 'todos', setor: null, busca: '', meus: null }

export const ROTULO_DO_STATUS: Readonly<Record<StatusConversa, string>> = {
  aguardando: 'Aguardando',
  em_atendimento: 'Em atendimento',
  finalizada: 'Finalizada',
}

export function filtrando({ status, setor, busca }: Filtro): boolean {
  return status !== 'todos' || setor !== null || busca.trim() !== ''
}

function simplificar(texto: string): string {
  return texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Caches normalized names, so that 10,000 names are not normalized on every key press. */
const simples = new Map<string, string>()
const SIMPLES_GUARDADOS = 20_000

function nomeSimples(nome: string): string {
  const pronto = simples.get(nome)
  if (pronto !== undefined) return pronto
  if (simples.size >= SIMPLES_GUARDADOS) simples.clear()
  const novo = simplificar(nome)
  simples.set(nome, novo)
  return novo
}

function achada({ cliente }: Conversa, busca: string): boolean {
  const termo = simplificar(busca.trim())
  if (termo === '') return true
  if (nomeSimples(cliente.nome).includes(termo)) return true
  const digitos = busca.replace(/\D/g, '')
  return digitos !== '' && !/\p{L}/u.test(busca) && cliente.telefone.replace(/\D/g, '').includes(digitos)
}

/** ISO instants in UTC sort as text. */
function comparar(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Waiting first, longest wait on top, then by latest activity. */
function porEspera(a: Conversa, b: Conversa): number {
  const aEspera = a.status === 'aguardando'
  if (aEspera !== (b.status === 'aguardando')) return aEspera ? -1 : 1
  return aEspera ? comparar(a.aguardandoDesde, b.aguardandoDesde) : comparar(b.ultimaAtividade, a.ultimaAtividade)
}

export function filtrar(conversas: readonly Conversa[], { status, setor, busca, meus }: Filtro): readonly Conversa[] {
  return conversas
    .filter(
      (conversa) =>
        (status === 'todos' || conversa.status === status) &&
        (setor === null ? (meus?.includes(conversa.setor) ?? true) : conversa.setor === setor) &&
        achada(conversa, busca),
    )
    .toSorted(porEspera)
}

export interface Contagem {
  readonly total: number
  readonly aguardando: number
}

export function contarPorSetor(conversas: readonly Conversa[]): ReadonlyMap<string, Contagem> {
  const contagens = new Map<string, Contagem>()
  for (const { setor, status } of conversas) {
    const { total, aguardando } = contagens.get(setor) ?? { total: 0, aguardando: 0 }
    contagens.set(setor, { total: total + 1, aguardando: aguardando + (status === 'aguardando' ? 1 : 0) })
  }
  return contagens
}
