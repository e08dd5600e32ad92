import type { Setor } from '@balcao/contract/entities/config'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const SEM_SETORES: readonly Setor[] = []

/** The account's sectors; none while they are not known. The same cache entry as the tab underneath. */
export function useSetores(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: ['atendimento', 'setores'],
    queryFn: async ({ signal }) => (await call(setoresRoute, { signal })).setores,
    networkMode: 'always',
  })
  return data ?? SEM_SETORES
}

export type SetorMostrado = Pick<Setor, 'nome' | 'cor'>

/** A sector by its id. One that is gone keeps its id as its name. */
export function acharSetor(setores: readonly Setor[], id: string): SetorMostrado {
  return setores.find((setor) => setor.id === id) ?? { nome: id, cor: 'gray' }
}
