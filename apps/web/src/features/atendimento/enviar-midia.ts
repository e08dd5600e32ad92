import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import { CONNECTORS, type ConectorTipo } from '@balcao/contract/connectors'
import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { enviarMidiaRoute } from '@balcao/contract/routes/midias'
import type { QueryClient } from '@tanstack/react-query'
import { upload } from '#shared/upload.ts'
import { enqueueSend } from './fila-de-envio.ts'
import { isPending, addPending, updatePending, removePending } from './pendentes.ts'
import { showSendFailure, storeSent } from './envio/send-result.ts'
import { quotePreview, newTemporaryId } from './envio/use-send.ts'

interface QueuedUpload {
  readonly conversaId: string
  readonly file: File
  readonly legenda: string
  readonly citada: Mensagem | null
  /** Object URL of the file, shown until the server has its own. */
  readonly url: string
}

export interface SendContext {
  readonly client: QueryClient
  readonly user: { readonly id: string; readonly nome: string }
}

const queuedUploads = new Map<string, QueuedUpload>()
addEventListener('saiu', () => {
  for (const [id, envelope] of queuedUploads) releaseUpload(id, envelope)
})

/** Returns why a file cannot be sent, or null. The server detects the real type from the bytes. */
export function uploadRefusal(file: File, conector: ConectorTipo | undefined): string | null {
  const accepted = conector === undefined ? null : CONNECTORS[conector].recordingFormats
  if (
    accepted?.some((format) => format.startsWith('audio/webm')) === false &&
    /^(audio|video)\/webm$/.test(file.type)
  ) {
    return `${file.name}: a API oficial do WhatsApp não aceita áudio em WebM. Envie em MP3, M4A ou OGG.`
  }
  if (file.size === 0) return `${file.name} está vazio.`
  return file.size > IMAGEM_MAXIMO_BYTES ? `${file.name} passa de 5 MB.` : null
}

export function midiaTypeOf({ type }: File): Midia['tipo'] {
  if (/^image\/(png|jpeg|webp)$/.test(type)) return 'imagem'
  return type.startsWith('audio/') || type === 'video/webm' ? 'audio' : 'documento'
}

export function uploadMidia(sender: SendContext, upload: Omit<QueuedUpload, 'url'>): Promise<void> {
  const id = newTemporaryId()
  const { conversaId, file, legenda, citada } = upload
  const envelope: QueuedUpload = { ...upload, url: URL.createObjectURL(file) }
  queuedUploads.set(id, envelope)
  const { name: nomeArquivo, type: mimeType, size: tamanhoBytes } = file
  addPending(conversaId, {
    id,
    texto: legenda,
    remetente: sender.user.nome,
    timestamp: new Date().toISOString(),
    tipo: 'enviada',
    ...quotePreview(citada),
    midia: { tipo: midiaTypeOf(file), url: envelope.url, nomeArquivo, mimeType, tamanhoBytes },
  })
  return enqueueUpload(sender, id, envelope)
}

function enqueueUpload(remetente: SendContext, id: string, envelope: QueuedUpload): Promise<void> {
  return enqueueSend(envelope.conversaId, () => tryUpload(remetente, id, envelope))
}

/** Retries with the same id, so the server stores the mensagem once. */
export async function retryUpload(sender: SendContext, id: string): Promise<void> {
  const envelope = queuedUploads.get(id)
  if (envelope === undefined) return
  updatePending(envelope.conversaId, id, { progress: 0 })
  await enqueueUpload(sender, id, envelope)
}

export function discardUpload(id: string): void {
  const envelope = queuedUploads.get(id)
  if (envelope === undefined) return
  removePending(envelope.conversaId, id)
  releaseUpload(id, envelope)
}

function releaseUpload(id: string, { url }: QueuedUpload): void {
  queuedUploads.delete(id)
  URL.revokeObjectURL(url)
}

async function tryUpload({ client, user }: SendContext, id: string, envelope: QueuedUpload): Promise<void> {
  const { conversaId, file, legenda, citada } = envelope
  // Discarded while queued.
  if (!isPending(conversaId, id)) return
  updatePending(conversaId, id, { progress: 0 })
  const form = new FormData()
  form.append('idTemporario', id)
  if (legenda !== '') form.append('legenda', legenda)
  if (citada !== null) form.append('citadaId', citada.id)
  form.append('arquivo', file)
  try {
    const onProgresso = (progresso: number): void => updatePending(conversaId, id, { progress: progresso })
    const { mensagem } = await upload(enviarMidiaRoute, { params: { id: conversaId }, form, onProgress: onProgresso })
    storeSent(client, conversaId, mensagem, user)
    removePending(conversaId, id)
    releaseUpload(id, envelope)
  } catch (erro) {
    // The socket confirmed it before the response was lost: it was sent.
    if (!isPending(conversaId, id)) return releaseUpload(id, envelope)
    updatePending(conversaId, id, { error: showSendFailure(client, erro, 'Erro ao enviar arquivo') })
  }
}
