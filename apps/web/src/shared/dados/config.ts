import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { CONFIG_VAZIA } from './config-vazia.ts'
import { guardarCopia, lerCopia } from './copia-config.ts'

/** Source of the configuration on screen. Only `servidor` may be saved over. */
export type OrigemConfig = 'servidor' | 'copia' | 'padrao'

export interface ConfigLida {
  readonly config: ConfigVersionada
  readonly origem: OrigemConfig
  readonly carregando: boolean
  readonly erro: Error | null
  readonly recarregar: () => Promise<ConfigVersionada>
}

async function buscarConfig(contaId: string, signal?: AbortSignal): Promise<ConfigVersionada> {
  const { config } = await call(configRoute, signal === undefined ? {} : { signal })
  guardarCopia(contaId, config)
  return config
}

/** Defaults, shown when the request fails and there is no copy. Loaded only then and never saved. */
let padrao: ConfigVersionada | null = null

async function buscarOuPreparar(contaId: string, signal: AbortSignal): Promise<ConfigVersionada> {
  try {
    return await buscarConfig(contaId, signal)
  } catch (erro) {
    if (lerCopia(contaId) === null) {
      const { defaultConfig } = await import('@balcao/contract/defaults')
      padrao = { ...defaultConfig(), versao: 1 }
    }
    throw erro
  }
}

/** The account's configuration: from the server, else the local copy, else the defaults. */
export function useConfig(): ConfigLida {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const { data, isPending, error } = useQuery({
    queryKey: CHAVES.config,
    queryFn: ({ signal }) => buscarOuPreparar(contaId, signal),
    networkMode: 'always',
  })
  const semDados = data === undefined
  const copia = useMemo(() => (semDados ? lerCopia(contaId) : null), [semDados, contaId])
  const recarregar = () =>
    cliente.fetchQuery({
      queryKey: CHAVES.config,
      queryFn: ({ signal }) => buscarConfig(contaId, signal),
      staleTime: 0,
      retry: false,
      networkMode: 'always',
    })
  return {
    config: data ?? copia ?? padrao ?? CONFIG_VAZIA,
    origem: data !== undefined ? 'servidor' : copia !== null ? 'copia' : 'padrao',
    carregando: isPending,
    erro: error,
    recarregar,
  }
}

export type ConfigParaEditar =
  | { readonly estado: 'lendo' }
  | { readonly estado: 'falhou'; readonly mensagem: string; readonly tentar: () => void }
  | { readonly estado: 'lida'; readonly lida: ConfigLida }

/** The configuration an editor starts from: the server's only, or the loading or failure state. */
export function useConfigParaEditar(): ConfigParaEditar {
  const lida = useConfig()
  const [tentando, setTentando] = useState(false)
  if (lida.carregando || tentando) return { estado: 'lendo' }
  if (lida.erro === null || lida.origem === 'servidor') return { estado: 'lida', lida }
  const tentar = (): void => {
    setTentando(true)
    void lida
      .recarregar()
      .catch(() => undefined)
      .finally(() => setTentando(false))
  }
  return { estado: 'falhou', mensagem: lida.erro.message, tentar }
}
