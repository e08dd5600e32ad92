import type { Usuario } from '#entities/usuario.ts'
/** The setor of conversas that no other setor takes. It cannot be removed. */
export const SETOR_GERAL = 'geral'

/** The setores and lines whose conversas a person may read. An empty list: all. */
export interface ReadableParts {
  readonly setores: readonly string[]
  readonly linhas: readonly string[]
}

export interface ConversaReader extends ReadableParts {
  readonly usuarioId: string
}

export interface ConversaAccess {
  readonly setor?: string | null | undefined
  readonly status: string
  readonly operadorId?: string | null | undefined
  /** Absent with `linha`. Without both only people of all lines may read the conversa. */
  readonly linhaId?: string | undefined
  readonly linha?: { readonly id: string } | undefined
}

/** True if the reader is kept to some setores or lines. */
export function isRestricted({ setores, linhas }: ReadableParts): boolean {
  return setores.length > 0 || linhas.length > 0
}

export function mayReadSetor({ setores }: Pick<ReadableParts, 'setores'>, setor: string | null | undefined): boolean {
  return setores.length === 0 || (setor ?? SETOR_GERAL) === SETOR_GERAL || setores.includes(setor ?? SETOR_GERAL)
}

export function mayReadLinha({ linhas }: Pick<ReadableParts, 'linhas'>, linhaId: string | undefined): boolean {
  return linhas.length === 0 || (linhaId !== undefined && linhas.includes(linhaId))
}

/** True if both the setor and the line of the conversa are the reader's. */
export function mayReadQueue(
  reader: ReadableParts,
  { setor, linhaId, linha }: Omit<ConversaAccess, 'status'>,
): boolean {
  return mayReadSetor(reader, setor) && mayReadLinha(reader, linhaId ?? linha?.id)
}

/** True if the reader may read and answer the conversa: by setor and line, or because the reader serves it now. */
export function mayReadConversa(reader: ConversaReader, conversa: ConversaAccess): boolean {
  const { status, operadorId } = conversa
  return mayReadQueue(reader, conversa) || (status === 'em_atendimento' && operadorId === reader.usuarioId)
}

/** The usuario as a reader of conversas. Only operadores have setores and lines. */
export function readerOf({
  id,
  setores = [],
  linhas = [],
}: Pick<Usuario, 'id' | 'setores' | 'linhas'>): ConversaReader {
  return { usuarioId: id, setores, linhas }
}
