import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { mensagensDaConversaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#shared/api-client.ts'
import { type MensagemPages, mensagensKey } from '#shared/data/conversas/mensagem-pages.ts'
import { isSameFile } from '#shared/media/file-address.ts'
import type { RefreshFile } from '#shared/media/refresh-file.ts'

/** The most that the server gives. A picture far up needs several pages. */
const PAGE_SIZE = 200

/** The running read of each chat. A read refreshes all files of its page, so further requests wait for it. */
const reading = new Map<string, Promise<void>>()

export function useRefreshFile(conversaId: string): RefreshFile {
  const client = useQueryClient()
  return useCallback((url) => refreshFile(client, conversaId, url), [client, conversaId])
}

async function refreshFile(client: QueryClient, conversaId: string, url: string): Promise<string | undefined> {
  // oxlint-disable-next-line no-await-in-loop -- another read may have started meanwhile
  while (reading.has(conversaId)) await reading.get(conversaId)
  const known = addressOf(client, conversaId, url)
  if (known !== url) return known
  const read = readUntil(client, conversaId, url).finally(() => reading.delete(conversaId))
  reading.set(conversaId, read)
  await read
  return addressOf(client, conversaId, url)
}

function addressOf(client: QueryClient, conversaId: string, url: string): string | undefined {
  const read = client.getQueryData<MensagemPages>(mensagensKey(conversaId))
  return read?.pages.flat().find(({ midia }) => isSameFile(midia?.url, url))?.midia?.url
}

async function readUntil(client: QueryClient, conversaId: string, url: string): Promise<void> {
  let cursor: string | undefined
  do {
    const query = { limite: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const { mensagens, proximoCursor } = await call(mensagensDaConversaRoute, { params: { id: conversaId }, query })
    replaceAddresses(client, conversaId, mensagens)
    if (mensagens.some(({ midia }) => isSameFile(midia?.url, url))) return
    cursor = proximoCursor
  } while (cursor !== undefined)
}

function replaceAddresses(client: QueryClient, conversaId: string, fresh: readonly Mensagem[]): void {
  const midias = new Map(fresh.flatMap(({ id, midia }) => (midia?.url === undefined ? [] : [[id, midia]])))
  const replace = (mensagem: Mensagem): Mensagem => {
    const midia = midias.get(mensagem.id)
    return midia === undefined || midia.url === mensagem.midia?.url ? mensagem : { ...mensagem, midia }
  }
  client.setQueryData<MensagemPages>(mensagensKey(conversaId), (read) =>
    read === undefined ? undefined : { ...read, pages: read.pages.map((page) => page.map(replace)) },
  )
}
