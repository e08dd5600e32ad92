import * as z from 'zod/mini'
import { AppError } from '#errors.ts'

/** One page of a list ordered by descending time-ordered id. The cursor is the last id shown. */
export interface Page {
  readonly limite: number
  readonly antesDe: string | null
}

const cursorSchema = z.uuid()

/** What a list route was asked for. Throws `dadosInvalidos` for a cursor that is not one of ours. */
export function pageOf(
  query: { readonly limite?: number | undefined; readonly cursor?: string | undefined },
  limitePadrao: number,
): Page {
  const { limite = limitePadrao, cursor } = query
  if (cursor !== undefined && !cursorSchema.safeParse(cursor).success) throw new AppError('dadosInvalidos')
  return { limite, antesDe: cursor ?? null }
}

/** Repositories read one row more than asked for: its presence says that there is a next page. */
export function cutPage<T extends { readonly id: string }>(
  lidos: readonly T[],
  { limite }: Page,
): { itens: T[]; proximoCursor?: string } {
  const itens = lidos.slice(0, limite)
  const ultimo = itens.at(-1)
  return lidos.length > limite && ultimo !== undefined ? { itens, proximoCursor: ultimo.id } : { itens }
}
