import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ConfigEntrada } from '@balcao/contract/entities/config-entrada'
import { salvarConfigRoute } from '@balcao/contract/routes/config'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { guardarCopia } from './copia-config.ts'

/** Writing the configuration, apart from reading it: only the editors load this. */

export function receberConfig(cliente: QueryClient, contaId: string, config: ConfigVersionada): void {
  guardarCopia(contaId, config)
  cliente.setQueryData(CHAVES.config, config)
  void cliente.invalidateQueries({ queryKey: CHAVES.versoes })
}

/** Saves the whole configuration; `versao` inside it is what makes a stale window be refused with 409. */
export function useSalvarConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async (config: ConfigEntrada) => (await call(salvarConfigRoute, { body: config })).config,
    onSuccess: (config) => receberConfig(cliente, contaId, config),
  })
}
