import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import {
  buscarUltimaPagina,
  chaveDasMensagens,
  juntarPaginaAntiga,
  type MensagensLidas,
} from '#shared/dados/mensagens-da-conversa.ts'

/** Reads the chat in pages from the end. A refetch reads only the last page. */

const PAGINA = 50
/** A prefetch is still fresh when the click follows within 30 s. */
const ADIANTADA_VALE_MS = 30_000

function consulta(cliente: QueryClient, id: string) {
  const queryKey = chaveDasMensagens(id)
  return {
    queryKey,
    // Structural sharing compares by position, so an older page inserted at the top would recreate all objects.
    structuralSharing: false,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<MensagensLidas> =>
      buscarUltimaPagina(
        id,
        () => call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGINA }, signal }),
        () => cliente.getQueryData<MensagensLidas>(queryKey),
      ),
  }
}

export function adiantarMensagens(cliente: QueryClient, id: string): void {
  void cliente.prefetchQuery({ ...consulta(cliente, id), staleTime: ADIANTADA_VALE_MS, retry: false })
}

export interface ChatLido {
  readonly lidas: MensagensLidas | undefined
  readonly erro: Error | null
  readonly tentar: () => void
  readonly antigas: {
    readonly ha: boolean
    readonly carregando: boolean
    readonly erro: string | null
    readonly carregar: () => Promise<void>
  }
}

export function useMensagens(id: string): ChatLido {
  const cliente = useQueryClient()
  const { data, error, refetch } = useQuery({ ...consulta(cliente, id), networkMode: 'always' })
  const [carregando, setCarregando] = useState(false)
  const [erroDasAntigas, setErroDasAntigas] = useState<string | null>(null)
  const cursor = data?.cursor

  async function carregar(): Promise<void> {
    if (cursor === undefined || carregando) return
    setCarregando(true)
    setErroDasAntigas(null)
    try {
      const pagina = await call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGINA, cursor } })
      cliente.setQueryData<MensagensLidas>(chaveDasMensagens(id), (lidas) =>
        // Another page was loaded first, so this page does not fit.
        lidas?.cursor === cursor ? juntarPaginaAntiga(lidas, pagina) : lidas,
      )
    } catch (causa) {
      setErroDasAntigas(mensagemDe(causa))
    }
    setCarregando(false)
  }
  return {
    lidas: data,
    erro: error,
    tentar: () => void refetch(),
    antigas: { ha: cursor !== undefined, carregando, erro: erroDasAntigas, carregar },
  }
}
