import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute, estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { estadoDoSocket, onEstadoSocket, onEvento } from '#shared/socket.ts'
import type { Filtro } from './filtros.ts'
import { buscarPagina, juntar, type ListaDeConversas, PAGINA_MAXIMA, type Pedido } from './paginas.ts'

const PAGINA = 100
const CHAVE_AVULSA = ['atendimento', 'conversa'] as const
const CHAVE_FINALIZADAS = ['atendimento', 'finalizadas'] as const
export const CHAVE_SETORES = ['atendimento', 'setores'] as const

/**
 * List with keyset pagination. A refetch reads as many rows as before, so the list never shrinks.
 * `structuralSharing` is off: it compares by position and would create new objects for rows that moved.
 */
function usePaginas(queryKey: readonly unknown[], pedido: Pedido, completa: Completa, enabled = true) {
  const cliente = useQueryClient()
  const consulta = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const quantas = cliente.getQueryData<ListaDeConversas>(queryKey)?.conversas.length ?? 0
      let lista = await buscarPagina({ ...pedido, limite: quantas > PAGINA ? PAGINA_MAXIMA : PAGINA }, signal)
      while (lista.proximoCursor !== undefined && lista.conversas.length < quantas) {
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
        const pagina = await buscarPagina({ ...pedido, limite: PAGINA_MAXIMA, cursor: lista.proximoCursor }, signal)
        lista = { ...pagina, conversas: juntar(lista.conversas, pagina.conversas) }
      }
      return completa(lista, signal)
    },
    networkMode: 'always',
    structuralSharing: false,
    enabled,
  })
  const carregarMais = async (): Promise<void> => {
    const cursor = consulta.data?.proximoCursor
    if (cursor === undefined) return
    const pagina = await buscarPagina({ ...pedido, limite: PAGINA_MAXIMA, cursor })
    cliente.setQueryData<ListaDeConversas>(queryKey, (lista) =>
      // A refetch replaced the list, so this page does not fit.
      lista?.proximoCursor === cursor ? { ...pagina, conversas: juntar(lista.conversas, pagina.conversas) } : lista,
    )
  }
  return { ...consulta, temMais: consulta.data?.proximoCursor !== undefined, carregarMais }
}

type Completa = (lista: ListaDeConversas, signal: AbortSignal) => ListaDeConversas | Promise<ListaDeConversas>

export interface ConversasAbertas {
  readonly conversas: readonly Conversa[]
  readonly carregando: boolean
  readonly atualizando: boolean
  readonly erro: Error | null
  readonly copia: boolean
  readonly temMais: boolean
  readonly carregarMais: () => Promise<void>
  readonly recarregar: () => void
}

/** Refetches if an event or a reconnect happened during a fetch, because its answer may be outdated. */
function useRefazerSeMudou(cliente: QueryClient, buscando: boolean): void {
  const mudou = useRef(false)
  useEffect(() => {
    const marcar = (): void => {
      if (cliente.getQueryState(CHAVES.conversas)?.fetchStatus === 'fetching') mudou.current = true
    }
    const pararEventos = onEvento(({ evento }) => {
      if (/conversa/i.test(evento) && evento !== 'botConversaAtiva') marcar()
    })
    const pararEstado = onEstadoSocket(() => {
      if (estadoDoSocket().tipo === 'online') marcar()
    })
    return () => {
      pararEventos()
      pararEstado()
    }
  }, [cliente])
  useEffect(() => {
    if (buscando || !mudou.current) return
    mudou.current = false
    void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  }, [cliente, buscando])
}

function semCopia(): null {
  return null
}

function useCopia(contaId: string, precisa: boolean): readonly Conversa[] | null {
  const { data } = useQuery({
    queryKey: ['atendimento', 'copia', contaId],
    queryFn: async () => (await import('./copia.ts')).lerCopia(contaId),
    enabled: precisa,
    networkMode: 'always',
    gcTime: 0,
  })
  return precisa ? (data ?? null) : null
}

export function useConversasAbertas(): ConversasAbertas {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const { data, error, isPending, isFetching, refetch, temMais, carregarMais } = usePaginas(
    CHAVES.conversas,
    TODAS,
    async (lista, signal) => {
      void import('./copia.ts').then(({ guardarCopia }) => guardarCopia(contaId, lista.conversas), semCopia)
      if (lista.proximoCursor === undefined) return lista
      const { juntarQuemEspera } = await import('./quem-espera.ts')
      return juntarQuemEspera(lista, (cursor) =>
        buscarPagina({ limite: PAGINA_MAXIMA, status: 'aguardando', cursor }, signal),
      )
    },
  )
  const guardada = useCopia(contaId, data === undefined && error !== null)
  useRefazerSeMudou(cliente, isFetching)
  return {
    conversas: data?.conversas ?? guardada ?? NENHUMA,
    carregando: isPending,
    atualizando: isFetching && !isPending,
    erro: error,
    copia: guardada !== null,
    temMais,
    carregarMais,
    recarregar: () => void refetch(),
  }
}
const TODAS: Pedido = {}
const NENHUMA: readonly Conversa[] = []

