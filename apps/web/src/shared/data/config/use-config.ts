import type { VersionedConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { storeConfigCopy, readConfigCopy } from './config-copy.ts'

/** Source of the configuration on screen. Only `servidor` may be saved over. */
export type ConfigSource = 'servidor' | 'copia' | 'padrao'

export interface ConfigRead {
  /** Null until the server, the local copy or the defaults gave one. */
  readonly config: VersionedConfig | null
  readonly source: ConfigSource
  readonly loading: boolean
  readonly error: Error | null
  readonly reload: () => Promise<VersionedConfig>
}

/** A configuration that a form can start from. */
export interface LoadedConfig extends ConfigRead {
  readonly config: VersionedConfig
}

export function isLoadedConfig(read: ConfigRead): read is LoadedConfig {
  return read.config !== null
}

async function fetchConfig(contaId: string, signal?: AbortSignal): Promise<VersionedConfig> {
  const { config } = await call(configRoute, signal === undefined ? {} : { signal })
  storeConfigCopy(contaId, config)
  return config
}

/** Defaults, shown when the request fails and there is no copy. Loaded only then and never saved. */
let fallbackConfig: VersionedConfig | null = null
addEventListener('saiu', () => (fallbackConfig = null))

async function fetchOrPrepareFallback(contaId: string, signal: AbortSignal): Promise<VersionedConfig> {
  try {
    return await fetchConfig(contaId, signal)
  } catch (error) {
    if (readConfigCopy(contaId) === null) {
      const { defaultConfig } = await import('@balcao/contract/defaults')
      fallbackConfig = { ...defaultConfig(), versao: 1 }
    }
    throw error
  }
}

export function configOptions(contaId: string) {
  return queryOptions({
    queryKey: QUERY_KEYS.config,
    queryFn: ({ signal }) => fetchOrPrepareFallback(contaId, signal),
    networkMode: 'always',
  })
}

/** The account's configuration: from the server, else the local copy, else the defaults. */
export function useConfig(): ConfigRead {
  const { contaId } = useUsuario()
  const client = useQueryClient()
  const { data, isPending, error } = useQuery(configOptions(contaId))
  const noData = data === undefined
  const copy = useMemo(() => (noData ? readConfigCopy(contaId) : null), [noData, contaId])
  const reload = () =>
    client.fetchQuery({
      queryKey: QUERY_KEYS.config,
      queryFn: ({ signal }) => fetchConfig(contaId, signal),
      staleTime: 0,
      retry: false,
      networkMode: 'always',
    })
  return {
    config: data ?? copy ?? fallbackConfig,
    source: data !== undefined ? 'servidor' : copy !== null ? 'copia' : 'padrao',
    loading: isPending,
    error,
    reload,
  }
}

export type EditableConfig =
  | { readonly estado: 'lendo' }
  | { readonly estado: 'falhou'; readonly mensagem: string; readonly tentar: () => void }
  | { readonly estado: 'lida'; readonly lida: LoadedConfig }

/** The configuration an editor starts from: the server's only, or the loading or failure state. */
export function useEditableConfig(): EditableConfig {
  const read = useConfig()
  const [retrying, setRetrying] = useState(false)
  if (read.loading || retrying) return { estado: 'lendo' }
  if (isLoadedConfig(read) && (read.error === null || read.source === 'servidor')) return { estado: 'lida', lida: read }
  const retry = (): void => {
    setRetrying(true)
    void read
      .reload()
      .catch(() => undefined)
      .finally(() => setRetrying(false))
  }
  return { estado: 'falhou', mensagem: read.error?.message ?? '', tentar: retry }
}
