import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Contato, Importacao } from '@balcao/contract/entities/contato'
import type { ServerEvent } from '@balcao/contract/realtime'
import {
  contatosRoute,
  criarContatoRoute,
  exportarContatosRoute,
  importarContatosRoute,
} from '@balcao/contract/routes/contatos'
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, conclude } from '#shared/api-client.ts'
import { type ContatoPage, contatoListKey } from '#shared/data/contatos/contatos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { useUsuario } from '#shared/session.tsx'
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

const NEW_CONTATO_AFTER_MS = 3_000

function contatoIdOf({ evento, dados }: ServerEvent): string | undefined {
  if (evento === 'contatoMudou') return dados.contato.id
  if (evento === 'botConversaAtiva') return dados.id
  return evento === 'novaConversaHumana' ? dados.conversa.contatoId : undefined
}

/**
 * Reads the list without a filter again when an unlisted contato writes: at most every 3 s, and once for each contato,
 * because most contatos of a large conta are on later pages.
 */
export function useNewContatos({ busca, etiqueta }: ContatoSearch): void {
  const client = useQueryClient()
  const { contaId } = useUsuario()
  const everything = busca === '' && etiqueta === ''
  useEffect(() => {
    if (!everything) return
    const queryKey = contatoListKey('', '')
    const read = new Set<string>()
    const isListed = (id: string): boolean =>
      client
        .getQueryData<InfiniteData<ContatoPage>>(queryKey)
        ?.pages.some(({ contatos }) => contatos.some((contato) => contato.id === id)) === true
    let wait: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent((event) => {
      const id = event.dados.userId === contaId ? contatoIdOf(event) : undefined
      if (id === undefined || read.has(id) || isListed(id)) return
      read.add(id)
      wait ??= setTimeout(() => {
        wait = undefined
        void client.invalidateQueries({ queryKey })
      }, NEW_CONTATO_AFTER_MS)
    })
    return () => {
      stop()
      clearTimeout(wait)
    }
  }, [client, contaId, everything])
}

export function refreshContatos(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEYS.contatos })
  void client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
}

export interface ContatoDraft {
  readonly nome: string
  readonly telefone: string
  readonly etiquetas: readonly string[]
  readonly observacao: string
  /** Refuses a number that was erased at the customer's request. */
  readonly conferirApagado: boolean
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
