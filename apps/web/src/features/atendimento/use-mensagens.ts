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

/** A chat is read by pages from its end. Asking again asks for the last page only, however much was read. */

const PAGINA = 50
/** What the pointer asked for on its way is still good when the click comes. */
const ADIANTADA_VALE_MS = 30_000

function consulta(cliente: QueryClient, id: string) {
  const queryKey = chaveDasMensagens(id)
  return {
    queryKey,
    // Pages keep their objects by themselves; comparing by position would make new ones when an older page comes before them.
    structuralSharing: false,
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<MensagensLidas> =>
      buscarUltimaPagina(
        id,
        () => call(mensagensDaConversaRoute, { params: { id }, query: { limite: PAGINA }, signal }),
        () => cliente.getQueryData<MensagensLidas>(queryKey),
      ),
  }
}

/** Before it is opened: the pointer, or the keyboard, is on it. */
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
    /** Why the last try failed; it is not tried again by itself. */
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
        // Another page may have come first: this one would no longer fit.
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
