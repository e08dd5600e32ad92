import { modelosGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVE_MODELOS } from './chaves.ts'

/** The models to choose from. That the provider gave them also says that the stored key is good. */
export function useModelos() {
  return useQuery({
    queryKey: CHAVE_MODELOS,
    queryFn: ({ signal }) => call(modelosGeminiRoute, { signal }),
    retry: false,
  })
}
