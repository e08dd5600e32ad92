import type { Usuario } from '#entities/usuario.ts'
/** The setor of conversas that no other setor takes. It cannot be removed. */
export const SETOR_GERAL = 'geral'

export interface ConversaReader {
  readonly usuarioId: string
  readonly setores: readonly string[]
}

export interface ConversaAccess {
  readonly setor?: string | null | undefined
  readonly status: string
  readonly operadorId?: string | null | undefined
}

/** True if the reader is kept to some setores. */
export function isRestricted({ setores }: Pick<ConversaReader, 'setores'>): boolean {
  return setores.length > 0
}

export function mayReadSetor({ setores }: Pick<ConversaReader, 'setores'>, setor: string | null | undefined): boolean {
  return setores.length === 0 || (setor ?? SETOR_GERAL) === SETOR_GERAL || setores.includes(setor ?? SETOR_GERAL)
}

/** True if the reader may read and answer the conversa: by its setor, or because the reader serves it now. */
export function mayReadConversa(reader: ConversaReader, { setor, status, operadorId }: ConversaAccess): boolean {
  return mayReadSetor(reader, setor) || (status === 'em_atendimento' && operadorId === reader.usuarioId)
}

/** The usuario as a reader of conversas. Only operadores have setores. */
export function readerOf({ id, setores = [] }: Pick<Usuario, 'id' | 'setores'>): ConversaReader {
  return { usuarioId: id, setores }
}
