import type { EmailEnviado } from '@balcao/contract/entities/admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  adminAtividadeRoute,
  adminConfiguracoesRoute,
  adminEmailsRoute,
  adminStatsRoute,
  salvarAdminConfiguracoesRoute,
} from '@balcao/contract/routes/admin'
import { adminUsuarioEstatisticasRoute, usuariosRoute } from '@balcao/contract/routes/admin-usuarios'
import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { type Filtro, TODOS_OS_USUARIOS } from './busca.ts'

interface Pagina {
  readonly usuarios: readonly UsuarioAdmin[]
  readonly total: number
}

export const USUARIOS_POR_PAGINA = 20
const PRIMEIRA: string | undefined = undefined
const ATUALIZAR_MS = 30_000
const USUARIOS = ['admin', 'usuarios'] as const

export function useUsuarios(filtro: Filtro, limite = USUARIOS_POR_PAGINA) {
  const { busca, status, ordem, pagina } = filtro
  return useQuery({
    queryKey: [...USUARIOS, status, busca, ordem.coluna, ordem.direcao, pagina, limite],
    queryFn: ({ signal }): Promise<Pagina> =>
      call(usuariosRoute, {
        query: {
          limite,
          pagina,
          busca,
          ordem: ordem.coluna,
          direcao: ordem.direcao,
          status: status === 'todos' ? undefined : status,
        },
        signal,
      }),
    placeholderData: (antes) => antes,
    refetchInterval: ATUALIZAR_MS,
  })
}

export const AGUARDANDO: Filtro = { ...TODOS_OS_USUARIOS, status: 'pendente' }
export const AGUARDANDO_MAXIMO = 50

/** Updates a user in every cached list and removes the user from lists with another status filter. */
export function guardarUsuario(cache: QueryClient, usuario: UsuarioAdmin): void {
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: USUARIOS })) {
    const cabe = queryKey[2] === 'todos' || queryKey[2] === usuario.status
    trocarNasPaginas(cache, queryKey, (atual) => (atual.id !== usuario.id ? [atual] : cabe ? [usuario] : []))
  }
}

export function tirarUsuario(cache: QueryClient, id: string): void {
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: USUARIOS })) {
    trocarNasPaginas(cache, queryKey, (atual) => (atual.id === id ? [] : [atual]))
  }
}

function trocarNasPaginas(
  cache: QueryClient,
  queryKey: readonly unknown[],
  trocar: (usuario: UsuarioAdmin) => readonly UsuarioAdmin[],
): void {
  cache.setQueryData<Pagina>(queryKey, (pagina) => {
    if (pagina === undefined) return undefined
    const usuarios = pagina.usuarios.flatMap(trocar)
    return { usuarios, total: pagina.total - (pagina.usuarios.length - usuarios.length) }
  })
}

export function conferirListas(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey: USUARIOS })
  void cache.invalidateQueries({ queryKey: ['admin', 'stats'] })
  void cache.invalidateQueries({ queryKey: ['admin', 'atividade'] })
}

export function useEstatisticasDe(id: string) {
  return useQuery({
    queryKey: ['admin', 'uso', id],
    queryFn: async ({ signal }) => (await call(adminUsuarioEstatisticasRoute, { params: { id }, signal })).estatisticas,
  })
}

export function useStats() {
  return useQuery({
    queryKey: ['admin', 'stats'],
    queryFn: ({ signal }) => call(adminStatsRoute, { signal }),
    refetchInterval: ATUALIZAR_MS,
  })
}

export function useAtividades() {
  return useQuery({
    queryKey: ['admin', 'atividade'],
    queryFn: async ({ signal }) => (await call(adminAtividadeRoute, { signal })).atividades,
    refetchInterval: ATUALIZAR_MS,
  })
}

interface PaginaDeEmails {
  readonly emails: readonly EmailEnviado[]
  readonly proximoCursor?: string | undefined
}

export function useEmails() {
  return useInfiniteQuery({
    queryKey: ['admin', 'emails'],
    queryFn: ({ pageParam, signal }): Promise<PaginaDeEmails> =>
      call(adminEmailsRoute, { query: { cursor: pageParam }, signal }),
    initialPageParam: PRIMEIRA,
    getNextPageParam: (pagina: PaginaDeEmails) => pagina.proximoCursor,
  })
}

export function useConfiguracoes() {
  return useQuery({
    queryKey: ['admin', 'configuracoes'],
    queryFn: ({ signal }) => call(adminConfiguracoesRoute, { signal }),
  })
}

export function useSalvarConfiguracoes() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Parameters<typeof call<typeof salvarAdminConfiguracoesRoute>>[1]['body']) =>
      call(salvarAdminConfiguracoesRoute, { body }),
    onSuccess: (salvas) => cache.setQueryData(['admin', 'configuracoes'], salvas),
  })
}
