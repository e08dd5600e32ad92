import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import {
  assumirConversaRoute,
  devolverConversaRoute,
  finalizarConversaRoute,
  transferirConversaRoute,
} from '@balcao/contract/routes/atendimento-conversa'
import { reabrirConversaRoute, soltarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cacheOpened, useShowConversa } from '#features/atendimento/acoes/opened-conversa.ts'
import type { TransferDestination } from '#features/atendimento/acoes/transfer-dialog.tsx'
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
  readonly transfer: (conversa: Conversa, destination: TransferDestination) => Promise<void>
  /** Returns the conversa to the queue of its setor. */
  readonly release: (conversa: Conversa) => Promise<void>
  /** Opens a finished conversa again. */
  readonly reopen: (conversa: Conversa) => Promise<void>
}

/** Keeps mensagens that arrived while the request was in flight: they are newer than the response. */
function keepNewerMensagens(fresh: Conversa, current: Conversa): Conversa {
  const { mensagens, ultimaMensagem, ultimaAtividade, naoLidas, revisao } = current
  if (revisao !== undefined && fresh.revisao !== undefined) return revisao > fresh.revisao ? current : fresh
  if (ultimaAtividade <= fresh.ultimaAtividade) return fresh
  const last = ultimaMensagem === undefined ? {} : { ultimaMensagem }
  return { ...fresh, mensagens, ultimaAtividade, naoLidas, ...last }
}

type RunAct = (id: string, prefix: string, action: () => Promise<void>) => Promise<void>

/** Runs one act at a time and shows its error in a notice. Never rejects. */
function useRunAct(): { readonly busyId: string | null; readonly run: RunAct } {
  const client = useQueryClient()
  const show = useShowConversa()
  const [busyId, setBusyId] = useState<string | null>(null)
  const run: RunAct = async (id, prefix, action) => {
    setBusyId(id)
    try {
      await action()
    } catch (error) {
      const { codigo, dados } = error instanceof ApiError ? error : { codigo: '', dados: {} }
      const { operador, conversaId } = dados
      const open = conversaId === undefined ? {} : { action: { label: 'Ver conversa', run: () => show(conversaId) } }
      notify.erro(
        codigo === 'conversaAssumida' && operador !== undefined
          ? `Esta conversa já foi assumida por ${operador}.`
          : `${prefix}: ${errorMessage(error)}`,
        open,
      )
      // Another operador was faster or the conversa is finished: the list is outdated.
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
      }
    } finally {
      setBusyId(null)
    }
  }
  return { busyId, run }
}

/** Actions on a whole conversa. Each shows its result in a notice and never rejects. `onLeave` closes the chat. */
export function useChatActions(onLeave: () => void): ChatActions {
  const client = useQueryClient()
  const { busyId, run } = useRunAct()
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

  const release = ({ id, cliente: { nome } }: Conversa) =>
    run(id, 'Erro ao devolver conversa à fila', async () => {
      receive((await call(soltarConversaRoute, { params: { id } })).conversa)
      notify.sucesso(`${nome} voltou para a fila.`)
    })

  const reopen = ({ id }: Conversa) =>
    run(id, 'Erro ao reabrir conversa', async () => {
      cacheOpened(client, (await call(reabrirConversaRoute, { params: { id } })).conversa)
      notify.sucesso('Conversa reaberta. Ela está com você.')
    })

  const transfer = useTransfer(run, receive, onLeave)
  return { busyId, take, finish, returnToBot, release, reopen, transfer }
}

function useTransfer(run: RunAct, receive: (fresh: Conversa) => void, onLeave: () => void): ChatActions['transfer'] {
  const reader = readerOf(useUsuario())
  const client = useQueryClient()
  return ({ id, setor: source, cliente: { nome } }, { setor, atendente, motivo }) => {
    const leaves = !mayReadSetor(reader, setor?.id ?? source)
    // Closed first, so that the event of the transfer finds no open chat to close with a notice.
    if (leaves) onLeave()
    const said = motivo.trim()
    const body = {
      ...(setor === null ? {} : { setor: setor.id }),
      ...(atendente === null ? {} : { operadorId: atendente.id }),
      ...(said === '' ? {} : { motivo: said }),
    }
    const text = `${nome} foi para ${atendente === null ? `o setor ${setor?.nome ?? ''}` : atendente.nome}.`
    return run(id, 'Erro ao transferir conversa', async () => {
      const { conversa } = await call(transferirConversaRoute, { params: { id }, body })
      if (leaves) removeCachedConversa(client, id)
      else receive(conversa)
      // A person may have begun to serve the conversa, so only a transfer to a queue is undone.
      if (leaves || atendente !== null) return void notify.sucesso(text)
      const undo = (): void =>
        void run(id, 'Erro ao transferir conversa', async () => {
          receive((await call(transferirConversaRoute, { params: { id }, body: { setor: source } })).conversa)
        })
      notify.sucesso(text, { action: { label: 'Desfazer', run: undo } })
    })
  }
}
