import { mayReadSetor } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { ServerEvent, ServerEventPayloads } from '@balcao/contract/realtime'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { applyToBotStatus } from '@balcao/contract/sync/bot-status'
import { applyToConversas, holdsConversa } from '@balcao/contract/sync/conversas'
import { EndedConversas } from '@balcao/contract/sync/ended-conversas'
import type { Usuario } from '@balcao/contract/entities/usuario'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { applyAgendada } from '#shared/data/contatos/agendadas.ts'
import { refreshBotStatus, markStatusEvent } from '#shared/data/bot-status.ts'
import { applyContato } from '#shared/data/contatos/contatos.ts'
import { refreshEtiquetas } from '#shared/data/contatos/etiquetas.ts'
import { applyNota } from '#shared/data/contatos/notas.ts'
import { readerOf } from '#shared/data/conversa-reader.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { recordDuringFetch, applyToPages, mensagensKey, type MensagemPages } from '#shared/data/mensagem-pages.ts'
import { recordPresence } from '#shared/data/presence.ts'
import { recordListUpdate } from './list-updates.ts'

function isStatusEvent({ evento }: ServerEvent): boolean {
  return evento === 'botStatus' || evento === 'botStatusChange' || evento === 'botQrCode'
}

/** Conversas that ended, by cache. Each login starts with a new cache. */
const endedByCache = new WeakMap<QueryClient, EndedConversas>()

function endedOf(client: QueryClient): EndedConversas {
  const ended = endedByCache.get(client) ?? new EndedConversas()
  endedByCache.set(client, ended)
  return ended
}

/**
 * Applies one realtime event to the cache. Lists that were never read and events of other accounts are ignored. An
 * unknown conversa is fetched alone. A conversa that left the setores of the operador is dropped.
 */
export function applyEventToCache(client: QueryClient, event: ServerEvent, usuario: Usuario): void {
  const { contaId } = usuario
  if (event.dados.userId !== contaId) return
  applyToStatus(client, event, contaId)
  if (event.evento === 'conversaTransferida' && !mayReadSetor(readerOf(usuario), event.dados.novoSetor)) {
    if (!holdsLater(client, event.dados)) dropConversa(client, event.dados.conversaId)
  } else {
    applyToConversasCache(client, event, contaId)
  }
  if (event.evento === 'notaConversa') applyNota(client, event.dados)
  if (event.evento === 'agendadaMudou') applyAgendada(client, event.dados)
  if (event.evento === 'contatoMudou') {
    applyContato(client, event.dados.contato)
    refreshEtiquetas(client)
  }
  if (event.evento === 'operadorStatusChange') recordPresence(event.dados)
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

function applyToConversasCache(client: QueryClient, event: ServerEvent, contaId: string): void {
  if (event.evento === 'mensagemConversaHumana') applyToChat(client, event.dados)
  const current = client.getQueryData<{ conversas: readonly Conversa[] }>(QUERY_KEYS.conversas)
  if (endedOf(client).isOutdated(event)) return
  recordListUpdate((conversas) => applyToConversas(conversas, event, contaId))
  if (current === undefined) return
  if ('conversaId' in event.dados && event.evento !== 'clienteDigitando') markChanged(event.dados.conversaId)
  if (!holdsConversa(current.conversas, event)) {
    if ('conversaId' in event.dados) void fetchConversaIntoList(client, event.dados.conversaId, contaId)
    return
  }
  const conversas = applyToConversas(current.conversas, event, contaId)
  if (conversas !== current.conversas) client.setQueryData(QUERY_KEYS.conversas, { ...current, conversas })
}

/** True if the list holds a later change than this transfer: a later one gave the conversa back. */
function holdsLater(
  client: QueryClient,
  { conversaId, situacao }: ServerEventPayloads['conversaTransferida'],
): boolean {
  const list = client.getQueryData<{ conversas: readonly Conversa[] }>(QUERY_KEYS.conversas)
  const { revisao = -1 } = list?.conversas.find(({ id }) => id === conversaId) ?? {}
  return situacao !== undefined && revisao >= situacao.revisao
}

function applyToChat(
  client: QueryClient,
  { conversaId, mensagem, marcada }: ServerEventPayloads['mensagemConversaHumana'],
): void {
  recordDuringFetch(conversaId, mensagem, marcada)
  client.setQueryData<MensagemPages>(mensagensKey(conversaId), (parsed) =>
    parsed === undefined ? undefined : applyToPages(parsed, mensagem, marcada),
  )
}

function updateList(client: QueryClient, update: (conversas: readonly Conversa[]) => readonly Conversa[]): void {
  recordListUpdate(update)
  client.setQueryData<{ conversas: readonly Conversa[] }>(QUERY_KEYS.conversas, (list) =>
    list === undefined ? undefined : { ...list, conversas: update(list.conversas) },
  )
}

/** Removes everything about a conversa from the cache. The open chat reads it again and finds that it left. */
function dropConversa(client: QueryClient, id: string): void {
  markChanged(id)
  updateList(client, (conversas) => conversas.filter((conversa) => conversa.id !== id))
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] === QUERY_KEYS.conversas[0] && queryKey.includes(id),
  })
}

/** Conversas being fetched. True: an event arrived during the fetch. */
const inFlight = new Map<string, boolean>()

function markChanged(id: string): void {
  if (inFlight.has(id)) inFlight.set(id, true)
}

/** Fetches one conversa that is in no page read. Fetches again if an event arrived meanwhile. */
async function fetchConversaIntoList(client: QueryClient, id: string, contaId: string): Promise<void> {
  if (inFlight.has(id)) return
  inFlight.set(id, false)
  try {
    const { conversa } = await call(conversaHumanaRoute, { params: { id } })
    if (inFlight.get(id) === true) {
      inFlight.delete(id)
      return await fetchConversaIntoList(client, id, contaId)
    }
    if (conversa.status === 'finalizada') return
    const dados = { userId: contaId, conversa: { ...conversa, mensagens: conversa.mensagens.slice(-1) } }
    updateList(client, (conversas) => applyToConversas(conversas, { evento: 'novaConversaHumana', dados }, contaId))
  } catch {
    void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  } finally {
    inFlight.delete(id)
  }
}
