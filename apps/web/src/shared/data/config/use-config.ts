import type { VersionedConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { EMPTY_CONFIG } from './empty-config.ts'
import { storeConfigCopy, readConfigCopy } from './config-copy.ts'

/** Source of the configuration on screen. Only `servidor` may be saved over. */
export type ConfigSource = 'servidor' | 'copia' | 'padrao'

export interface ConfigRead {
  readonly config: VersionedConfig
  readonly source: ConfigSource
  readonly loading: boolean
  readonly error: Error | null
  readonly reload: () => Promise<VersionedConfig>
}

async function fetchConfig(contaId: string, signal?: AbortSignal): Promise<VersionedConfig> {
  const { config } = await call(configRoute, signal === undefined ? {} : { signal })
  storeConfigCopy(contaId, config)
  return config
}

/** Defaults, shown when the request fails and there is no copy. Loaded only then and never saved. */
let fallbackConfig: VersionedConfig | null = null

async function fetchOrPrepareFallback(contaId: string, signal: AbortSignal): Promise<VersionedConfig> {
  try {
    return await fetchConfig(contaId, signal)
  } catch (erro) {
    if (readConfigCopy(contaId) === null) {
      const { defaultConfig } = await import('@balcao/contract/defaults')
      fallbackConfig = { ...defaultConfig(), versao: 1 }
    }
    throw erro
  }
}

/** The account's configuration: from the server, else the local copy, else the defaults. */
export function useConfig(): ConfigRead {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const { data, isPending, error } = useQuery({
    queryKey: QUERY_KEYS.config,
    queryFn: ({ signal }) => fetchOrPrepareFallback(contaId, signal),
    networkMode: 'always',
  })
  const semDados = data === undefined
  const copy = useMemo(() => (semDados ? readConfigCopy(contaId) : null), [semDados, contaId])
  const recarregar = () =>
    cliente.fetchQuery({
      queryKey: QUERY_KEYS.config,
      queryFn: ({ signal }) => fetchConfig(contaId, signal),
      staleTime: 0,
      retry: false,
      networkMode: 'always',
    })
  return {
    config: data ?? copy ?? fallbackConfig ?? EMPTY_CONFIG,
    source: data !== undefined ? 'servidor' : copy !== null ? 'copia' : 'padrao',
    loading: isPending,
    error: error,
    reload: recarregar,
  }
}

export type EditableConfig =
  | { readonly estado: 'lendo' }
  | { readonly estado: 'falhou'; readonly mensagem: string; readonly tentar: () => void }
  | { readonly estado: 'lida'; readonly lida: ConfigRead }

/** The configuration an editor starts from: the server's only, or the loading or failure state. */
export function useEditableConfig(): EditableConfig {
  const lida = useConfig()
  const [tentando, setTentando] = useState(false)
  if (lida.loading || tentando) return { estado: 'lendo' }
  if (lida.error === null || lida.source === 'servidor') return { estado: 'lida', lida }
  const tentar = (): void => {
    setTentando(true)
    void lida
      .reload()
      .catch(() => undefined)
      .finally(() => setTentando(false))
  }
  return { estado: 'falhou', mensagem: lida.error.message, tentar }
}
