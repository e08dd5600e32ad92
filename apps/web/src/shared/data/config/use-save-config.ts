import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { ConfigInput } from '@balcao/contract/entities/config-input'
import { salvarConfigRoute } from '@balcao/contract/routes/config'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { storeConfigCopy } from './config-copy.ts'

/** Separate from reading because only editors load it. */

export function storeSavedConfig(client: QueryClient, contaId: string, config: VersionedConfig): void {
  storeConfigCopy(contaId, config)
  client.setQueryData(QUERY_KEYS.config, config)
  void client.invalidateQueries({ queryKey: QUERY_KEYS.versoes })
}

/**
 * Saves the whole configuration; the server refuses a stale `versao` with 409. Not a library mutation, because that
 * code would be the heaviest part of an editor's first load.
 */
export function useSaveConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const [salvando, setSalvando] = useState(false)
  const salvarConfig = async (input: ConfigInput): Promise<VersionedConfig> => {
    setSalvando(true)
    try {
      const { config } = await call(salvarConfigRoute, { body: input })
      storeSavedConfig(cliente, contaId, config)
      return config
    } finally {
      setSalvando(false)
    }
  }
  return { salvarConfig, salvando }
}
