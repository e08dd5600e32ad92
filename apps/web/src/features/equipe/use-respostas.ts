import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const CHAVE = ['atendimento', 'respostas-rapidas'] as const

export function useRespostas() {
  return useQuery({
    queryKey: CHAVE,
    queryFn: async ({ signal }) => (await call(respostasRapidasRoute, { signal })).respostas,
    networkMode: 'always',
  })
}

/** Saves the whole list. Rejects with `ApiError`. */
export function useSalvarRespostas() {
  const cliente = useQueryClient()
  return async (respostas: RespostaRapida[]): Promise<RespostaRapida[]> => {
    const salvas = await call(salvarRespostasRapidasRoute, { body: { respostas } })
    cliente.setQueryData(CHAVE, salvas.respostas)
    return salvas.respostas
  }
}
