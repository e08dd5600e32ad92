import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { call } from '#shared/api-client.ts'
import type { FiltroDeStatus } from './filtros.ts'

/** Page size for refetches and for waiting conversas: the most the server allows. */
export const PAGINA_MAXIMA = 200
const MENSAGENS_NO_CARTAO = 1

export interface ListaDeConversas {
  readonly conversas: readonly Conversa[]
  readonly proximoCursor?: string | undefined
}

export interface Pedido {
  readonly status?: FiltroDeStatus
  readonly setor?: string
  readonly busca?: string
}

interface Pagina extends Pedido {
  readonly limite: number
  readonly cursor?: string | undefined
}

export async function buscarPagina({ cursor, ...pedido }: Pagina, signal?: AbortSignal): Promise<ListaDeConversas> {
  const query = { ...pedido, mensagens: MENSAGENS_NO_CARTAO, ...(cursor === undefined ? {} : { cursor }) }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

export function juntar(antes: readonly Conversa[], depois: readonly Conversa[]): readonly Conversa[] {
  const vistas = new Set(antes.map(({ id }) => id))
  return [...antes, ...depois.filter(({ id }) => !vistas.has(id))]
}
