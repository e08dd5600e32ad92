import type { Agendada } from '@balcao/contract/entities/agendada'
import { cancelarAgendadaRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { applyAgendada } from '#shared/data/contatos/agendadas.ts'
import { errorMessage } from '#shared/data/error-message.ts'

export function useCancelAgendada(agendada: Agendada) {
  const client = useQueryClient()
  const { id, conversaId } = agendada
  return useMutation({
    networkMode: 'always',
    mutationFn: () => call(cancelarAgendadaRoute, { params: { id } }),
    onSuccess: () => {
      applyAgendada(client, { conversaId, agendada: { ...agendada, estado: 'cancelada', motivo: 'pessoa' } })
      notify.sucesso('Mensagem agendada cancelada.')
    },
    onError: (error) => notify.erro(`Erro ao cancelar mensagem agendada: ${errorMessage(error)}`),
  })
}
