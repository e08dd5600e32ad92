import { modelosGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { MODELS_KEY } from '#features/ia/query-keys.ts'

/** Models to choose from. A list from the provider also proves that the stored key is valid. */
export function useModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => call(modelosGeminiRoute, { signal }),
    retry: false,
  })
}
