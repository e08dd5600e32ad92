import { opcoesRegistroRoute } from '@balcao/contract/routes/auth'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const OPTIONS_FRESH_MS = 300_000

/** Facts about the installation. Undefined until the server has answered. */
export function useServerOptions({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const { data } = useQuery({
    queryKey: ['auth', 'opcoes'],
    queryFn: ({ signal }) => call(opcoesRegistroRoute, { signal }),
    enabled,
    staleTime: OPTIONS_FRESH_MS,
  })
  return data
}
