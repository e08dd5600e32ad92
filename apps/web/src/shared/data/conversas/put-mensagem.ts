import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { applyToConversas } from '@balcao/contract/sync/conversas'
import type { QueryClient } from '@tanstack/react-query'
import { changeCache, changeKnown } from './known-conversas.ts'
import { applyToPages, mensagensKey, type MensagemPages } from './mensagem-pages.ts'

/** Adds or replaces a mensagem, in its conversa and in the chat. */
export function putMensagem(client: QueryClient, dados: ServerEventPayloads['mensagemConversaHumana']): void {
  const { userId, conversaId, mensagem, marcada } = dados
  changeCache(() => {
    changeKnown(client, (known) => applyToConversas(known, { evento: 'mensagemConversaHumana', dados }, userId))
    client.setQueryData<MensagemPages>(mensagensKey(conversaId), (read) =>
      read === undefined ? undefined : applyToPages(read, mensagem, marcada),
    )
  })
}
