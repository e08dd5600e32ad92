import type { Operador } from '@balcao/contract/entities/operador'
import {
  atualizarOperadorRoute,
  criarOperadorRoute,
  excluirOperadorRoute,
  operadoresRoute,
  reenviarConviteRoute,
} from '@balcao/contract/routes/operadores'
import { encerrarSessoesOperadorRoute, removerSegundoFatorOperadorRoute } from '@balcao/contract/routes/sessoes'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'

export const OPERADORES_KEY = ['conta', 'operadores'] as const

export function useOperadores() {
  return useQuery({
    queryKey: OPERADORES_KEY,
    queryFn: async ({ signal }) => (await call(operadoresRoute, { signal })).operadores,
    networkMode: 'always',
  })
}

/** Form result. Without `senha` a new operador gets an invitation and an existing one keeps the password. */
export interface OperadorInput {
  readonly nome: string
  readonly email: string
  readonly setores: string[]
  readonly senha?: string
}

export function useOperadorMutations() {
  const client = useQueryClient()
  const change = (update: (list: readonly Operador[]) => readonly Operador[]): void => {
    client.setQueryData<readonly Operador[]>(OPERADORES_KEY, (list) => (list === undefined ? undefined : update(list)))
  }
  const replace = (fresh: Operador): void =>
    change((list) => list.map((operador) => (operador.id === fresh.id ? fresh : operador)))
  /** Conversas of a deactivated operador return to the waiting list. */
  const refetchConversas = (): void => void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  return {
    create: async (written: OperadorInput): Promise<Operador> => {
      const { operador } = await call(criarOperadorRoute, { body: written })
      change((list) => [...list, operador])
      return operador
    },
    edit: async (id: string, written: OperadorInput): Promise<Operador> => {
      const { operador } = await call(atualizarOperadorRoute, { params: { id }, body: written })
      replace(operador)
      return operador
    },
    activate: async ({ id, nome }: Operador, ativo: boolean): Promise<void> => {
      try {
        replace((await call(atualizarOperadorRoute, { params: { id }, body: { ativo } })).operador)
        if (!ativo) refetchConversas()
        notify.sucesso(ativo ? `${nome} pode atender de novo.` : `${nome} não atende mais, por enquanto.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
    resend: async ({ id, email }: Operador): Promise<void> => {
      try {
        replace((await call(reenviarConviteRoute, { params: { id } })).operador)
        notify.sucesso(`Convite reenviado para ${email}. O link anterior não vale mais.`)
      } catch (error) {
        notify.erro(errorMessage(error))
        // The operador may have chosen a password already: refetches the list.
        void client.invalidateQueries({ queryKey: OPERADORES_KEY })
      }
    },
    remove: async ({ id, nome }: Operador): Promise<void> => {
      try {
        await call(excluirOperadorRoute, { params: { id } })
        change((list) => list.filter((operador) => operador.id !== id))
        refetchConversas()
        notify.sucesso(`${nome} saiu da equipe.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
  }
}

export function useOperadorAccess() {
  const client = useQueryClient()
  return {
    endSessoes: async ({ id, nome }: Operador): Promise<void> => {
      try {
        await call(encerrarSessoesOperadorRoute, { params: { id } })
        notify.sucesso(`${nome} saiu do painel em todos os aparelhos.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
    clearFactor: async (operador: Operador): Promise<void> => {
      try {
        await call(removerSegundoFatorOperadorRoute, { params: { id: operador.id } })
        await client.invalidateQueries({ queryKey: OPERADORES_KEY })
        notify.sucesso(`${operador.nome} entra só com a senha.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
  }
}
