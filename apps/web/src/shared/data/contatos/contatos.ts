import type { Contato } from '@balcao/contract/entities/contato'
import { atualizarContatoRoute, contatoRoute } from '@balcao/contract/routes/contatos'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { type InfiniteData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export interface ContatoPage {
  readonly contatos: readonly Contato[]
  readonly proximoCursor: string | null
}

export const contatoKey = (id: string) => [...QUERY_KEYS.contatos, 'um', id]
export const contatoListKey = (busca: string, etiqueta: string) => [...QUERY_KEYS.contatos, 'lista', busca, etiqueta]

export function useContato(id: string | null) {
  return useQuery({
    queryKey: contatoKey(id ?? ''),
    queryFn: async ({ signal }) => (await call(contatoRoute, { params: { id: id ?? '' }, signal })).contato,
    enabled: id !== null,
    networkMode: 'always',
  })
}

export interface ContatoChange {
  readonly nome?: string
  readonly etiquetas?: readonly string[]
  readonly observacao?: string
}

export function useSaveContato(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ etiquetas, ...fields }: ContatoChange) => {
      const body = { ...fields, ...(etiquetas === undefined ? {} : { etiquetas: [...etiquetas] }) }
      return (await call(atualizarContatoRoute, { params: { id }, body })).contato
    },
    networkMode: 'always',
    onSuccess: (contato) => applyContato(client, contato),
  })
}

/** Replaces the contato in the lists that hold it. Its open conversa stays known: events do not name it. */
export function applyContato(client: QueryClient, contato: ServerEventPayloads['contatoMudou']['contato']): void {
  const update = (held: Contato): Contato => (held.id === contato.id ? { ...held, ...contato } : held)
  client.setQueryData<Contato>(contatoKey(contato.id), (held) => (held === undefined ? undefined : update(held)))
  client.setQueriesData<InfiniteData<ContatoPage>>({ queryKey: [...QUERY_KEYS.contatos, 'lista'] }, (list) =>
    list === undefined
      ? undefined
      : { ...list, pages: list.pages.map((page) => ({ ...page, contatos: page.contatos.map(update) })) },
  )
}
