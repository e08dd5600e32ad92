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
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { mensagemDe } from '#shared/dados/erro.ts'

export const CHAVE_OPERADORES = ['conta', 'operadores'] as const

export function useOperadores() {
  return useQuery({
    queryKey: CHAVE_OPERADORES,
    queryFn: async ({ signal }) => (await call(operadoresRoute, { signal })).operadores,
    networkMode: 'always',
  })
}

/** Form result. Without `senha` a new operador gets an invitation and an existing one keeps the password. */
export interface OperadorEscrito {
  readonly nome: string
  readonly email: string
  readonly setores: string[]
  readonly senha?: string
}

export function useMudarOperadores() {
  const cliente = useQueryClient()
  const mudar = (muda: (lista: readonly Operador[]) => readonly Operador[]): void => {
    cliente.setQueryData<readonly Operador[]>(CHAVE_OPERADORES, (lista) =>
      lista === undefined ? undefined : muda(lista),
    )
  }
  const trocar = (novo: Operador): void =>
    mudar((lista) => lista.map((operador) => (operador.id === novo.id ? novo : operador)))
  /** Conversas of a deactivated operador return to the waiting list. */
  const conversasVoltaram = (): void => void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  return {
    /** Rejects with `ApiError`, for the form to show. */
    criar: async (escrito: OperadorEscrito): Promise<Operador> => {
      const { operador } = await call(criarOperadorRoute, { body: escrito })
      mudar((lista) => [...lista, operador])
      return operador
    },
    /** Rejects with `ApiError`, for the form to show. */
    editar: async (id: string, escrito: OperadorEscrito): Promise<Operador> => {
      const { operador } = await call(atualizarOperadorRoute, { params: { id }, body: escrito })
      trocar(operador)
      return operador
    },
    ativar: async ({ id, nome }: Operador, ativo: boolean): Promise<void> => {
      try {
        trocar((await call(atualizarOperadorRoute, { params: { id }, body: { ativo } })).operador)
        if (!ativo) conversasVoltaram()
        avisar.sucesso(ativo ? `${nome} pode atender de novo.` : `${nome} não atende mais, por enquanto.`)
      } catch (erro) {
        avisar.erro(mensagemDe(erro))
      }
    },
    reenviar: async ({ id, email }: Operador): Promise<void> => {
      try {
        trocar((await call(reenviarConviteRoute, { params: { id } })).operador)
        avisar.sucesso(`Convite reenviado para ${email}. O link anterior não vale mais.`)
      } catch (erro) {
        avisar.erro(mensagemDe(erro))
        // The operador may have chosen a password already: refetches the list.
        void cliente.invalidateQueries({ queryKey: CHAVE_OPERADORES })
      }
    },
    remover: async ({ id, nome }: Operador): Promise<void> => {
      try {
        await call(excluirOperadorRoute, { params: { id } })
        mudar((lista) => lista.filter((operador) => operador.id !== id))
        conversasVoltaram()
        avisar.sucesso(`${nome} saiu da equipe.`)
      } catch (erro) {
        avisar.erro(mensagemDe(erro))
      }
    },
  }
}
