import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { apagarMensagemRoute, editarMensagemRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { putMensagem } from '#shared/data/conversas/mensagem-pages.ts'
import { useUsuario } from '#shared/session.tsx'

export interface ChangeSent {
  /** False after a refusal, which a notice shows. */
  readonly edit: (texto: string) => Promise<boolean>
  readonly remove: () => Promise<void>
}

export function useChangeSent(conversaId: string, id: string): ChangeSent {
  const client = useQueryClient()
  const { contaId: userId } = useUsuario()
  const run = async (request: Promise<{ readonly mensagem: Mensagem }>, prefix: string): Promise<boolean> => {
    try {
      const { mensagem } = await request
      putMensagem(client, { userId, conversaId, mensagem, marcada: true })
      return true
    } catch (error) {
      notify.erro(`${prefix}: ${errorMessage(error)}`)
      return false
    }
  }
  return {
    edit: (texto) => run(call(editarMensagemRoute, { params: { id }, body: { texto } }), 'Erro ao editar mensagem'),
    remove: async () => {
      await run(call(apagarMensagemRoute, { params: { id } }), 'Erro ao apagar mensagem')
    },
  }
}
