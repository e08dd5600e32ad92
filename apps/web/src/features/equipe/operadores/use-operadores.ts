import type { Operador } from '@balcao/contract/entities/operador'
import {
  atualizarOperadorRoute,
  criarOperadorRoute,
  excluirOperadorRoute,
  operadoresRoute,
  reenviarConviteRoute,
} from '@balcao/contract/routes/operadores'
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
  const cliente = useQueryClient()
  const change = (muda: (lista: readonly Operador[]) => readonly Operador[]): void => {
    cliente.setQueryData<readonly Operador[]>(OPERADORES_KEY, (lista) =>
      lista === undefined ? undefined : muda(lista),
    )
  }
  const trocar = (fresh: Operador): void =>
    change((lista) => lista.map((operador) => (operador.id === fresh.id ? fresh : operador)))
  /** Conversas of a deactivated operador return to the waiting list. */
  const conversasVoltaram = (): void => void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  return {
    /** Rejects with `ApiError`, for the form to show. */
    criar: async (written: OperadorInput): Promise<Operador> => {
      const { operador } = await call(criarOperadorRoute, { body: written })
      change((lista) => [...lista, operador])
      return operador
    },
    /** Rejects with `ApiError`, for the form to show. */
    editar: async (id: string, written: OperadorInput): Promise<Operador> => {
      const { operador } = await call(atualizarOperadorRoute, { params: { id }, body: written })
      trocar(operador)
      return operador
    },
    ativar: async ({ id, nome }: Operador, ativo: boolean): Promise<void> => {
      try {
        trocar((await call(atualizarOperadorRoute, { params: { id }, body: { ativo } })).operador)
        if (!ativo) conversasVoltaram()
        notify.sucesso(ativo ? `${nome} pode atender de novo.` : `${nome} não atende mais, por enquanto.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
    reenviar: async ({ id, email }: Operador): Promise<void> => {
      try {
        trocar((await call(reenviarConviteRoute, { params: { id } })).operador)
        notify.sucesso(`Convite reenviado para ${email}. O link anterior não vale mais.`)
      } catch (error) {
        notify.erro(errorMessage(error))
        // The operador may have chosen a password already: refetches the list.
        void cliente.invalidateQueries({ queryKey: OPERADORES_KEY })
      }
    },
    remover: async ({ id, nome }: Operador): Promise<void> => {
      try {
        await call(excluirOperadorRoute, { params: { id } })
        change((lista) => lista.filter((operador) => operador.id !== id))
        conversasVoltaram()
        notify.sucesso(`${nome} saiu da equipe.`)
      } catch (error) {
        notify.erro(errorMessage(error))
      }
    },
  }
}
