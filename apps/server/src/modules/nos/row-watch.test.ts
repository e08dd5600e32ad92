import { describe, expect, it } from 'vitest'
import { RowWatch } from './row-watch.ts'

const node = (renewal: string) => ({ id: 'a', renewal, recado: 0, sessoes: 0, saindo: false })
const SECOND = 1_000

/** Reads the row each second and returns the second in which the node is overdue. */
function overdueAt(watch: RowWatch, renewalAt: (second: number) => string, until: number): number | null {
  for (let second = 0; second <= until; second += 1) {
    if (watch.overdue([node(renewalAt(second))], second * SECOND).length > 0) return second
  }
  return null
}

describe('RowWatch', () => {
  it('finds a node overdue 10 s after its last change', () => {
    expect(overdueAt(new RowWatch(), (second) => String(Math.min(second, 4)), 60)).toBe(14)
  })

  it('ignores the value of a row that changes, also when the time of the database moves', () => {
    const hour = (second: number): number => (second > 20 ? -3_600 : second > 10 ? 3_600 : 0)
    expect(overdueAt(new RowWatch(), (second) => String(second - (second % 2) + hour(second)), 60)).toBeNull()
  })

  it('begins again after a round that failed', () => {
    const watch = new RowWatch()
    expect(overdueAt(watch, () => 'old', 9)).toBeNull()
    watch.interrupted()
    const rounds = Array.from({ length: 11 }, (_, n) => watch.overdue([node('old')], (10 + n) * SECOND).length)
    expect(rounds).toEqual([...Array.from({ length: 10 }, () => 0), 1])
  })

  it('begins again after this process stood still', () => {
    const watch = new RowWatch()
    expect(watch.overdue([node('old')], 0)).toEqual([])
    expect(watch.overdue([node('old')], 30 * SECOND)).toEqual([])
    expect(watch.overdue([node('old')], 31 * SECOND)).toEqual([])
  })
})
