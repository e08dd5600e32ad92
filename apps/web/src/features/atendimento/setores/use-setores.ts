import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { estatisticasAtendimentoRoute, setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export const SETORES_KEY = ['atendimento', 'setores'] as const

const NO_SETORES: readonly Setor[] = []

export function useSetoresWithDefault(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: SETORES_KEY,
    queryFn: async ({ signal }) => {
      try {
        return (await call(setoresRoute, { signal })).setores
      } catch {
        const { defaultSetores } = await import('@balcao/contract/defaults')
        return defaultSetores(new Date().toISOString())
      }
    },
    networkMode: 'always',
  })
  return data ?? NO_SETORES
}

export interface SetorCounts {
  readonly total: number
  readonly aguardando: number
}

function countBySetor(conversas: readonly Conversa[]): ReadonlyMap<string, SetorCounts> {
  const counts = new Map<string, SetorCounts>()
  for (const { setor, status } of conversas) {
    const { total, aguardando } = counts.get(setor) ?? { total: 0, aguardando: 0 }
    counts.set(setor, { total: total + 1, aguardando: aguardando + (status === 'aguardando' ? 1 : 0) })
  }
  return counts
}

/** Counts the loaded conversas. With more pages on the server, takes the server's totals. */
export function useSetorCounts(all: readonly Conversa[], hasMore: boolean): ReadonlyMap<string, SetorCounts> {
  const conversas = useDeferredValue(all)
  const { data } = useQuery({
    queryKey: QUERY_KEYS.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: hasMore,
    retry: false,
  })
  const totals = data?.porSetor
  return useMemo(
    () =>
      hasMore && totals !== undefined
        ? new Map(totals.map(({ setor, ...count }) => [setor, count]))
        : countBySetor(conversas),
    [conversas, hasMore, totals],
  )
}

export type SetorLook = Pick<Setor, 'nome' | 'cor'>

export function useSetorOf(setores: readonly Setor[], conversas: readonly Conversa[]): (id: string) => SetorLook {
  const byId = useMemo(() => {
    const looks = new Map<string, SetorLook>(setores.map((setor) => [setor.id, setor]))
    for (const { setor } of conversas) if (!looks.has(setor)) looks.set(setor, { nome: setor, cor: 'gray' })
    return looks
  }, [setores, conversas])
  return useCallback((id) => byId.get(id) ?? { nome: id, cor: 'gray' }, [byId])
}
