import { mayReadSetor, readerOf } from '@balcao/contract/conversa-access'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ServerEvent } from '@balcao/contract/realtime'
import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { applyToBotStatus } from '@balcao/contract/sync/bot-status'
import { applyToConversas, concernsUnknown } from '@balcao/contract/sync/conversas'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { QueryClient } from '@tanstack/react-query'
import { applyAgendada } from '#shared/data/contatos/agendadas.ts'
import { applyLinha } from '#shared/conta/linhas.ts'
import { refreshBotStatus, markStatusEvent } from '#shared/data/bot-status.ts'
import { applyPedido } from '#shared/data/loja/pedidos.ts'
import { applyContato } from '#shared/data/contatos/contatos.ts'
import { refreshEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { applyNota } from '#shared/data/contatos/notas.ts'
import {
  changeCache,
  changeKnown,
  conversaQuery,
  forgetKnown,
  knownConversas,
} from '#shared/data/conversas/known-conversas.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { applyFonte } from '#shared/ia/fontes.ts'
import { putMensagem } from '#shared/data/conversas/mensagem-pages.ts'
import { recordPresence } from '#shared/data/presence.ts'

function isStatusEvent({ evento }: ServerEvent): boolean {
  return evento === 'botStatus' || evento === 'botStatusChange' || evento === 'botQrCode'
}

/**
 * Applies one realtime event to the cache. Lists that were never read and events of other accounts are ignored. An
 * unknown conversa is read alone. A conversa that left the setores of the operador is dropped.
 */
export function applyEventToCache(client: QueryClient, event: ServerEvent, usuario: Usuario): void {
  const { contaId } = usuario
  if (event.dados.userId !== contaId) return
  applyToStatus(client, event, contaId)
  if (event.evento === 'conversaTransferida' && !mayReadSetor(readerOf(usuario), event.dados.novoSetor)) {
    const { conversaId, situacao } = event.dados
    const { revisao = -1 } = knownConversas(client).byId.get(conversaId) ?? {}
    // A later transfer may have given the conversa back.
    if (situacao === undefined || revisao < situacao.revisao) dropConversa(client, conversaId)
  } else {
    followConversas(client, event, contaId)
  }
  applyToLists(client, event)
  if (event.evento === 'operadorStatusChange') recordPresence(event.dados)
}

function applyToLists(client: QueryClient, event: ServerEvent): void {
  if (event.evento === 'notaConversa') applyNota(client, event.dados)
  if (event.evento === 'agendadaMudou') applyAgendada(client, event.dados)
  if (event.evento === 'contatoMudou') {
    applyContato(client, event.dados.contato)
    refreshEtiquetas(client)
  }
  if (event.evento === 'pedidoNovo' || event.evento === 'pedidoMudou') applyPedido(client, event.dados.pedido)
  if (event.evento === 'linhaMudou') applyLinha(client, event.dados)
  if (event.evento === 'fonteMudou') applyFonte(client, event.dados)
}

function applyToStatus(client: QueryClient, event: ServerEvent, contaId: string): void {
  const current = client.getQueryData<BotStatus>(QUERY_KEYS.botStatus)
  if (current === undefined && event.evento !== 'botStatus') {
    // No status is cached yet, and an answer in flight may be older than this event, so the status is fetched
    // again. The next poll covers a failure.
    if (isStatusEvent(event)) refreshBotStatus(client).catch(() => undefined)
    return
  }
  if (isStatusEvent(event)) markStatusEvent(client)
  client.setQueryData(QUERY_KEYS.botStatus, applyToBotStatus(current ?? BOT_STATUS_INICIAL, event, contaId))
}

function followConversas(client: QueryClient, event: ServerEvent, contaId: string): void {
  const unknown = concernsUnknown(knownConversas(client), event)
  if (event.evento === 'mensagemConversaHumana') putMensagem(client, event.dados)
  else changeCache(() => changeKnown(client, (known) => applyToConversas(known, event, contaId)))
  // A list that was never read has no place for it.
  if (unknown !== null && client.getQueryData(QUERY_KEYS.conversas) !== undefined) void readUnknown(client, unknown)
}

/** Removes everything about a conversa from the cache. The open chat reads it again and finds that it left. */
function dropConversa(client: QueryClient, id: string): void {
  forgetKnown(client, id)
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] === QUERY_KEYS.conversas[0] && queryKey.includes(id),
  })
}

async function readUnknown(client: QueryClient, id: string): Promise<void> {
  try {
    await client.fetchQuery({ ...conversaQuery(client, id), staleTime: 0 })
  } catch {
    void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }
}
