import { describe, expect, it } from 'vitest'
import {
  type ChosenRows,
  fillRows,
  keepListed,
  NO_ROWS,
  toggleRange,
  toggleRow,
} from '#shared/selection/row-selection.ts'

const LISTED = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const ids = (rows: ChosenRows): string => [...rows.ids].toSorted().join('')

describe('Row selection', () => {
  it('chooses a range in both directions and takes it back from its end', () => {
    const down = toggleRange(toggleRow(NO_ROWS, 'b'), LISTED, 'd')
    expect(ids(down)).toBe('bcd')
    expect(ids(toggleRange(toggleRow(NO_ROWS, 'd'), LISTED, 'b'))).toBe('bcd')
    expect(ids(toggleRange(down, LISTED, 'c'))).toBe('b')
  })

  it('changes one row when the start of a range is unknown or left', () => {
    expect(ids(toggleRange(NO_ROWS, LISTED, 'd'))).toBe('d')
    const left = keepListed(toggleRow(toggleRow(NO_ROWS, 'e'), 'a'), LISTED.slice(1))
    expect(ids(toggleRange(left, LISTED.slice(1), 'c'))).toBe('ce')
  })

  it('fills up to a number and keeps the chosen rows', () => {
    expect(ids(fillRows(toggleRow(NO_ROWS, 'e'), LISTED, 3))).toBe('abe')
    expect(ids(fillRows(fillRows(NO_ROWS, LISTED, 5), LISTED, 3))).toBe('abcde')
  })

  it('returns the same value while every chosen row is listed', () => {
    const rows = toggleRow(NO_ROWS, 'c')
    expect(keepListed(rows, LISTED)).toBe(rows)
    expect(keepListed(rows, LISTED.slice(0, 2)).ids.size).toBe(0)
  })
})
