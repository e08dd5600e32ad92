import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ConfigEntrada } from '@balcao/contract/entities/config-entrada'
import { salvarConfigRoute } from '@balcao/contract/routes/config'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { guardarCopia } from './copia-config.ts'

/** Separate from reading because only editors load it. */

export function receberConfig(cliente: QueryClient, contaId: string, config: ConfigVersionada): void {
  guardarCopia(contaId, config)
  cliente.setQueryData(CHAVES.config, config)
  void cliente.invalidateQueries({ queryKey: CHAVES.versoes })
}

/**
 * Saves the whole configuration; the server refuses a stale `versao` with 409. Not a library mutation, because that
 * code would be the heaviest part of an editor's first load.
 */
export function useSalvarConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const [salvando, setSalvando] = useState(false)
  const salvarConfig = async (entrada: ConfigEntrada): Promise<ConfigVersionada> => {
    setSalvando(true)
    try {
      const { config } = await call(salvarConfigRoute, { body: entrada })
      receberConfig(cliente, contaId, config)
      return config
    } finally {
      setSalvando(false)
    }
  }
  return { salvarConfig, salvando }
}
