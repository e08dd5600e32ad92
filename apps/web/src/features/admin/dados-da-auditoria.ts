import type { Ato } from '@balcao/contract/entities/auditoria'
import { auditoriaRoute } from '@balcao/contract/routes/auditoria'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import type { FiltroAuditoria } from './busca.ts'

const POR_PAGINA = 50
const POR_PAGINA_NA_PLANILHA = 200
/** Rows per export. For more, the user must choose a shorter period. */
export const PLANILHA_MAXIMO = 10_000
const PRIMEIRA: string | undefined = undefined

interface Pagina {
  readonly atos: readonly Ato[]
  readonly proximoCursor?: string | undefined
}

function pedir(
  { busca, acao, periodo, resultado }: FiltroAuditoria,
  pagina: { readonly limite: number; readonly cursor: string | undefined },
  signal?: AbortSignal,
): Promise<Pagina> {
  const query = {
    ...pagina,
    quem: busca === '' ? undefined : busca,
    acao: acao === 'todas' ? undefined : acao,
    periodo,
    resultado: resultado === 'todos' ? undefined : resultado,
  }
  return call(auditoriaRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

export function useAuditoria(filtro: FiltroAuditoria) {
  return useInfiniteQuery({
    queryKey: ['admin', 'auditoria', filtro],
    queryFn: ({ pageParam, signal }) => pedir(filtro, { limite: POR_PAGINA, cursor: pageParam }, signal),
    initialPageParam: PRIMEIRA,
    getNextPageParam: (pagina: Pagina) => pagina.proximoCursor,
    placeholderData: (antes) => antes,
    // New acts arrive all the time: refetch on every mount.
    staleTime: 0,
  })
}

export async function lerTudo(filtro: FiltroAuditoria): Promise<Ato[]> {
  const atos: Ato[] = []
  let cursor = PRIMEIRA
  do {
    const pagina = await pedir(filtro, { limite: POR_PAGINA_NA_PLANILHA, cursor })
    atos.push(...pagina.atos)
    cursor = pagina.proximoCursor
  } while (cursor !== undefined && atos.length < PLANILHA_MAXIMO)
  return atos
}
