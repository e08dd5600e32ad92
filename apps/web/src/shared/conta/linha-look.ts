import type { CorSetor } from '@balcao/contract/constants'
import { mayReadLinha, readerOf } from '@balcao/contract/conversa-access'
import type { Linha, LinhaDaConversa } from '@balcao/contract/entities/linha'
import { useCallback, useMemo } from 'react'
import { useUsuario } from '#shared/session.tsx'
import { useManyLinhas } from './linhas.ts'

/** Alone in the `linhas` of an operador: the last line that the operador served was deleted. Empty would mean all. */
const NO_LINHA_ID = '00000000-0000-0000-0000-000000000000'

export function servesNoLinha(linhas: readonly string[] = []): boolean {
  return linhas.length > 0 && linhas.every((id) => id === NO_LINHA_ID)
}

export interface LinhaLook extends Pick<LinhaDaConversa, 'nome' | 'conector'> {
  /** Absent: the line was deleted. */
  readonly cor?: CorSetor
}

/**
 * Returns undefined while the account has one line. A deleted line keeps the name that its conversas have. A line
 * always gives the same object, so that rows do not render again.
 */
export function useLinhaOf(): (linha: LinhaDaConversa | undefined) => LinhaLook | undefined {
  const linhas = useManyLinhas()
  const byId = useMemo(() => new Map<string, LinhaLook>(linhas.map((linha) => [linha.id, linha])), [linhas])
  return useCallback(
    (linha) => (linha === undefined || byId.size === 0 ? undefined : (byId.get(linha.id) ?? linha)),
    [byId],
  )
}

/** The lines whose conversas the person may read. Empty while there are fewer than two to choose from. */
export function useReadableLinhas(): readonly Linha[] {
  const reader = readerOf(useUsuario())
  const readable = useManyLinhas().filter(({ id }) => mayReadLinha(reader, id))
  return readable.length > 1 ? readable : []
}
