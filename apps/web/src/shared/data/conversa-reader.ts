import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Usuario } from '@balcao/contract/entities/usuario'

/** The usuario as a reader of conversas. Only operadores have setores. */
export function readerOf({ id, setores = [] }: Usuario): ConversaReader {
  return { usuarioId: id, setores }
}
