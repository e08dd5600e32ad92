import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  alterarStatusUsuarioRoute,
  excluirUsuarioRoute,
  restaurarUsuarioRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { conferirListas, guardarUsuario, tirarUsuario } from './dados.ts'

/** Shows the sentence, with the server's reason if it gave one. */
export function avisarErro(frase: string, erro: unknown): void {
  const motivo = erro instanceof ApiError && erro.codigo !== 'desconhecido' ? `: ${erro.message}` : ''
  avisar.erro(`${frase}${motivo}`)
}

const CHAVE_DO_STATUS = ['admin', 'alterar-status'] as const

export type AlterarStatus = (usuario: UsuarioAdmin, ativo: boolean) => Promise<void>

/** Activates or deactivates a user optimistically. The notice offers an undo. */
export function useAlterarStatus(): AlterarStatus {
  const cache = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: CHAVE_DO_STATUS,
    mutationFn: async ({ usuario: { id }, ativo }: { usuario: UsuarioAdmin; ativo: boolean }) =>
      (await call(alterarStatusUsuarioRoute, { params: { id }, body: { ativo } })).usuario,
    onMutate: async ({ usuario, ativo }) => {
      await cache.cancelQueries({ queryKey: ['admin', 'usuarios'] })
      guardarUsuario(cache, { ...usuario, ativo, status: ativo ? 'ativo' : 'inativo' })
    },
    onSuccess: (usuario) => guardarUsuario(cache, usuario),
    onError: (_erro, { usuario }) => guardarUsuario(cache, usuario),
    onSettled: () => conferirListas(cache),
  })
  const alterar = async (usuario: UsuarioAdmin, ativo: boolean, desfazer: boolean): Promise<void> => {
    try {
      const alterado = await mutateAsync({ usuario, ativo })
      const voltar = { rotulo: 'Desfazer', fazer: () => void alterar(alterado, !ativo, false) }
      avisar.sucesso(
        `Usuário ${ativo ? 'ativado' : 'desativado'} com sucesso!\n${usuario.nome}`,
        desfazer ? { acao: voltar } : {},
      )
    } catch (erro) {
      avisarErro('Erro ao alterar status do usuário', erro)
    }
  }
  return (usuario, ativo) => alterar(usuario, ativo, true)
}

export function useAlterandoStatus(id: string): boolean {
  const quantas = useIsMutating({
    mutationKey: CHAVE_DO_STATUS,
    predicate: ({ state: { variables } }) =>
      Reflect.get(Object(Reflect.get(Object(variables), 'usuario')), 'id') === id,
  })
  return quantas > 0
}

export function useRestaurarUsuario(): (usuario: Pick<UsuarioAdmin, 'id' | 'nome'>) => Promise<boolean> {
  const cache = useQueryClient()
  return async ({ id, nome }) => {
    try {
      await call(restaurarUsuarioRoute, { params: { id } })
      tirarUsuario(cache, id)
      conferirListas(cache)
      avisar.sucesso(`Usuário restaurado com sucesso!\n${nome}`)
      return true
    } catch (erro) {
      avisarErro('Erro ao restaurar usuário', erro)
      return false
    }
  }
}

export function useExcluirUsuario(): (usuario: UsuarioAdmin) => Promise<boolean> {
  const cache = useQueryClient()
  const restaurar = useRestaurarUsuario()
  return async ({ id, nome }) => {
    try {
      await call(excluirUsuarioRoute, { params: { id } })
      tirarUsuario(cache, id)
      conferirListas(cache)
      const desfazer = { rotulo: 'Desfazer', fazer: () => void restaurar({ id, nome }) }
      avisar.sucesso(`Usuário excluído com sucesso!\n${nome}`, { acao: desfazer })
      return true
    } catch (erro) {
      avisarErro('Erro ao excluir usuário', erro)
      return false
    }
  }
}
