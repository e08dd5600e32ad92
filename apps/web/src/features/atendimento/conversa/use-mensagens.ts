import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { fetchLatestPage, mensagensKey, prependOlderPage, type MensagemPages } from '#shared/data/mensagem-pages.ts'

/** Reads the chat in pages from the end. A refetch reads only the last page. */

const PAGE_SIZE = 50
/** A prefetch is still fresh when the click follows within 30 s. */
const PREFETCH_STALE_MS = 30_000

function chatQuery(cliente: QueryClient, id: string) {
  const queryKey = mensagensKey(id)
  return {
    queryKey,
    // Structural sharing compares by position, so an older page inserted at the top would recreate all objects.
    structuralSharing: false,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<MensagemPages> =>
      fetchLatestPage(
        id,
        () => call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGE_SIZE }, signal }),
        () => cliente.getQueryData<MensagemPages>(queryKey),
      ),
  }
}

export function prefetchMensagens(client: QueryClient, id: string): void {
  void client.prefetchQuery({ ...chatQuery(client, id), staleTime: PREFETCH_STALE_MS, retry: false })
}

export interface LoadedChat {
  readonly loaded: MensagemPages | undefined
  readonly error: Error | null
  readonly retry: () => void
  readonly older: {
    readonly ha: boolean
    readonly carregando: boolean
    readonly erro: string | null
    readonly carregar: () => Promise<void>
  }
}

export function useChatMensagens(id: string): LoadedChat {
  const cliente = useQueryClient()
  const { data, error, refetch } = useQuery({ ...chatQuery(cliente, id), networkMode: 'always' })
  const [carregando, setCarregando] = useState(false)
  const [erroDasAntigas, setErroDasAntigas] = useState<string | null>(null)
  const cursor = data?.cursor

  async function load(): Promise<void> {
    if (cursor === undefined || carregando) return
    setCarregando(true)
    setErroDasAntigas(null)
    try {
      const page = await call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGE_SIZE, cursor } })
      cliente.setQueryData<MensagemPages>(mensagensKey(id), (parsed) =>
        // Another page was loaded first, so this page does not fit.
        parsed?.cursor === cursor ? prependOlderPage(parsed, page) : parsed,
      )
    } catch (cause) {
      setErroDasAntigas(errorMessage(cause))
    }
    setCarregando(false)
  }
  return {
    loaded: data,
    error: error,
    retry: () => void refetch(),
    older: { ha: cursor !== undefined, carregando, erro: erroDasAntigas, carregar: load },
  }
}
