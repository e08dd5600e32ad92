import type { Conversa } from '@balcao/contract/entities/conversa'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { EventoServidor, EventosServidor } from '@balcao/contract/realtime'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { BOT_STATUS_INICIAL } from '@balcao/contract/status-bot'
import { aplicarEmBotStatus } from '@balcao/contract/sync/bot-status'
import { aplicarEmConversas, conheceConversa } from '@balcao/contract/sync/conversas'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { atualizarBotStatus, marcarEventoDeStatus } from './bot-status.ts'
import { CHAVES } from './chaves.ts'
import {
  anotarDuranteABusca,
  aplicarNasLidas,
  chaveDasMensagens,
  type MensagensLidas,
} from './mensagens-da-conversa.ts'
import { registrarPresenca } from './presenca.ts'

function falaDoStatus({ evento }: EventoServidor): boolean {
  return evento === 'botStatus' || evento === 'botStatusChange' || evento === 'botQrCode'
}

/**
 * Applies one realtime event to the cache. Lists that were never read and events of other accounts are ignored. An
 * unknown conversa is fetched alone.
 */
export function aplicarEvento(cliente: QueryClient, recebido: EventoServidor, contaId: string): void {
  if (recebido.dados.userId !== contaId) return
  aplicarNoStatus(cliente, recebido, contaId)
  aplicarNasConversas(cliente, recebido, contaId)
  if (recebido.evento === 'operadorStatusChange') registrarPresenca(recebido.dados)
}

function aplicarNoStatus(cliente: QueryClient, recebido: EventoServidor, contaId: string): void {
  const atual = cliente.getQueryData<BotStatus>(CHAVES.botStatus)
  if (atual === undefined && recebido.evento !== 'botStatus') {
    // No status is cached yet, and an answer in flight may be older than this event, so the status is fetched
    // again. The next poll covers a failure.
    if (falaDoStatus(recebido)) atualizarBotStatus(cliente).catch(() => undefined)
    return
  }
  if (falaDoStatus(recebido)) marcarEventoDeStatus(cliente)
  cliente.setQueryData(CHAVES.botStatus, aplicarEmBotStatus(atual ?? BOT_STATUS_INICIAL, recebido, contaId))
}

function aplicarNasConversas(cliente: QueryClient, recebido: EventoServidor, contaId: string): void {
  if (recebido.evento === 'mensagemConversaHumana') aplicarNoChat(cliente, recebido.dados)
  const atual = cliente.getQueryData<{ conversas: readonly Conversa[] }>(CHAVES.conversas)
  if (atual === undefined) return
  if ('conversaId' in recebido.dados && recebido.evento !== 'clienteDigitando') marcarMudada(recebido.dados.conversaId)
  if (!conheceConversa(atual.conversas, recebido)) {
    if ('conversaId' in recebido.dados) void trazerConversa(cliente, recebido.dados.conversaId, contaId)
    return
  }
  const conversas = aplicarEmConversas(atual.conversas, recebido, contaId)
  if (conversas !== atual.conversas) cliente.setQueryData(CHAVES.conversas, { ...atual, conversas })
}

function aplicarNoChat(
  cliente: QueryClient,
  { conversaId, mensagem, marcada }: EventosServidor['mensagemConversaHumana'],
): void {
  anotarDuranteABusca(conversaId, mensagem, marcada)
  cliente.setQueryData<MensagensLidas>(chaveDasMensagens(conversaId), (lidas) =>
    lidas === undefined ? undefined : aplicarNasLidas(lidas, mensagem, marcada),
  )
}

/** Conversas being fetched. True: an event arrived during the fetch. */
const aCaminho = new Map<string, boolean>()

function marcarMudada(id: string): void {
  if (aCaminho.has(id)) aCaminho.set(id, true)
}

/** Fetches one conversa that is in no page read. Fetches again if an event arrived meanwhile. */
async function trazerConversa(cliente: QueryClient, id: string, contaId: string): Promise<void> {
  if (aCaminho.has(id)) return
  aCaminho.set(id, false)
  try {
    const { conversa } = await call(conversaHumanaRoute, { params: { id } })
    if (aCaminho.get(id) === true) {
      aCaminho.delete(id)
      return await trazerConversa(cliente, id, contaId)
    }
    if (conversa.status === 'finalizada') return
    const dados = { userId: contaId, conversa: { ...conversa, mensagens: conversa.mensagens.slice(-1) } }
    cliente.setQueryData<{ conversas: readonly Conversa[] }>(CHAVES.conversas, (lista) =>
      lista === undefined
        ? undefined
        : {
            ...lista,
            conversas: aplicarEmConversas(lista.conversas, { evento: 'novaConversaHumana', dados }, contaId),
          },
    )
  } catch {
    void cliente.invalidateQueries({ queryKey: CHAVES.conversas })
  } finally {
    aCaminho.delete(id)
  }
}
