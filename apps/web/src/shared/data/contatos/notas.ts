import type { NotaConversa } from '@balcao/contract/entities/nota'
import { criarNotaRoute, notasRoute } from '@balcao/contract/routes/notas'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

type Notas = readonly NotaConversa[]

const notasKey = (conversaId: string) => [...QUERY_KEYS.notas, conversaId]
const PAGE = 100

/** All notas of a conversa, oldest first. Their ids sort among the ids of its mensagens. */
export function useNotas(conversaId: string) {
  return useQuery<Notas>({
    queryKey: notasKey(conversaId),
    queryFn: ({ signal }) => fetchNotas(conversaId, signal),
    networkMode: 'always',
  })
}

async function fetchNotas(conversaId: string, signal: AbortSignal): Promise<Notas> {
  const all: NotaConversa[] = []
  let cursor: string | undefined
  do {
    const query = { limite: PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const { notas, proximoCursor } = await call(notasRoute, { params: { id: conversaId }, query, signal })
    all.push(...notas)
    cursor = proximoCursor ?? undefined
  } while (cursor !== undefined)
  return all.toReversed()
}

export interface NotaDraft {
  readonly texto: string
  readonly mencoes?: readonly string[]
}

export function useWriteNota(conversaId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ texto, mencoes = [] }: NotaDraft) => {
      const body = { texto, mencoes: [...mencoes] }
      return (await call(criarNotaRoute, { params: { id: conversaId }, body })).nota
    },
    networkMode: 'always',
    onSuccess: (nota) => applyNota(client, { conversaId, nota }),
  })
}

/** Adds a nota to the list that the cache holds. A read in flight may lack it, so that list is read again. */
export function applyNota(
  client: QueryClient,
  { conversaId, nota }: Pick<ServerEventPayloads['notaConversa'], 'conversaId' | 'nota'>,
): void {
  const queryKey = notasKey(conversaId)
  client.setQueryData<Notas>(queryKey, (notas) =>
    notas === undefined || notas.some(({ id }) => id === nota.id) ? notas : [...notas, nota],
  )
  if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey })
}
