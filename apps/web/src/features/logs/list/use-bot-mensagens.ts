import { MENSAGENS_LISTADAS, MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import { mensagensRoute } from '@balcao/contract/routes/registros'
import { applyToMensagensBot } from '@balcao/contract/sync/registros'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { type ApplyToQuery, fetchWithEvents, useLiveQuery } from './live-query.ts'

interface LoadedBotMensagens {
  readonly mensagens: readonly MensagemBot[]
  readonly proximoCursor?: string | undefined
}

let lastRequestAt = Number.NEGATIVE_INFINITY

/** Waits so that requests are at least 3 s apart. */
async function waitForInterval(signal: AbortSignal): Promise<void> {
  const missing = lastRequestAt + MENSAGENS_MINIMO_ENTRE_CHAMADAS_MS - performance.now()
  if (missing > 0) await new Promise((resolve) => setTimeout(resolve, missing))
  if (!signal.aborted) lastRequestAt = performance.now()
}

export function useBotMensagens() {
  const { contaId } = useUsuario()
  const apply: ApplyToQuery<LoadedBotMensagens> = (parsed, event) => ({
    ...parsed,
    mensagens: applyToMensagensBot(parsed.mensagens, event, contaId, MENSAGENS_LISTADAS),
  })
  useLiveQuery(QUERY_KEYS.mensagensBot, apply)
  return useQuery({
    queryKey: QUERY_KEYS.mensagensBot,
    queryFn: async ({ signal }) => {
      await waitForInterval(signal)
      return fetchWithEvents<LoadedBotMensagens>(
        () => call(mensagensRoute, { query: { limite: MENSAGENS_LISTADAS }, signal }),
        apply,
      )
    },
    staleTime: 0,
    networkMode: 'always',
  })
}
