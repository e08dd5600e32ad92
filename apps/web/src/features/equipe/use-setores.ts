import type { Setor } from '@balcao/contract/entities/config'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const SEM_SETORES: readonly Setor[] = []

/** Uses the same cache entry as the tab atendimento. Empty while unknown. */
export function useSetores(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: ['atendimento', 'setores'],
    queryFn: async ({ signal }) => (await call(setoresRoute, { signal })).setores,
    networkMode: 'always',
  })
  return data ?? SEM_SETORES
}

export type SetorMostrado = Pick<Setor, 'nome' | 'cor'>

/** A deleted setor uses its id as name. */
export function acharSetor(setores: readonly Setor[], id: string): SetorMostrado {
  return setores.find((setor) => setor.id === id) ?? { nome: id, cor: 'gray' }
}
