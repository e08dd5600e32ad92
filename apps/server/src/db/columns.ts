import type { ColumnType, JSONColumnType } from 'kysely'

export type Carimbo = ColumnType<Date, Date | string | undefined, Date | string>
export type CarimboObrigatorio = ColumnType<Date, Date | string, Date | string>
export type CarimboNulo = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type Json = ColumnType<unknown, string, string>
export type JsonNulo = ColumnType<unknown, string | null | undefined, string | null>
export type ListaDeTextos = JSONColumnType<string[], string | undefined, string>
