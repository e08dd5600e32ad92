import type { ColumnType, JSONColumnType } from 'kysely'

/** How columns read and write, by kind. */

export type Carimbo = ColumnType<Date, Date | string | undefined, Date | string>
export type CarimboObrigatorio = ColumnType<Date, Date | string, Date | string>
export type CarimboNulo = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** JSON comes back parsed, of a shape that only its schema knows; it goes in as text. */
export type Json = ColumnType<unknown, string, string>
export type JsonNulo = ColumnType<unknown, string | null | undefined, string | null>
export type ListaDeTextos = JSONColumnType<string[], string | undefined, string>
