import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversasHumanasRoute, estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'
import { guardarCopia, lerCopia } from './copia.ts'
import type { Filtro } from './filtros.ts'

const PAGINA = 100

export interface ListaDeConversas {
  readonly conversas: readonly Conversa[]
  readonly proximoCursor?: string | undefined
}

const CHAVE_FINALIZADAS = ['atendimento', 'finalizadas'] as const
export const CHAVE_SETORES = ['atendimento', 'setores'] as const

async function buscarPagina(cursor: string | undefined, signal?: AbortSignal): Promise<ListaDeConversas> {
  const query = cursor === undefined ? { limite: PAGINA } : { limite: PAGINA, cursor }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

function juntar(antes: readonly Conversa[], depois: readonly Conversa[]): readonly Conversa[] {
  const vistas = new Set(antes.map(({ id }) => id))
  return [...antes, ...depois.filter(({ id }) => !vistas.has(id))]
}

/** The open conversations, as many pages as are on screen: fetching again never makes the list shorter. */
async function buscarAbertas(cliente: QueryClient, contaId: string, signal: AbortSignal): Promise<ListaDeConversas> {
  const quantas = cliente.getQueryData<ListaDeConversas>(CHAVES.conversas)?.conversas.length ?? 0
  let lista = await buscarPagina(undefined, signal)
  while (lista.proximoCursor !== undefined && lista.conversas.length < quantas) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const pagina = await buscarPagina(lista.proximoCursor, signal)
    lista = { ...pagina, conversas: juntar(lista.conversas, pagina.conversas) }
  }
  guardarCopia(contaId, lista.conversas)
  return lista
}

export interface ConversasAbertas {
  readonly conversas: readonly Conversa[]
  readonly carregando: boolean
  /** Asked again, with something on screen already. */
  readonly atualizando: boolean
  readonly erro: Error | null
  /** What is on screen is the local copy: it can be read, nothing more. */
  readonly copia: boolean
  readonly temMais: boolean
  readonly carregarMais: () => Promise<void>
  readonly recarregar: () => void
}

/** An answer that was on its way while something happened may not know of it: it is asked for once more. */
function useRefazerSeMudou(cliente: QueryClient, buscando: boolean): void {
  const mudou = useRef(false)
  useEffect(
    () =>
      onEvento(({ evento }) => {
        if (!/conversa/i.test(evento) || evento === 'botConversaAtiva') return
        if (cliente.getQueryState(CHAVES.conversas)?.fetchStatus === 'fetching') mudou.current = true
      }),
    [cliente],
  )
  useEffect(() => {
    if (buscando || !mudou.current) return
    mudou.current = false
    void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  }, [cliente, buscando])
}

export function useConversasAbertas(): ConversasAbertas {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: CHAVES.conversas,
    queryFn: ({ signal }) => buscarAbertas(cliente, contaId, signal),
    networkMode: 'always',
  })
  useRefazerSeMudou(cliente, isFetching)
  const guardada = useMemo(
    () => (data === undefined && error !== null ? lerCopia(contaId) : null),
    [data, error, contaId],
  )
  const carregarMais = async (): Promise<void> => {
    const atual = cliente.getQueryData<ListaDeConversas>(CHAVES.conversas)
    if (atual?.proximoCursor === undefined) return
    const pagina = await buscarPagina(atual.proximoCursor)
    cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) => ({
      ...pagina,
      conversas: juntar(lista?.conversas ?? [], pagina.conversas),
    }))
  }
  return {
    conversas: data?.conversas ?? guardada ?? [],
    carregando: isPending,
    atualizando: isFetching && !isPending,
    erro: error,
    copia: guardada !== null,
    temMais: data?.proximoCursor !== undefined,
    carregarMais,
    recarregar: () => void refetch(),
  }
}

/**
 * What the list on screen does not hold: the finished ones, and older matches of a filter when there are more pages than were read.
 * A keyset page at a time.
 */
export function useConversasDoServidor({ status, setor, busca }: Filtro, ligada: boolean) {
  const filtro = {
    status,
    ...(setor === null ? {} : { setor }),
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
  }
  return useInfiniteQuery({
    queryKey: [...CHAVE_FINALIZADAS, filtro],
    queryFn: ({ pageParam, signal }) =>
      call(conversasHumanasRoute, {
        query: { ...filtro, limite: 50, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
    enabled: ligada,
  })
}

/** The sectors; when they cannot be had, the four everybody begins with (spec §7). */
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

/** The sectors' totals by the server's own count: needed only when the list on screen is not the whole one. */
export function useTotaisDoServidor(ligada: boolean) {
  return useQuery({
    queryKey: CHAVES.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: ligada,
    retry: false,
  }).data?.porSetor
}

/** One conversation of the list changes; the others stay the same objects. */
export function mudarConversa(cliente: QueryClient, id: string, muda: (conversa: Conversa) => Conversa): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined
      ? undefined
      : { ...lista, conversas: lista.conversas.map((conversa) => (conversa.id === id ? muda(conversa) : conversa)) },
  )
}

/** A conversation that ended leaves the list and joins the finished ones. */
export function tirarConversa(cliente: QueryClient, id: string): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined ? undefined : { ...lista, conversas: lista.conversas.filter((conversa) => conversa.id !== id) },
  )
  void cliente.invalidateQueries({ queryKey: CHAVE_FINALIZADAS })
}

/** The menu's badge and the totals follow what happens here, asked for once however much happened. */
export function useTotaisEmDia(): void {
  const cliente = useQueryClient()
  useEffect(() => {
    let espera: ReturnType<typeof setTimeout> | undefined
    const parar = onEvento(({ evento }) => {
      if (evento === 'conversaFinalizada') void cliente.invalidateQueries({ queryKey: CHAVE_FINALIZADAS })
      if (!/conversa/i.test(evento) || evento === 'botConversaAtiva' || evento === 'mensagemConversaHumana') return
      espera ??= setTimeout(() => {
        espera = undefined
        void cliente.invalidateQueries({ queryKey: CHAVES.atendimento })
      }, 1_000)
    })
    return () => {
      parar()
      clearTimeout(espera)
    }
  }, [cliente])
}
