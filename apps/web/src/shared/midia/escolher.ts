import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'

/** For the `accept` of a file field: what the server lets in. It looks at the bytes, a browser only at names. */
export const ACEITOS =
  'image/png,image/jpeg,image/webp,audio/*,.opus,.pdf,.docx,.xlsx,.txt,.csv,application/pdf,text/plain,text/csv'

const GRANDE = 'Arquivo deve ter no máximo 5MB'
const NAO_ACEITO =
  'Este tipo de arquivo não é aceito. Envie uma imagem (PNG, JPG ou WEBP), um áudio, um PDF, um documento do Word ou do Excel, ou um texto.'

/** Why a file need not even be sent, in words; null when the server may look at it. */
export function recusaDoArquivo({ size, type }: File): string | null {
  if (size > ARQUIVO_MAXIMO_BYTES) return GRANDE
  if (size === 0) return 'Este arquivo está vazio.'
  return /^(video|text\/html|image\/(svg|gif|hei[cf]))/.test(type) ? NAO_ACEITO : null
}

/** The file as a message carries it while it is still on its way. Revoke the address when it is shown no more. */
export function midiaDoArquivo(arquivo: File): Midia {
  const [geral] = arquivo.type.split('/')
  return {
    tipo: geral === 'image' ? 'imagem' : geral === 'audio' ? 'audio' : 'documento',
    url: URL.createObjectURL(arquivo),
    nomeArquivo: arquivo.name,
    mimeType: arquivo.type,
    tamanhoBytes: arquivo.size,
  }
}
