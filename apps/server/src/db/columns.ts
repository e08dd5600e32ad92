import type { ColumnType, JSONColumnType } from 'kysely'

export type TimestampColumn = ColumnType<Date, Date | string | undefined, Date | string>
export type RequiredTimestampColumn = ColumnType<Date, Date | string, Date | string>
export type NullableTimestampColumn = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type JsonColumn = ColumnType<unknown, string, string>
export type NullableJsonColumn = ColumnType<unknown, string | null | undefined, string | null>
export type TextListColumn = JSONColumnType<string[], string | undefined, string>
