import { ARQUIVO_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Midia } from '@balcao/contract/entities/mensagem'

/** `accept` of file fields. The server checks the bytes; a browser checks only names. */
export const ACCEPTED_FILES =
  'image/png,image/jpeg,image/webp,audio/*,.opus,.pdf,.docx,.xlsx,.txt,.csv,application/pdf,text/plain,text/csv'

const TOO_LARGE_TEXT = 'Arquivo deve ter no máximo 5MB'
const NOT_ACCEPTED_TEXT =
  'Este tipo de arquivo não é aceito. Envie uma imagem (PNG, JPG ou WEBP), um áudio, um PDF, um documento do Word ou do Excel, ou um texto.'

/** Returns why a file cannot be sent, or null if the server may check it. */
export function fileRefusal({ size, type }: File): string | null {
  if (size > ARQUIVO_MAXIMO_BYTES) return TOO_LARGE_TEXT
  if (size === 0) return 'Este arquivo está vazio.'
  return /^(video|text\/html|image\/(svg|gif|hei[cf]))/.test(type) ? NOT_ACCEPTED_TEXT : null
}

/** Media of a message that is still being sent. The caller must revoke its object URL. */
export function midiaFromFile(file: File): Midia {
  const [geral] = file.type.split('/')
  return {
    tipo: geral === 'image' ? 'imagem' : geral === 'audio' ? 'audio' : 'documento',
    url: URL.createObjectURL(file),
    nomeArquivo: file.name,
    mimeType: file.type,
    tamanhoBytes: file.size,
  }
}
