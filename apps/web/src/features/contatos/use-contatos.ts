import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Contato, Importacao } from '@balcao/contract/entities/contato'
import {
  contatosRoute,
  criarContatoRoute,
  exportarContatosRoute,
  importarContatosRoute,
} from '@balcao/contract/routes/contatos'
import { type QueryClient, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, conclude } from '#shared/api-client.ts'
import { type ContatoPage, contatoListKey } from '#shared/data/contatos/contatos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { readToken } from '#shared/storage.ts'

export interface ContatoSearch {
  readonly busca: string
  /** Id, or '' for all contatos. */
  readonly etiqueta: string
}

export function useContatoList({ busca, etiqueta }: ContatoSearch) {
  return useInfiniteQuery({
    queryKey: contatoListKey(busca, etiqueta),
    queryFn: ({ pageParam: cursor, signal }) => call(contatosRoute, { query: { busca, etiqueta, cursor }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }: ContatoPage) => proximoCursor,
    placeholderData: (before) => before,
    networkMode: 'always',
  })
}

/** Lists that a new or an imported contato may belong to. */
export function refreshContatos(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEYS.contatos })
  void client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
}

export interface ContatoDraft {
  readonly nome: string
  readonly telefone: string
  readonly etiquetas: readonly string[]
  readonly observacao: string
}

export function useCreateContato() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ etiquetas, ...fields }: ContatoDraft): Promise<Contato> =>
      (await call(criarContatoRoute, { body: { ...fields, etiquetas: [...etiquetas] } })).contato,
    networkMode: 'always',
    onSuccess: () => refreshContatos(client),
  })
}

export function sendImport(file: File, simular: boolean): Promise<Importacao> {
  const form = new FormData()
  form.set('arquivo', file)
  const query = { simular: simular ? ('true' as const) : ('false' as const) }
  return call(importarContatosRoute, { query, form, timeoutMs: TIMEOUT_ENVIO_MS })
}

/** Rejects with `ApiError` when the server refuses. */
export async function fetchExport(): Promise<Blob> {
  const token = readToken()
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` })
  const reply = await fetch(`/api${exportarContatosRoute.path}`, { headers })
  return reply.ok ? reply.blob() : conclude<never>(exportarContatosRoute, reply.status, await reply.text(), token)
}
