import { mayReadSetor } from '@balcao/contract/conversa-access'
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
import { readerOf } from '#shared/data/conversa-reader.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsuario } from '#shared/session.tsx'
import { updateCachedConversa, removeCachedConversa } from '#features/atendimento/lista/conversa-cache.ts'

export interface ChatActions {
  readonly busyId: string | null
  readonly take: (conversa: Conversa) => Promise<void>
  readonly finish: (conversa: Conversa) => Promise<void>
  readonly returnToBot: (conversa: Conversa) => Promise<void>
  readonly transfer: (conversa: Conversa, destination: Setor) => Promise<void>
}

/** Keeps mensagens that arrived while the request was in flight: they are newer than the response. */
function keepNewerMensagens(fresh: Conversa, current: Conversa): Conversa {
  const { mensagens, ultimaMensagem, ultimaAtividade, naoLidas, revisao } = current
  if (revisao !== undefined && fresh.revisao !== undefined) return revisao > fresh.revisao ? current : fresh
  if (ultimaAtividade <= fresh.ultimaAtividade) return fresh
  const last = ultimaMensagem === undefined ? {} : { ultimaMensagem }
  return { ...fresh, mensagens, ultimaAtividade, naoLidas, ...last }
}

/** Actions on a whole conversa. Each shows its result in a notice and never rejects. `onLeave` closes the chat. */
export function useChatActions(onLeave: () => void): ChatActions {
  const reader = readerOf(useUsuario())
  const client = useQueryClient()
  const [busyId, setBusyId] = useState<string | null>(null)

  async function run(id: string, prefix: string, action: () => Promise<void>): Promise<void> {
    setBusyId(id)
    try {
      await action()
    } catch (error) {
      const winner = error instanceof ApiError && error.codigo === 'conversaAssumida' ? error.dados.operador : undefined
      notify.erro(
        winner === undefined ? `${prefix}: ${errorMessage(error)}` : `Esta conversa já foi assumida por ${winner}.`,
      )
      // Another operador was faster or the conversa is finished: the list is outdated.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
      }
    } finally {
      setBusyId(null)
    }
  }

  const receive = (fresh: Conversa): void =>
    updateCachedConversa(client, fresh.id, (current) => keepNewerMensagens(fresh, current))

  const take = ({ id }: Conversa) =>
    run(id, 'Erro ao assumir conversa', async () => {
      receive((await call(assumirConversaRoute, { params: { id } })).conversa)
    })

  const finish = ({ id }: Conversa) =>
    run(id, 'Erro ao finalizar conversa', async () => {
      await call(finalizarConversaRoute, { params: { id } })
      removeCachedConversa(client, id)
      notify.sucesso('Conversa finalizada com sucesso')
    })

  const returnToBot = ({ id, cliente: { nome } }: Conversa) =>
    run(id, 'Erro ao devolver conversa ao bot', async () => {
      await call(devolverConversaRoute, { params: { id } })
      removeCachedConversa(client, id)
      notify.sucesso(`${nome} voltou a falar com o bot.`)
    })

  const transfer = ({ id, setor: source, cliente: { nome } }: Conversa, destination: Setor) => {
    const leaves = !mayReadSetor(reader, destination.id)
    // Closed first, so that the event of the transfer finds no open chat to close with a notice.
    if (leaves) onLeave()
    return run(id, 'Erro ao transferir conversa', async () => {
      const { conversa } = await call(transferirConversaRoute, { params: { id }, body: { setor: destination.id } })
      if (leaves) {
        removeCachedConversa(client, id)
        notify.sucesso(`${nome} foi para o setor ${destination.nome}.`)
        return
      }
      receive(conversa)
      const undo = (): void =>
        void run(id, 'Erro ao transferir conversa', async () => {
          receive((await call(transferirConversaRoute, { params: { id }, body: { setor: source } })).conversa)
        })
      notify.sucesso(`${nome} foi para o setor ${destination.nome}.`, { action: { label: 'Desfazer', run: undo } })
    })
  }

  return { busyId, take, finish, returnToBot, transfer }
}
