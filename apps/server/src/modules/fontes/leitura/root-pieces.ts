import type { SourcePiece } from '@balcao/engine/ia/knowledge/cut'
import { rootsOf } from '@balcao/engine/ia/knowledge/roots'

/** A piece as it is stored: with the roots of title, section and text. */
export interface RootedPiece extends SourcePiece {
  readonly roots: readonly string[]
}

export function rootPieces(titulo: string, pieces: readonly SourcePiece[]): RootedPiece[] {
  return pieces.map((piece) => ({ ...piece, roots: rootsOf(`${titulo}\n${piece.secao}\n${piece.texto}`) }))
}
