import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'

/** `accept` of file fields. The server checks the bytes; a browser checks only names. */
export const ACEITOS =
  'image/png,image/jpeg,image/webp,audio/*,.opus,.pdf,.docx,.xlsx,.txt,.csv,application/pdf,text/plain,text/csv'

const GRANDE = 'Arquivo deve ter no máximo 5MB'
const NAO_ACEITO =
  'Este tipo de arquivo não é aceito. Envie uma imagem (PNG, JPG ou WEBP), um áudio, um PDF, um documento do Word ou do Excel, ou um texto.'

/** Returns why a file cannot be sent, or null if the server may check it. */
export function recusaDoArquivo({ size, type }: File): string | null {
  if (size > ARQUIVO_MAXIMO_BYTES) return GRANDE
  if (size === 0) return 'Este arquivo está vazio.'
  return /^(video|text\/html|image\/(svg|gif|hei[cf]))/.test(type) ? NAO_ACEITO : null
}

/** Media of a message that is still being sent. The caller must revoke its object URL. */
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
