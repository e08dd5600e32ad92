import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import {
  mensagensKey,
  mergeLatestPage,
  prependOlderPage,
  type MensagemPages,
} from '#shared/data/conversas/mensagem-pages.ts'
import { knownConversas, storeAnswer } from '#shared/data/conversas/known-conversas.ts'

/** Reads the chat in pages from the end. A refetch reads only the last page. */

const PAGE_SIZE = 50
const PREFETCH_STALE_MS = 30_000

function chatQuery(client: QueryClient, id: string) {
  const queryKey = mensagensKey(id)
  return {
    queryKey,
    // Structural sharing compares by position, so an older page inserted at the top would recreate all objects.
    structuralSharing: false,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MensagemPages> => {
      const page = await storeAnswer(
        () => call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGE_SIZE }, signal }),
        (latest) => client.setQueryData<MensagemPages>(queryKey, (before) => mergeLatestPage(before, latest)),
      )
      return client.getQueryData<MensagemPages>(queryKey) ?? mergeLatestPage(undefined, page)
    },
  }
}

/** The row of a conversa that left the setores of the operador may keep the focus for a moment. */
export function prefetchMensagens(client: QueryClient, id: string): void {
  if (!knownConversas(client).byId.has(id)) return
  void client.prefetchQuery({ ...chatQuery(client, id), staleTime: PREFETCH_STALE_MS, retry: false })
}

export interface LoadedChat {
  readonly loaded: MensagemPages | undefined
  readonly error: Error | null
  /** The last failed attempt while others follow. */
  readonly failure: Error | null
  readonly retry: () => void
  readonly older: {
    readonly exists: boolean
    readonly loading: boolean
    readonly error: string | null
    readonly load: () => Promise<void>
  }
}

export function useChatMensagens(id: string): LoadedChat {
  const client = useQueryClient()
  const { data, error, failureReason, refetch } = useQuery({ ...chatQuery(client, id), networkMode: 'always' })
  const [loading, setLoading] = useState(false)
  const [olderError, setOlderError] = useState<string | null>(null)
  const cursor = data?.cursor

  async function load(): Promise<void> {
    if (cursor === undefined || loading) return
    setLoading(true)
    setOlderError(null)
    try {
      const page = await call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGE_SIZE, cursor } })
      client.setQueryData<MensagemPages>(mensagensKey(id), (read) =>
        // Another page was loaded first, so this page does not fit.
        read?.cursor === cursor ? prependOlderPage(read, page) : read,
      )
    } catch (cause) {
      setOlderError(errorMessage(cause))
    }
    setLoading(false)
  }
  return {
    loaded: data,
    error,
    failure: failureReason,
    retry: () => void refetch(),
    older: { exists: cursor !== undefined, loading, error: olderError, load },
  }
}
