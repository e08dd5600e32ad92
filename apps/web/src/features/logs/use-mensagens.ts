import { MENSAGENS_LISTADAS, MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { mensagensRoute } from '@balcao/contract/routes/registros'
import { aplicarEmMensagensBot } from '@balcao/contract/sync/registros'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { type Aplicar, semPerder, useAoVivo } from './ao-vivo.ts'

interface MensagensLidas {
  readonly mensagens: readonly MensagemBot[]
  readonly proximoCursor?: string | undefined
}

let pedidaEm = Number.NEGATIVE_INFINITY

/** Waits so that requests are at least 3 s apart. */
async function esperarAVez(signal: AbortSignal): Promise<void> {
  const falta = pedidaEm + MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS - performance.now()
  if (falta > 0) await new Promise((resolve) => setTimeout(resolve, falta))
  if (!signal.aborted) pedidaEm = performance.now()
}

export function useMensagens() {
  const { contaId } = useUsuario()
  const aplicar: Aplicar<MensagensLidas> = (lidas, evento) => ({
    ...lidas,
    mensagens: aplicarEmMensagensBot(lidas.mensagens, evento, contaId, MENSAGENS_LISTADAS),
  })
  useAoVivo(CHAVES.mensagensBot, aplicar)
  return useQuery({
    queryKey: CHAVES.mensagensBot,
    queryFn: async ({ signal }) => {
      await esperarAVez(signal)
      return semPerder<MensagensLidas>(
        () => call(mensagensRoute, { query: { limite: MENSAGENS_LISTADAS }, signal }),
        aplicar,
      )
    },
    staleTime: 0,
    networkMode: 'always',
  })
}
