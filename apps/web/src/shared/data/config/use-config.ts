import type { VersionedConfig } from '@balcao/contract/entities/config'
import { withChaves } from '@balcao/contract/presets/provedores-ia'
import { configRoute } from '@balcao/contract/routes/config'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { readCopy, readSession, storeCopy } from '#shared/storage.ts'
import { setContaZone } from '#shared/time-zone.ts'

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

export interface LoadedConfig extends ConfigRead {
  readonly config: VersionedConfig
}

export function isLoadedConfig(read: ConfigRead): read is LoadedConfig {
  return read.config !== null
}

/**
 * Stores the fallback copy, one per account and without keys. Sets the account's time zone first, before any time is drawn. An answer that arrives after the logout
 * changes nothing.
 */
export function storeConfigCopy(contaId: string, config: VersionedConfig): void {
  if (readSession()?.usuario.contaId !== contaId) return
  setContaZone(config.atendimento.horario.fuso)
  storeCopy('config', contaId, withChaves(config, { gemini: '', openai: '', anthropic: '', compativel: '' }))
}

function readConfigCopy(contaId: string): VersionedConfig | null {
  const copy = readCopy('config', contaId)
  return isConfigCopy(copy) ? copy : null
}

/** Ignores the copy of an older version that lacks a part. */
function isConfigCopy(value: unknown): value is VersionedConfig {
  if (typeof value !== 'object' || value === null) return false
  const complete = ['whatsapp', 'gemini', 'ia', 'menu', 'atendimento', 'loja', 'versao'].every((part) => part in value)
  return complete && 'ia' in value && typeof value.ia === 'object' && value.ia !== null && 'chaves' in value.ia
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
