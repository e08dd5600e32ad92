import { type ConectorTipo, IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { enviarMidiaRoute } from '@balcao/contract/routes/midias'
import type { QueryClient } from '@tanstack/react-query'
import { upload } from '#shared/upload.ts'
import { naVez } from './fila-de-envio.ts'
import { espera, incluirPendente, mudarPendente, retirarPendente } from './pendentes.ts'
import { contarFalha, receberEnviada } from './receber.ts'
import { citadaDe, novoIdTemporario } from './use-envio.ts'

interface Envelope {
  readonly conversaId: string
  readonly arquivo: File
  readonly legenda: string
  readonly citada: Mensagem | null
  /** Object URL of the file, shown until the server has its own. */
  readonly url: string
}

export interface Remetente {
  readonly cliente: QueryClient
  readonly quem: { readonly id: string; readonly nome: string }
}

const envelopes = new Map<string, Envelope>()
addEventListener('saiu', () => {
  for (const [id, envelope] of envelopes) soltar(id, envelope)
})

/** Returns why a file cannot be sent, or null. The server detects the real type from the bytes. */
export function recusaDo(arquivo: File, conector: ConectorTipo | undefined): string | null {
  if (conector === 'oficial' && /^(audio|video)\/webm$/.test(arquivo.type)) {
    return `${arquivo.name}: a API oficial do WhatsApp não aceita áudio em WebM. Envie em MP3, M4A ou OGG.`
  }
  if (arquivo.size === 0) return `${arquivo.name} está vazio.`
  return arquivo.size > IMAGEM_MAXIMO_BYTES ? `${arquivo.name} passa de 5 MB.` : null
}

export function tipoDo({ type }: File): Midia['tipo'] {
  if (/^image\/(png|jpeg|webp)$/.test(type)) return 'imagem'
  return type.startsWith('audio/') || type === 'video/webm' ? 'audio' : 'documento'
}

export function enviarMidia(remetente: Remetente, carta: Omit<Envelope, 'url'>): Promise<void> {
  const id = novoIdTemporario()
  const { conversaId, arquivo, legenda, citada } = carta
  const envelope: Envelope = { ...carta, url: URL.createObjectURL(arquivo) }
  envelopes.set(id, envelope)
  const { name: nomeArquivo, type: mimeType, size: tamanhoBytes } = arquivo
  incluirPendente(conversaId, {
    id,
    texto: legenda,
    remetente: remetente.quem.nome,
    timestamp: new Date().toISOString(),
    tipo: 'enviada',
    ...citadaDe(citada),
    midia: { tipo: tipoDo(arquivo), url: envelope.url, nomeArquivo, mimeType, tamanhoBytes },
  })
  return enfileirar(remetente, id, envelope)
}

function enfileirar(remetente: Remetente, id: string, envelope: Envelope): Promise<void> {
  return naVez(envelope.conversaId, () => tentar(remetente, id, envelope))
}

/** Retries with the same id, so the server stores the mensagem once. */
export async function tentarDeNovo(remetente: Remetente, id: string): Promise<void> {
  const envelope = envelopes.get(id)
  if (envelope === undefined) return
  mudarPendente(envelope.conversaId, id, { progresso: 0 })
  await enfileirar(remetente, id, envelope)
}

export function descartar(id: string): void {
  const envelope = envelopes.get(id)
  if (envelope === undefined) return
  retirarPendente(envelope.conversaId, id)
  soltar(id, envelope)
}

function soltar(id: string, { url }: Envelope): void {
  envelopes.delete(id)
  URL.revokeObjectURL(url)
}

async function tentar({ cliente, quem }: Remetente, id: string, envelope: Envelope): Promise<void> {
  const { conversaId, arquivo, legenda, citada } = envelope
  // Discarded while queued.
  if (!espera(conversaId, id)) return
  mudarPendente(conversaId, id, { progresso: 0 })
  const form = new FormData()
  form.append('idTemporario', id)
  if (legenda !== '') form.append('legenda', legenda)
  if (citada !== null) form.append('citadaId', citada.id)
  form.append('arquivo', arquivo)
  try {
    const onProgresso = (progresso: number): void => mudarPendente(conversaId, id, { progresso })
    const { mensagem } = await upload(enviarMidiaRoute, { params: { id: conversaId }, form, onProgresso })
    receberEnviada(cliente, conversaId, mensagem, quem)
    retirarPendente(conversaId, id)
    soltar(id, envelope)
  } catch (erro) {
    // The socket confirmed it before the response was lost: it was sent.
    if (!espera(conversaId, id)) return soltar(id, envelope)
    mudarPendente(conversaId, id, { erro: contarFalha(cliente, erro, 'Erro ao enviar arquivo') })
  }
}
