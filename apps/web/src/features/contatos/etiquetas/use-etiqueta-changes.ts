import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { atualizarEtiquetaRoute, criarEtiquetaRoute, excluirEtiquetaRoute } from '@balcao/contract/routes/etiquetas'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

/** Each change rejects with the refusal of the server. */
export function useEtiquetaChanges() {
  const client = useQueryClient()
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
  return {
    create: async (fields: Omit<Etiqueta, 'id'>): Promise<Etiqueta> => {
      const { etiqueta } = await call(criarEtiquetaRoute, { body: fields })
      await refresh()
      return etiqueta
    },
    change: async (id: string, fields: Partial<Omit<Etiqueta, 'id'>>): Promise<void> => {
      await call(atualizarEtiquetaRoute, { params: { id }, body: fields })
      await refresh()
    },
    remove: async (id: string): Promise<void> => {
      await call(excluirEtiquetaRoute, { params: { id } })
      // Contatos lose the etiqueta with it.
      void client.invalidateQueries({ queryKey: QUERY_KEYS.contatos })
      await refresh()
    },
  }
}
