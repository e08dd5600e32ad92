import { useCallback, useRef } from 'react'

const CONTROL = 'input, select, textarea, button'

/**
 * Keeps the keyboard in a list whose rows come and go: the removed row takes its focused button along. `list` is the
 * `ref` of the list, whose children are the rows. `focusRow` runs after the next draw. Past the end it focuses the last
 * row, and without rows the first control behind the list.
 */
export function useRowFocus() {
  const element = useRef<HTMLElement | null>(null)
  const list = useCallback((found: HTMLElement | null): void => {
    element.current = found
  }, [])
  const focusRow = useCallback((index: number): void => {
    requestAnimationFrame(() => {
      const rows = element.current?.children ?? []
      const row = rows[Math.min(index, rows.length - 1)] ?? element.current?.nextElementSibling
      row?.querySelector<HTMLElement>(CONTROL)?.focus()
    })
  }, [])
  return { list, focusRow }
}
