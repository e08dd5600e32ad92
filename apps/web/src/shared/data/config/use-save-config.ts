import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import { salvarConfigRoute } from '@balcao/contract/routes/config'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { storeConfigCopy } from './use-config.ts'

/** Separate from reading because only editors load it. */

export function storeSavedConfig(client: QueryClient, contaId: string, config: VersionedConfig): void {
  storeConfigCopy(contaId, config)
  client.setQueryData(QUERY_KEYS.config, config)
  void client.invalidateQueries({ queryKey: QUERY_KEYS.versoes })
  // The sections of lines have the version of the account's settings.
  void client.invalidateQueries({ queryKey: QUERY_KEYS.linhaConfig })
}

/**
 * Saves the whole configuration; the server refuses a stale `versao` with 409. `force`: the reason to save the AI although
 * its exam failed. Not a library mutation, because that
 * code would be the heaviest part of an editor's first load.
 */
export function useSaveConfig(): (input: ConfigInput, force?: string) => Promise<VersionedConfig> {
  const { contaId } = useUsuario()
  const client = useQueryClient()
  return async (input, force) => {
    const query = force === undefined ? {} : ({ forcar: 'true', motivo: force } as const)
    const { config } = await call(salvarConfigRoute, { query, body: input })
    storeSavedConfig(client, contaId, config)
    return config
  }
}
