import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { atualizarEtiquetaRoute, criarEtiquetaRoute, excluirEtiquetaRoute } from '@balcao/contract/routes/etiquetas'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

/** Each change shows its failure and resolves with null. */
export function useEtiquetaChanges() {
  const client = useQueryClient()
  const run = async <T>(action: () => Promise<T>): Promise<T | null> => {
    try {
      const result = await action()
      await client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
      return result
    } catch (error) {
      notify.erro(errorMessage(error))
      return null
    }
  }
  return {
    create: (fields: Omit<Etiqueta, 'id'>) =>
      run(async () => (await call(criarEtiquetaRoute, { body: fields })).etiqueta),
    change: (id: string, fields: Partial<Omit<Etiqueta, 'id'>>) =>
      run(async () => (await call(atualizarEtiquetaRoute, { params: { id }, body: fields })).etiqueta),
    remove: async (id: string): Promise<void> => {
      await run(() => call(excluirEtiquetaRoute, { params: { id } }))
      // Contatos lose the etiqueta with it.
      void client.invalidateQueries({ queryKey: QUERY_KEYS.contatos })
    },
  }
}
