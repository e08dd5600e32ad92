import { useMemo, useState } from 'react'
import { fillRows, keepListed, NO_ROWS, toggleRange, toggleRow } from './row-selection.ts'

export interface RowSelection {
  readonly ids: ReadonlySet<string>
  /** `range`: all rows from the last changed one to this one. */
  readonly toggle: (id: string, range: boolean) => void
  /** Adds listed rows until `max` are chosen. */
  readonly fill: (max: number) => void
  readonly drop: (ids: readonly string[]) => void
  readonly clear: () => void
}

/** Rows chosen for one act on many. A row that leaves the list leaves the selection. */
export function useRowSelection(listed: readonly { readonly id: string }[]): RowSelection {
  const [stored, setRows] = useState(NO_ROWS)
  const rows = useMemo(() => keepListed(stored, listed), [stored, listed])
  if (rows !== stored) setRows(rows)
  return {
    ids: rows.ids,
    toggle: (id, range) => setRows((now) => (range ? toggleRange(now, listed, id) : toggleRow(now, id))),
    fill: (max) => setRows((now) => fillRows(now, listed, max)),
    drop: (ids) =>
      setRows((now) =>
        keepListed(
          now,
          [...now.ids].flatMap((id) => (ids.includes(id) ? [] : [{ id }])),
        ),
      ),
    clear: () => setRows(NO_ROWS),
  }
}

/** The row with the focus. The list marks its rows with `data-linha`. */
export function focusedRowId(): string | null {
  return rowIdOf(document.activeElement)
}

export function rowIdOf(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest('[data-linha]')?.getAttribute('data-linha') ?? null) : null
}
