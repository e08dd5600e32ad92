import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  assumirConversaRoute,
  devolverConversaRoute,
  finalizarConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { updateCachedConversa, removeCachedConversa } from '#features/atendimento/lista/use-conversas.ts'

export interface ChatActions {
  readonly busyId: string | null
  readonly take: (conversa: Conversa) => Promise<void>
  readonly finish: (conversa: Conversa) => Promise<void>
  readonly returnToBot: (conversa: Conversa) => Promise<void>
  readonly transfer: (conversa: Conversa, destination: Setor) => Promise<void>
}

/** Keeps mensagens that arrived while the request was in flight: they are newer than the response. */
function keepNewerMensagens(
  fresh: Conversa,
  { mensagens, ultimaMensagem, ultimaAtividade, naoLidas }: Conversa,
): Conversa {
  if (ultimaAtividade <= fresh.ultimaAtividade) return fresh
  const last = ultimaMensagem === undefined ? {} : { ultimaMensagem }
  return { ...fresh, mensagens, ultimaAtividade, naoLidas, ...last }
}

/** Actions on a whole conversa. Each shows its result in a notice and never rejects. */
export function useChatActions(): ChatActions {
  const cliente = useQueryClient()
  const [busy, setOcupada] = useState<string | null>(null)

  async function fazer(id: string, prefix: string, acao: () => Promise<void>): Promise<void> {
    setOcupada(id)
    try {
      await acao()
    } catch (error) {
      const winner = error instanceof ApiError && error.codigo === 'conversaAssumida' ? error.dados.operador : undefined
      notify.erro(
        winner === undefined ? `${prefix}: ${errorMessage(error)}` : `Esta conversa já foi assumida por ${winner}.`,
      )
      // Another operador was faster or the conversa is finished: the list is outdated.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
      }
    } finally {
      setOcupada(null)
    }
  }

  const receive = (fresh: Conversa): void =>
    updateCachedConversa(cliente, fresh.id, (current) => keepNewerMensagens(fresh, current))

  const assumir = ({ id }: Conversa) =>
    fazer(id, 'Erro ao assumir conversa', async () => {
      receive((await call(assumirConversaRoute, { params: { id } })).conversa)
    })

  const finalizar = ({ id }: Conversa) =>
    fazer(id, 'Erro ao finalizar conversa', async () => {
      await call(finalizarConversaRoute, { params: { id } })
      removeCachedConversa(cliente, id)
      notify.sucesso('Conversa finalizada com sucesso')
    })

  const giveBack = ({ id, cliente: { nome } }: Conversa) =>
    fazer(id, 'Erro ao devolver conversa ao bot', async () => {
      await call(devolverConversaRoute, { params: { id } })
      removeCachedConversa(cliente, id)
      notify.sucesso(`${nome} voltou a falar com o bot.`)
    })

  const transferir = ({ id, setor: source, cliente: { nome } }: Conversa, destination: Setor) =>
    fazer(id, 'Erro ao transferir conversa', async () => {
      receive((await call(transferirConversaRoute, { params: { id }, body: { setor: destination.id } })).conversa)
      const undo = (): void =>
        void fazer(id, 'Erro ao transferir conversa', async () => {
          receive((await call(transferirConversaRoute, { params: { id }, body: { setor: source } })).conversa)
        })
      notify.sucesso(`${nome} foi para o setor ${destination.nome}.`, { action: { label: 'Desfazer', run: undo } })
    })

  return { busyId: busy, take: assumir, finish: finalizar, returnToBot: giveBack, transfer: transferir }
}
