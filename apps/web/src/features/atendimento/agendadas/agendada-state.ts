import type { Agendada, MotivoAgendada } from '@balcao/contract/entities/agendada'
import type { ChipTone } from '#shared/ui/chip.tsx'
import { cancelarAgendadaRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { applyAgendada } from '#shared/data/contatos/agendadas.ts'
import { errorMessage } from '#shared/data/error-message.ts'

export const AGENDADA_STATES: Readonly<
  Record<Agendada['estado'], { readonly label: string; readonly tone: ChipTone }>
> = {
  marcada: { label: 'Marcada', tone: 'azul' },
  enviada: { label: 'Enviada', tone: 'verde' },
  cancelada: { label: 'Cancelada', tone: 'cinza' },
  falhou: { label: 'Não enviada', tone: 'vermelho' },
}

export const AGENDADA_REASONS: Readonly<Record<MotivoAgendada, string>> = {
  pessoa: 'Uma pessoa da equipe cancelou.',
  clienteRespondeu: 'O cliente respondeu antes.',
  pediuParada: 'O cliente pediu PARAR.',
  janelaFechada: 'O cliente não escrevia há mais de 24 horas.',
  limiteDiario: 'O limite diário de mensagens foi atingido.',
  conversaAntiga: 'A conversa terminou há mais de 7 dias.',
  conversaAberta: 'O cliente já tinha outra conversa aberta.',
  autorInativo: 'Quem escreveu não faz mais parte da equipe.',
  autorSemAcesso: 'Quem escreveu não tem mais acesso ao setor da conversa.',
  naoEnviada: 'O envio falhou. Escreva a mensagem de novo.',
  copiaRestaurada: 'O sistema voltou de uma cópia. A mensagem pode já ter saído.',
}

const DAY_MS = 86_400_000

/**
 * Returns the messages that the chat shows: failed ones, waiting ones in the order of their times, cancelled ones. Leaves
 * out ended ones that the person dismissed or that are a day past their time.
 */
export function stripOf(all: readonly Agendada[], dismissed: readonly string[], now: number): readonly Agendada[] {
  const recent = all.filter(({ id, enviarEm }) => !dismissed.includes(id) && Date.parse(enviarEm) > now - DAY_MS)
  const waiting = all.filter(({ estado }) => estado === 'marcada')
  return [
    ...recent.filter(({ estado }) => estado === 'falhou'),
    ...waiting.toSorted((a, b) => Date.parse(a.enviarEm) - Date.parse(b.enviarEm)),
    ...recent.filter(({ estado }) => estado === 'cancelada'),
  ]
}

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
