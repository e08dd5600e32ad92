import type { SentEmail } from '@balcao/contract/entities/admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  adminAtividadeRoute,
  adminConfiguracoesRoute,
  adminEmailsRoute,
  adminSistemaRoute,
  adminStatsRoute,
  salvarAdminConfiguracoesRoute,
} from '@balcao/contract/routes/admin'
import { adminUsuarioEstatisticasRoute, usuariosRoute } from '@balcao/contract/routes/admin-usuarios'
import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { type UsuarioListFilter, ALL_USUARIOS } from './admin-search.ts'

interface UsuariosPage {
  readonly usuarios: readonly UsuarioAdmin[]
  readonly total: number
}

export const USUARIOS_PER_PAGE = 20
const FIRST_PAGE: string | undefined = undefined
const REFRESH_MS = 30_000
const USUARIOS_KEY = ['admin', 'usuarios'] as const

export function useUsuarios(filter: UsuarioListFilter, limite = USUARIOS_PER_PAGE) {
  const { busca, status, ordem, pagina } = filter
  return useQuery({
    queryKey: [...USUARIOS_KEY, status, busca, ordem.column, ordem.direction, pagina, limite],
    queryFn: ({ signal }): Promise<UsuariosPage> =>
      call(usuariosRoute, {
        query: {
          limite,
          pagina,
          busca,
          ordem: ordem.column,
          direcao: ordem.direction,
          status: status === 'todos' ? undefined : status,
        },
        signal,
      }),
    placeholderData: (before) => before,
    refetchInterval: REFRESH_MS,
  })
}

export const PENDING_USUARIOS: UsuarioListFilter = { ...ALL_USUARIOS, status: 'pendente' }
export const PENDING_USUARIOS_MAX = 50

/** Updates a user in every cached list and removes the user from lists with another status filter. */
export function storeUsuario(cache: QueryClient, usuario: UsuarioAdmin): void {
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: USUARIOS_KEY })) {
    const fits = queryKey[2] === 'todos' || queryKey[2] === usuario.status
    replaceInPages(cache, queryKey, (current) => (current.id !== usuario.id ? [current] : fits ? [usuario] : []))
  }
}

export function removeUsuario(cache: QueryClient, id: string): void {
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: USUARIOS_KEY })) {
    replaceInPages(cache, queryKey, (current) => (current.id === id ? [] : [current]))
  }
}

function replaceInPages(
  cache: QueryClient,
  queryKey: readonly unknown[],
  replace: (usuario: UsuarioAdmin) => readonly UsuarioAdmin[],
): void {
  cache.setQueryData<UsuariosPage>(queryKey, (page) => {
    if (page === undefined) return undefined
    const usuarios = page.usuarios.flatMap(replace)
    return { usuarios, total: page.total - (page.usuarios.length - usuarios.length) }
  })
}

export function refetchUsuarioLists(cache: QueryClient): void {
  void cache.invalidateQueries({ queryKey: USUARIOS_KEY })
  void cache.invalidateQueries({ queryKey: ['admin', 'stats'] })
  void cache.invalidateQueries({ queryKey: ['admin', 'atividade'] })
}

export function useUsuarioStats(id: string) {
  return useQuery({
    queryKey: ['admin', 'uso', id],
    queryFn: async ({ signal }) => (await call(adminUsuarioEstatisticasRoute, { params: { id }, signal })).estatisticas,
  })
}

export function useAdminStats() {
  return useQuery({
    queryKey: ['admin', 'stats'],
    queryFn: ({ signal }) => call(adminStatsRoute, { signal }),
    refetchInterval: REFRESH_MS,
  })
}

export function useActivity() {
  return useQuery({
    queryKey: ['admin', 'atividade'],
    queryFn: async ({ signal }) => (await call(adminAtividadeRoute, { signal })).atividades,
    refetchInterval: REFRESH_MS,
  })
}

interface EmailsPage {
  readonly emails: readonly SentEmail[]
  readonly proximoCursor?: string | undefined
}

export function useEmails() {
  return useInfiniteQuery({
    queryKey: ['admin', 'emails'],
    queryFn: ({ pageParam, signal }): Promise<EmailsPage> =>
      call(adminEmailsRoute, { query: { cursor: pageParam }, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page: EmailsPage) => page.proximoCursor,
  })
}

export function useConfiguracoes() {
  return useQuery({
    queryKey: ['admin', 'configuracoes'],
    queryFn: ({ signal }) => call(adminConfiguracoesRoute, { signal }),
  })
}

export function useSaveConfiguracoes() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Parameters<typeof call<typeof salvarAdminConfiguracoesRoute>>[1]['body']) =>
      call(salvarAdminConfiguracoesRoute, { body }),
    onSuccess: (saved) => cache.setQueryData(['admin', 'configuracoes'], saved),
  })
}

const SISTEMA_REFRESH_MS = 10_000
const COPY_REFRESH_MS = 2_000

export function useSistema() {
  return useQuery({
    queryKey: ['admin', 'sistema'],
    queryFn: ({ signal }) => call(adminSistemaRoute, { signal }),
    refetchInterval: ({ state }) => (state.data?.copias?.emAndamento === true ? COPY_REFRESH_MS : SISTEMA_REFRESH_MS),
  })
}
