import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** The list, and what tells it from another: whoever saves says over which one it was written. */
export interface RespostasLidas {
  readonly respostas: readonly RespostaRapida[]
  readonly versao?: string | undefined
}

const CONSULTA = queryOptions<RespostasLidas>({
  queryKey: ['atendimento', 'respostas-rapidas'],
  queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
  networkMode: 'always',
})

export function useRespostas() {
  return useQuery(CONSULTA)
}

/** Both reject with `ApiError`: saving, with `conflito` when the list is no longer the one of `versao`. */
export function useServidorDeRespostas() {
  const cliente = useQueryClient()
  return {
    lerDeNovo: (): Promise<RespostasLidas> => cliente.fetchQuery({ ...CONSULTA, staleTime: 0 }),
    /** Saves the whole list. */
    gravar: async (respostas: RespostaRapida[], versao: string | undefined): Promise<RespostasLidas> => {
      const body = { respostas, ...(versao === undefined ? {} : { versao }) }
      const salvas = await call(salvarRespostasRapidasRoute, { body })
      cliente.setQueryData(CONSULTA.queryKey, salvas)
      return salvas
    },
  }
}
