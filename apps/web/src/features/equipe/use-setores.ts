import type { Setor } from '@balcao/contract/entities/config'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const NO_SETORES: readonly Setor[] = []

/** Uses the same cache entry as the tab atendimento. Empty while unknown. */
export function useSetores(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: ['atendimento', 'setores'],
    queryFn: async ({ signal }) => (await call(setoresRoute, { signal })).setores,
    networkMode: 'always',
  })
  return data ?? NO_SETORES
}

export type DisplaySetor = Pick<Setor, 'nome' | 'cor'>

/** A deleted setor uses its id as name. */
export function findSetor(setores: readonly Setor[], id: string): DisplaySetor {
  return setores.find((setor) => setor.id === id) ?? { nome: id, cor: 'gray' }
}
