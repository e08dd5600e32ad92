import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { compareInView, isInView, type ListView } from './views.ts'

/** `bot`: contatos whom the bot serves. They are no conversas with people. */
export type ConversaStatusFilter = 'todos' | 'bot' | StatusConversa

export interface ConversaListFilter {
  readonly visao: ListView
  /** Another one than `todos` belongs to the view `todas`. */
  readonly status: ConversaStatusFilter
  readonly setor: string | null
  readonly busca: string
  /** Id of an etiqueta of the customer. Null: all. */
  readonly etiqueta: string | null
  /** Id of the operador who serves. `ninguem`: not served. Null: all. */
  readonly operador: string | null
  /** Id of a line. Null: all. */
  readonly linha: string | null
}

export const NO_CONVERSA_FILTER: ConversaListFilter = {
  visao: 'todas',
  status: 'todos',
  setor: null,
  busca: '',
  etiqueta: null,
  operador: null,
  linha: null,
}

export const CONVERSA_STATUS_LABEL: Readonly<Record<StatusConversa, string>> = {
  aguardando: 'Aguardando',
  em_atendimento: 'Em atendimento',
  finalizada: 'Finalizada',
}

export function mayRelease({ status, operadorId }: Conversa, { id, tipo }: Pick<Usuario, 'id' | 'tipo'>): boolean {
  return status === 'em_atendimento' && operadorId !== undefined && (operadorId === id || tipo !== 'operador')
}

/** True while no operador serves the conversa: it waits, or Meta's agent answers. */
export function isFree({ status, agenteMeta, operadorId }: Conversa): boolean {
  return status === 'aguardando' || (agenteMeta === true && operadorId === undefined)
}

function hasChoice({ setor, etiqueta, operador, linha }: ConversaListFilter): boolean {
  return [setor, etiqueta, operador, linha].some((chosen) => chosen !== null)
}

/** A filter other than view and search is in use, or a view without a tab. */
export function isNarrowed(filter: ConversaListFilter): boolean {
  return filter.status !== 'todos' || filter.visao === 'semResposta' || hasChoice(filter)
}

export function isFiltering(filter: ConversaListFilter): boolean {
  const { status, busca } = filter
  // The list of the bot is another one.
  if (status === 'bot') return false
  return status !== 'todos' || busca.trim() !== '' || hasChoice(filter)
}

/** Caches normalized names, so that 10,000 names are not normalized on every key press. */
const normalizedNames = new Map<string, string>()
const NORMALIZED_NAMES_MAX = 20_000

function normalizedName(name: string): string {
  const ready = normalizedNames.get(name)
  if (ready !== undefined) return ready
  if (normalizedNames.size >= NORMALIZED_NAMES_MAX) normalizedNames.clear()
  const fresh = foldAccents(name)
  normalizedNames.set(name, fresh)
  return fresh
}

function matchesSearch({ cliente }: Conversa, search: string): boolean {
  const term = foldAccents(search.trim())
  const { nome, nomeUsuario = '' } = cliente
  if (term.startsWith('@')) return nomeUsuario.startsWith(term.slice(1))
  if (normalizedName(nome).includes(term) || nomeUsuario.includes(term)) return true
  const digits = search.replace(/\D/g, '')
  return digits !== '' && !/\p{L}/u.test(search) && cliente.telefone.replace(/\D/g, '').includes(digits)
}

function matchesChoice({ setor, linha, etiquetas = [], operadorId }: Conversa, filter: ConversaListFilter): boolean {
  const { etiqueta, operador } = filter
  if (filter.setor !== null && setor !== filter.setor) return false
  if (filter.linha !== null && linha?.id !== filter.linha) return false
  if (etiqueta !== null && !etiquetas.includes(etiqueta)) return false
  return operador === null || (operadorId ?? 'ninguem') === operador
}

export interface ViewMoment {
  readonly me: ConversaReader
  readonly nowMs: number
}

export function filterConversas(
  conversas: readonly Conversa[],
  filter: ConversaListFilter,
  { me, nowMs }: ViewMoment,
): readonly Conversa[] {
  const { visao, status, busca } = filter
  return conversas
    .filter(
      (conversa) =>
        (status === 'todos' ? isInView(conversa, visao, me, nowMs) : conversa.status === status) &&
        matchesChoice(conversa, filter) &&
        matchesSearch(conversa, busca),
    )
    .toSorted(compareInView)
}