/** Refetches in progress. `outra`: another change arrived since it started. */
const releituras = new WeakMap<QueryClient, { outra: boolean }>()

/** Refetches the finished conversas: one refetch at a time, repeated if a change arrived meanwhile. */
async function relerFinalizadas(cliente: QueryClient): Promise<void> {
  const emCurso = releituras.get(cliente)
  if (emCurso !== undefined) {
    emCurso.outra = true
    return
  }
  const filtro = { queryKey: CHAVE_FINALIZADAS }
  const esta = { outra: true }
  releituras.set(cliente, esta)
  while (esta.outra) {
    // An initial fetch in flight is awaited, not restarted. Its answer may be outdated, so another round follows.
    esta.outra = cliente.isFetching(filtro) > 0
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await cliente.invalidateQueries(filtro, { cancelRefetch: false })
  }
  releituras.delete(cliente)
}

/** Refetches the finished conversas when one finishes, or when a listed one is reopened. */
function useSeguirFinalizadas(): void {
  const cliente = useQueryClient()
  const { contaId } = useUsuario()
  useEffect(() => {
    const naLista = (id: string): boolean =>
      cliente
        .getQueriesData<ListaDeConversas>({ queryKey: CHAVE_FINALIZADAS })
        .some(([, lista]) => lista?.conversas.some((uma) => uma.id === id) === true)
    return onEvento(({ evento, dados }) => {
      if (dados.userId !== contaId) return
      const mudou =
        evento === 'conversaFinalizada' ||
        (evento === 'novaConversaHumana' && naLista(dados.conversa.id)) ||
        ((evento === 'conversaAssumida' || evento === 'conversaTransferida') && naLista(dados.conversaId))
      if (mudou) void relerFinalizadas(cliente)
    })
  }, [cliente, contaId])
}

/** Queries the server for finished conversas, and for filter matches beyond the loaded pages. */
export function useConversasDoServidor({ status, setor, busca }: Filtro, ligada: boolean) {
  useSeguirFinalizadas()
  const filtro: Pedido = {
    status,
    ...(setor === null ? {} : { setor }),
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
  }
  return usePaginas([...CHAVE_FINALIZADAS, filtro], filtro, (lista) => lista, ligada)
}

/** Falls back to the default setores when the request fails. */
export function useSetores(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: CHAVE_SETORES,
    queryFn: async ({ signal }) => {
      try {
        return (await call(setoresRoute, { signal })).setores
      } catch {
        const { defaultConfig } = await import('@balcao/contract/defaults')
        return defaultConfig().atendimento.setores
      }
    },
    networkMode: 'always',
  })
  return data ?? SEM_SETORES
}
const SEM_SETORES: readonly Setor[] = []

export function useTotaisDoServidor(ligada: boolean) {
  return useQuery({
    queryKey: CHAVES.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: ligada,
    retry: false,
  }).data?.porSetor
}

/** A conversa outside the loaded pages, for example opened by a link. */
export function useConversaAvulsa(id: string | undefined, ligada: boolean) {
  return useQuery({
    queryKey: [...CHAVE_AVULSA, id],
    queryFn: async ({ signal }) => (await call(conversaHumanaRoute, { params: { id: id ?? '' }, signal })).conversa,
    enabled: ligada && id !== undefined,
    retry: false,
  })
}

/** Updates one conversa in the cache. The other objects stay identical, so their cards do not re-render. */
export function mudarConversa(cliente: QueryClient, id: string, muda: (conversa: Conversa) => Conversa): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined
      ? undefined
      : { ...lista, conversas: lista.conversas.map((conversa) => (conversa.id === id ? muda(conversa) : conversa)) },
  )
  cliente.setQueryData<Conversa>([...CHAVE_AVULSA, id], (avulsa) => (avulsa === undefined ? undefined : muda(avulsa)))
}

export function tirarConversa(cliente: QueryClient, id: string): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined ? undefined : { ...lista, conversas: lista.conversas.filter((conversa) => conversa.id !== id) },
  )
  void relerFinalizadas(cliente)
}
