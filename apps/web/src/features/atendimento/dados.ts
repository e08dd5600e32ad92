import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  conversaHumanaRoute,
  conversasHumanasRoute,
  estatisticasAtendimentoRoute,
} from '@balcao/contract/routes/atendimento'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { useUsuario } from '#shared/session.tsx'
import { onEvento } from '#shared/socket.ts'
import type { Filtro } from './filtros.ts'

const PAGINA = 100
/** The most a page may have: for what is fetched again, and for those who wait. */
const PAGINA_MAXIMA = 200
/** A card shows the last message; the chat reads the others by itself. */
const MENSAGENS_NO_CARTAO = 1
/** Past this many people waiting, the order by waiting is true only of what was read. */
const PAGINAS_DE_ESPERA = 10

export interface ListaDeConversas {
  readonly conversas: readonly Conversa[]
  readonly proximoCursor?: string | undefined
}

const CHAVE_AVULSA = ['atendimento', 'conversa'] as const
const CHAVE_FINALIZADAS = ['atendimento', 'finalizadas'] as const
export const CHAVE_SETORES = ['atendimento', 'setores'] as const

interface Pedido {
  readonly limite: number
  readonly cursor?: string | undefined
  readonly status?: 'aguardando'
}

async function buscarPagina({ cursor, ...pedido }: Pedido, signal?: AbortSignal): Promise<ListaDeConversas> {
  const query = { ...pedido, mensagens: MENSAGENS_NO_CARTAO, ...(cursor === undefined ? {} : { cursor }) }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

function juntar(antes: readonly Conversa[], depois: readonly Conversa[]): readonly Conversa[] {
  const vistas = new Set(antes.map(({ id }) => id))
  return [...antes, ...depois.filter(({ id }) => !vistas.has(id))]
}

/** The server lists by activity; who waits longest may be pages away, and is served first. */
async function juntarQuemEspera(lista: ListaDeConversas, signal: AbortSignal): Promise<ListaDeConversas> {
  let todas = lista.conversas
  let cursor: string | undefined
  for (let pagina = 0; pagina < PAGINAS_DE_ESPERA; pagina += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const esperam = await buscarPagina({ limite: PAGINA_MAXIMA, status: 'aguardando', cursor }, signal)
    todas = juntar(todas, esperam.conversas)
    cursor = esperam.proximoCursor
    if (cursor === undefined) break
  }
  return { ...lista, conversas: todas }
}

/** The open conversations, as many pages as are on screen: fetching again never makes the list shorter. */
async function buscarAbertas(cliente: QueryClient, contaId: string, signal: AbortSignal): Promise<ListaDeConversas> {
  const quantas = cliente.getQueryData<ListaDeConversas>(CHAVES.conversas)?.conversas.length ?? 0
  let lista = await buscarPagina({ limite: quantas > PAGINA ? PAGINA_MAXIMA : PAGINA }, signal)
  while (lista.proximoCursor !== undefined && lista.conversas.length < quantas) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const pagina = await buscarPagina({ limite: PAGINA_MAXIMA, cursor: lista.proximoCursor }, signal)
    lista = { ...pagina, conversas: juntar(lista.conversas, pagina.conversas) }
  }
  void import('./copia.ts').then(({ guardarCopia }) => guardarCopia(contaId, lista.conversas), semCopia)
  return lista.proximoCursor === undefined ? lista : juntarQuemEspera(lista, signal)
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

/** A browser that cannot read its own copy shows the error alone. */
function semCopia(): null {
  return null
}

/** What this browser keeps, looked at only when the server cannot be asked. */
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
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: CHAVES.conversas,
    queryFn: ({ signal }) => buscarAbertas(cliente, contaId, signal),
    networkMode: 'always',
  })
  const guardada = useCopia(contaId, data === undefined && error !== null)
  useRefazerSeMudou(cliente, isFetching)
  const carregarMais = async (): Promise<void> => {
    const atual = cliente.getQueryData<ListaDeConversas>(CHAVES.conversas)
    if (atual?.proximoCursor === undefined) return
    const pagina = await buscarPagina({ limite: PAGINA_MAXIMA, cursor: atual.proximoCursor })
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
        query: {
          ...filtro,
          limite: 50,
          mensagens: MENSAGENS_NO_CARTAO,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
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

/** A conversation that is in no page on screen: a link to it, or one that fell off the last page. */
export function useConversaAvulsa(id: string | undefined, ligada: boolean) {
  return useQuery({
    queryKey: [...CHAVE_AVULSA, id],
    queryFn: async ({ signal }) => (await call(conversaHumanaRoute, { params: { id: id ?? '' }, signal })).conversa,
    enabled: ligada && id !== undefined,
    retry: false,
  })
}

/** One conversation of the list changes; the others stay the same objects. */
export function mudarConversa(cliente: QueryClient, id: string, muda: (conversa: Conversa) => Conversa): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined
      ? undefined
      : { ...lista, conversas: lista.conversas.map((conversa) => (conversa.id === id ? muda(conversa) : conversa)) },
  )
  cliente.setQueryData<Conversa>([...CHAVE_AVULSA, id], (avulsa) => (avulsa === undefined ? undefined : muda(avulsa)))
}

/** A conversation that ended leaves the list and joins the finished ones. */
export function tirarConversa(cliente: QueryClient, id: string): void {
  cliente.setQueryData<ListaDeConversas>(CHAVES.conversas, (lista) =>
    lista === undefined ? undefined : { ...lista, conversas: lista.conversas.filter((conversa) => conversa.id !== id) },
  )
  void cliente.invalidateQueries({ queryKey: CHAVE_FINALIZADAS })
}
