import * as z from 'zod/mini'

/** Longest text of a message that is stored, in UTF-16 units. */
export const TEXT_MAX = 65_536

/**
 * Removes NUL and lone surrogates, which PostgreSQL rejects, and cuts the text at `max` UTF-16 units. One bad message
 * must not fail a whole batch.
 */
export function cleanServiceText(value: string, max: number): string {
  return value.replaceAll('\0', '').slice(0, max).toWellFormed()
}

const UUID = z.uuid()

export const isUuid = (id: string): boolean => UUID.safeParse(id).success

/** Arguments of `translate`, which folds as `foldAccents`. Contain both cases, because `lower()` ignores accented letters under some collations. */
export const ACCENTS = [
  'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
  'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn',
] as const
