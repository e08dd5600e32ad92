import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { call } from '#shared/api-client.ts'
import type { ConversaStatusFilter } from './filters.ts'

/** Page size for refetches and for waiting conversas: the most the server allows. */
export const PAGE_MAX = 200
const MENSAGENS_PER_CARD = 1

export interface ConversaPages {
  readonly conversas: readonly Conversa[]
  readonly proximoCursor?: string | undefined
}

export interface ConversaQuery {
  readonly status?: ConversaStatusFilter
  readonly setor?: string
  readonly busca?: string
}

interface ConversaPageQuery extends ConversaQuery {
  readonly limite: number
  readonly cursor?: string | undefined
}

export async function fetchConversaPage(
  { cursor, ...request }: ConversaPageQuery,
  signal?: AbortSignal,
): Promise<ConversaPages> {
  const query = { ...request, mensagens: MENSAGENS_PER_CARD, ...(cursor === undefined ? {} : { cursor }) }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

export function mergeConversas(before: readonly Conversa[], after: readonly Conversa[]): readonly Conversa[] {
  const seen = new Set(before.map(({ id }) => id))
  return [...before, ...after.filter(({ id }) => !seen.has(id))]
}
