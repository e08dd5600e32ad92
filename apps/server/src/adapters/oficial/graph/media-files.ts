import { createStoreMedia } from '@balcao/connector/store-media'
import type { InboundMessage, SessionHost } from '@balcao/connector/port'
import type { OficialNumber } from '#ports/oficial.ts'
import type { RemoteFile, MetaMessage } from '#adapters/oficial/content.ts'
import { MetaFailure } from './errors.ts'
import type { Graph } from './client.ts'
import { downloadMetaFile } from './media.ts'
import { fetchNumberName } from './health.ts'
import { createSemaphore } from '#adapters/oficial/slots.ts'

export interface MetaFilesOptions {
  readonly graph: Graph
  readonly host: Pick<SessionHost, 'storeMedia'>
  readonly numero: () => OficialNumber | null
  readonly report: (erro: unknown, oQue: string) => void
}

/** Limits memory: after a stop many files wait, each of some megabytes. */
const CONCURRENCY = 4

/**
 * Downloads the file of a message. Without its file the message still names the type of media. Rejects only when a
 * later attempt may succeed.
 */
export function createMetaFiles(options: MetaFilesOptions): (mensagem: MetaMessage) => Promise<InboundMessage> {
  const { graph, host, numero, report } = options
  const emVaga = createSemaphore(CONCURRENCY)
  const store = createStoreMedia(host, report)

  const trazer = async (
    current: OficialNumber,
    received: InboundMessage,
    arquivo: RemoteFile,
  ): Promise<InboundMessage> => {
    try {
      const bytes = await downloadMetaFile(graph, current, arquivo)
      return { ...received, midia: await store(bytes, arquivo.filename ?? '') }
    } catch (error) {
      report(error, 'media not stored')
      // Meta keeps the file for weeks, so it can be downloaded with a new token.
      if (isAccessError(error) && !(await isTokenAccepted(graph, current))) throw error
      return received
    }
  }

  return async ({ inbound, file }) => {
    const current = numero()
    return file === undefined || current === null ? inbound : emVaga(() => trazer(current, inbound, file))
  }
}

/** False when the token itself was rejected, not only this file. */
const isTokenAccepted = (graph: Graph, numero: OficialNumber): Promise<boolean> =>
  fetchNumberName(graph, numero).then(
    () => true,
    (erro: unknown) => !isAccessError(erro),
  )

const isAccessError = (error: unknown): boolean =>
  error instanceof MetaFailure && (error.tipo === 'credenciais' || error.tipo === 'bloqueada')
