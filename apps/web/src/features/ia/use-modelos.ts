import { modelosGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVE_MODELOS } from './chaves.ts'

/** Models to choose from. A list from the provider also proves that the stored key is valid. */
export function useModelos() {
  return useQuery({
    queryKey: CHAVE_MODELOS,
    queryFn: ({ signal }) => call(modelosGeminiRoute, { signal }),
    retry: false,
  })
}
