import type { Midia } from '@balcao/contract/entities/mensagem'

/** Box per kind of media, reserved before it loads, so that the chat does not jump. */
export function mediaBoxClass({ tipo, url }: Midia): string {
  if (url === undefined) return 'min-h-6'
  switch (tipo) {
    case 'imagem':
      return 'mb-1 aspect-[4/3] w-64 max-w-full'
    case 'figurinha':
      return 'mb-1 size-36'
    case 'audio':
      return 'mb-1 h-14 w-64 max-w-full'
    case 'video':
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return 'mb-1 min-h-14 w-64 max-w-full'
  }
}
