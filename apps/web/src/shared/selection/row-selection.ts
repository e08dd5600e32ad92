/** The rows that a person chose in a list. `anchor` is the row where the next range begins. */
export interface ChosenRows {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

type Listed = readonly { readonly id: string }[]

export const NO_ROWS: ChosenRows = { ids: new Set(), anchor: null }

function withRows({ ids }: ChosenRows, rows: Listed, chosen: boolean, anchor: string): ChosenRows {
  const changed = new Set(ids)
  for (const { id } of rows) {
    if (chosen) changed.add(id)
    else changed.delete(id)
  }
  return { ids: changed, anchor }
}

export function toggleRow(rows: ChosenRows, id: string): ChosenRows {
  return withRows(rows, [{ id }], !rows.ids.has(id), id)
}

/** Gives all rows between the anchor and this one the new state of this one. Without an anchor it changes one row. */
export function toggleRange(rows: ChosenRows, listed: Listed, id: string): ChosenRows {
  const start = listed.findIndex((row) => row.id === rows.anchor)
  const end = listed.findIndex((row) => row.id === id)
  if (start < 0 || end < 0) return toggleRow(rows, id)
  const between = listed.slice(Math.min(start, end), Math.max(start, end) + 1)
  return withRows(rows, between, !rows.ids.has(id), id)
}

/** Adds the first listed rows until `max` rows are chosen. */
export function fillRows({ ids, anchor }: ChosenRows, listed: Listed, max: number): ChosenRows {
  const missing = listed.filter(({ id }) => !ids.has(id)).slice(0, Math.max(0, max - ids.size))
  return { ids: new Set([...ids, ...missing.map(({ id }) => id)]), anchor }
}

/** Drops the rows that left the list. Returns the same value when all are listed. */
export function keepListed(rows: ChosenRows, listed: Listed): ChosenRows {
  if (rows.ids.size === 0) return rows
  const kept = new Set(listed.flatMap(({ id }) => (rows.ids.has(id) ? [id] : [])))
  return kept.size === rows.ids.size ? rows : { ids: kept, anchor: rows.anchor }
}
