import type { LinhaConfig, VersionedLinhaConfig } from '@balcao/contract/entities/linha'
import { configDaLinhaRoute, salvarConfigDaLinhaRoute } from '@balcao/contract/routes/linhas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { isOutdated } from '#shared/form/outdated.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const keyOf = (linhaId: string) => [...QUERY_KEYS.linhaConfig, linhaId]

export function useLinhaConfig(linhaId: string) {
  return useQuery({
    queryKey: keyOf(linhaId),
    queryFn: ({ signal }) => call(configDaLinhaRoute, { params: { id: linhaId }, signal }),
    retry: false,
  })
}

export type SaveLinhaConfig = (
  sections: Partial<LinhaConfig>,
  base: VersionedLinhaConfig,
) => Promise<VersionedLinhaConfig>

/** Saves sections of one line as a new version of the settings, which the account's editors then read again. */
export function useSaveLinhaConfig(linhaId: string): SaveLinhaConfig {
  const client = useQueryClient()
  return async (sections, base) => {
    const body = { ...base, ...sections }
    try {
      const saved = await call(salvarConfigDaLinhaRoute, { params: { id: linhaId }, body })
      client.setQueryData(keyOf(linhaId), saved)
      void client.invalidateQueries({ queryKey: QUERY_KEYS.config, exact: true })
      void client.invalidateQueries({ queryKey: QUERY_KEYS.versoes })
      return saved
    } catch (error) {
      if (isOutdated(error)) void client.invalidateQueries({ queryKey: QUERY_KEYS.linhaConfig })
      throw error
    }
  }
}
