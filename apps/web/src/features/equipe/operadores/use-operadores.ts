import type { ConviteCriado, Operador } from '@balcao/contract/entities/operador'
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
import type { NewConvite } from './convite-dialog.tsx'
import { errorMessage } from '#shared/data/error-message.ts'

export const OPERADORES_KEY = ['conta', 'operadores'] as const

export function useOperadores() {
  return useQuery({
    queryKey: OPERADORES_KEY,
    queryFn: async ({ signal }) => (await call(operadoresRoute, { signal })).operadores,
    networkMode: 'always',
  })
}

/** Form result. Absent `linhas` stay as they are. Without `senha` a new operador gets an invitation and an existing one keeps the password. */
export interface OperadorInput {
  readonly nome: string
  readonly email: string
  readonly setores: string[]
  readonly linhas?: string[]
  readonly senha?: string
}

export interface CreatedOperador {
  readonly operador: Operador
  readonly convite?: ConviteCriado | undefined
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
    create: async (written: OperadorInput): Promise<CreatedOperador> => {
      const { operador, convite } = await call(criarOperadorRoute, { body: written })
      change((list) => [...list, operador])
      return { operador, convite }
    },
    edit: async (id: string, written: OperadorInput): Promise<Operador> => {
      const { operador } = await call(atualizarOperadorRoute, { params: { id }, body: written })
      replace(operador)
      return operador
    },
    activate: ({ id, nome }: Operador, ativo: boolean): Promise<void> =>
      attempt(async () => {
        replace((await call(atualizarOperadorRoute, { params: { id }, body: { ativo } })).operador)
        if (!ativo) refetchConversas()
        return ativo ? `${nome} pode atender de novo.` : `${nome} não atende mais, por enquanto.`
      }),
    resend: ({ id, nome, email }: Operador, onInvited: (convite: NewConvite) => void): Promise<void> =>
      attempt(async () => {
        try {
          const { operador, convite } = await call(reenviarConviteRoute, { params: { id } })
          replace(operador)
          onInvited({ nome, email, ...convite })
          const sent = convite.emailEnviado ? `Convite reenviado para ${email}.` : `Novo convite de ${nome} criado.`
          return `${sent} O link anterior não vale mais.`
        } catch (error) {
          // The operador may have chosen a password already.
          void client.invalidateQueries({ queryKey: OPERADORES_KEY })
          throw error
        }
      }),
    remove: ({ id, nome }: Operador): Promise<void> =>
      attempt(async () => {
        await call(excluirOperadorRoute, { params: { id } })
        change((list) => list.filter((operador) => operador.id !== id))
        refetchConversas()
        return `${nome} saiu da equipe.`
      }),
    endSessoes: ({ id, nome }: Operador): Promise<void> =>
      attempt(async () => {
        await call(encerrarSessoesOperadorRoute, { params: { id } })
        return `${nome} saiu do painel em todos os aparelhos.`
      }),
    clearFactor: ({ id, nome }: Operador): Promise<void> =>
      attempt(async () => {
        await call(removerSegundoFatorOperadorRoute, { params: { id } })
        await client.invalidateQueries({ queryKey: OPERADORES_KEY })
        return `${nome} entra só com a senha.`
      }),
  }
}

/** Shows the sentence that the act returns, or its error. */
async function attempt(act: () => Promise<string>): Promise<void> {
  try {
    notify.sucesso(await act())
  } catch (error) {
    notify.erro(errorMessage(error))
  }
}
