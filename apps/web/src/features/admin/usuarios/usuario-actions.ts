import type { Plano } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  alterarStatusUsuarioRoute,
  excluirUsuarioRoute,
  planoUsuarioRoute,
  restaurarUsuarioRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { removerSegundoFatorUsuarioRoute } from '@balcao/contract/routes/sessoes'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { refetchUsuarioLists, storeUsuario, removeUsuario } from '#features/admin/admin-queries.ts'

export function notifyError(sentence: string, error: unknown): void {
  const reason = error instanceof ApiError && error.codigo !== 'desconhecido' ? `: ${error.message}` : ''
  notify.erro(`${sentence}${reason}`)
}

/** Returns whether the act succeeded. A failure shows the sentence. */
export async function attempt(failure: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    notifyError(failure, error)
    return false
  }
}

const STATUS_KEY = ['admin', 'alterar-status'] as const

export type ChangeStatus = (usuario: UsuarioAdmin, active: boolean) => Promise<boolean>

export function useChangeStatus(): ChangeStatus {
  const cache = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: STATUS_KEY,
    mutationFn: async ({ usuario: { id }, ativo }: { usuario: UsuarioAdmin; ativo: boolean }) =>
      (await call(alterarStatusUsuarioRoute, { params: { id }, body: { ativo } })).usuario,
    onMutate: async ({ usuario, ativo }) => {
      await cache.cancelQueries({ queryKey: ['admin', 'usuarios'] })
      storeUsuario(cache, { ...usuario, ativo, status: ativo ? 'ativo' : 'inativo' })
    },
    onSuccess: (usuario) => storeUsuario(cache, usuario),
    onError: (_erro, { usuario }) => storeUsuario(cache, usuario),
    onSettled: () => refetchUsuarioLists(cache),
  })
  const update = (usuario: UsuarioAdmin, ativo: boolean, undoable: boolean): Promise<boolean> =>
    attempt('Erro ao alterar status do usuário', async () => {
      const changed = await mutateAsync({ usuario, ativo })
      const undo = { label: 'Desfazer', run: () => void update(changed, !ativo, false) }
      notify.sucesso(
        `Usuário ${ativo ? 'ativado' : 'desativado'} com sucesso!\n${usuario.nome}`,
        undoable ? { action: undo } : {},
      )
    })
  return (usuario, active) => update(usuario, active, true)
}

/** Applies the plan first, so that the usuario never starts with other limits. */
export function useApproveWithPlano(): (usuario: UsuarioAdmin, plano: Plano) => Promise<boolean> {
  const cache = useQueryClient()
  const changeStatus = useChangeStatus()
  return ({ id }, plano) =>
    attempt('Erro ao aplicar o plano', async () => {
      const { usuario } = await call(planoUsuarioRoute, { params: { id }, body: { plano } })
      storeUsuario(cache, usuario)
      await changeStatus(usuario, true)
    })
}

export function useStatusChanging(id: string): boolean {
  const count = useIsMutating({
    mutationKey: STATUS_KEY,
    predicate: ({ state: { variables } }) =>
      Reflect.get(Object(Reflect.get(Object(variables), 'usuario')), 'id') === id,
  })
  return count > 0
}

export function useRestoreUsuario(): (usuario: Pick<UsuarioAdmin, 'id' | 'nome'>) => Promise<boolean> {
  const cache = useQueryClient()
  return ({ id, nome }) =>
    attempt('Erro ao restaurar usuário', async () => {
      await call(restaurarUsuarioRoute, { params: { id } })
      removeUsuario(cache, id)
      refetchUsuarioLists(cache)
      notify.sucesso(`Usuário restaurado com sucesso!\n${nome}`)
    })
}

export function useDeleteUsuario(): (usuario: UsuarioAdmin) => Promise<boolean> {
  const cache = useQueryClient()
  const restore = useRestoreUsuario()
  return ({ id, nome }) =>
    attempt('Erro ao excluir usuário', async () => {
      await call(excluirUsuarioRoute, { params: { id } })
      removeUsuario(cache, id)
      refetchUsuarioLists(cache)
      const undo = { label: 'Desfazer', run: () => void restore({ id, nome }) }
      notify.sucesso(`Usuário excluído com sucesso!\n${nome}`, { action: undo })
    })
}

export function useClearFactor(): (usuario: UsuarioAdmin) => Promise<boolean> {
  const cache = useQueryClient()
  return (usuario) =>
    attempt('Erro ao remover o segundo fator', async () => {
      await call(removerSegundoFatorUsuarioRoute, { params: { id: usuario.id } })
      storeUsuario(cache, { ...usuario, segundoFator: false })
      notify.sucesso(`Segundo fator removido.\n${usuario.nome}`)
    })
}
