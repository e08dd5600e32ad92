import {
  adminConfiguracoesRoute,
  adminEmailsRoute,
  adminStatsRoute,
  salvarAdminConfiguracoesRoute,
} from '@balcao/contract/routes/admin'
import { alterarStatusUsuarioRoute, usuariosRoute } from '@balcao/contract/routes/admin-usuarios'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'

/** What the administrator's screens ask, and how a change of a user reaches every list on screen. */

interface Pagina {
  readonly usuarios: readonly UsuarioAdmin[]
  readonly proximoCursor?: string | undefined
}
type Lista = InfiniteData<Pagina, string | undefined>

const POR_PAGINA = 50
const PRIMEIRA: string | undefined = undefined

export function useUsuarios(busca: string) {
  return useInfiniteQuery({
    queryKey: ['admin', 'usuarios', busca],
    queryFn: ({ pageParam, signal }): Promise<Pagina> =>
      call(usuariosRoute, {
        query: { limite: POR_PAGINA, cursor: pageParam, busca: busca === '' ? undefined : busca },
        signal,
      }),
    initialPageParam: PRIMEIRA,
    getNextPageParam: (pagina: Pagina) => pagina.proximoCursor,
    placeholderData: (antes) => antes,
  })
}

export function useStats() {
  return useQuery({
    queryKey: ['admin', 'stats'],
    queryFn: ({ signal }) => call(adminStatsRoute, { signal }),
    refetchInterval: 30_000,
  })
}

export function useEmails() {
  return useQuery({
    queryKey: ['admin', 'emails'],
    queryFn: async ({ signal }) => (await call(adminEmailsRoute, { query: {}, signal })).emails,
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

/** Activates or deactivates at once, with the way back in the notice. */
export function useAlterarStatus() {
  const cache = useQueryClient()
  const receber = (usuario: UsuarioAdmin): void => {
    cache.setQueriesData<Lista>({ queryKey: ['admin', 'usuarios'] }, (lista) =>
      lista === undefined
        ? undefined
        : {
            ...lista,
            pages: lista.pages.map((pagina) => ({
              ...pagina,
              usuarios: pagina.usuarios.map((outro) => (outro.id === usuario.id ? usuario : outro)),
            })),
          },
    )
    void cache.invalidateQueries({ queryKey: ['admin', 'stats'] })
  }
  const { mutateAsync, isPending, variables } = useMutation({
    mutationFn: async ({ id, ativo }: { id: string; ativo: boolean }) =>
      (await call(alterarStatusUsuarioRoute, { params: { id }, body: { ativo } })).usuario,
    onSuccess: receber,
  })
  const alterar = async (
    usuario: Pick<UsuarioAdmin, 'id' | 'nome'>,
    ativo: boolean,
    desfazer = true,
  ): Promise<void> => {
    try {
      await mutateAsync({ id: usuario.id, ativo })
      const frase = `${usuario.nome} ${ativo ? 'ativado' : 'desativado'} com sucesso!`
      avisar.sucesso(
        frase,
        desfazer ? { acao: { rotulo: 'Desfazer', fazer: () => void alterar(usuario, !ativo, false) } } : {},
      )
    } catch (erro) {
      avisar.erro(`Erro ao alterar status do usuário: ${mensagemDe(erro)}`)
    }
  }
  return { alterar, ocupadoCom: isPending ? (variables?.id ?? null) : null }
}
