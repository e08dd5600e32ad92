import type { Conversa } from '@balcao/contract/entities/conversa'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { focusedRowId, rowIdOf, type RowSelection } from '#shared/selection/use-row-selection.ts'

export function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(id)}"]`)?.focus()
}

/** Moves between rows and chooses them by keyboard. Without a focused row the open one counts. */
export function useRowKeys(conversas: readonly Conversa[], openId: string | undefined, rows: RowSelection) {
  const [focused, setFocused] = useState<string | null>(null)
  const requested = useRef<string | null>(null)
  const currentId = (): string | undefined => focusedRowId() ?? openId
  const advance = (step: number): string | undefined => {
    const current = currentId()
    const index = conversas.findIndex(({ id }) => id === current)
    const destination = conversas[index < 0 ? 0 : Math.min(conversas.length - 1, Math.max(0, index + step))]
    if (destination === undefined) return undefined
    requested.current = destination.id
    setFocused(destination.id)
    focusRow(destination.id)
    return destination.id
  }
  const choose = (id: string | undefined): void => {
    if (id !== undefined && !rows.ids.has(id)) rows.toggle(id, false)
  }
  const extend = (step: number): void => {
    choose(currentId())
    choose(advance(step))
  }
  useHotkeys({
    j: () => advance(1),
    k: () => advance(-1),
    'Shift+j': () => extend(1),
    'Shift+k': () => extend(-1),
    x: () => {
      const current = currentId()
      if (conversas.some(({ id }) => id === current) && current !== undefined) rows.toggle(current, false)
    },
  })
  useEffect(() => {
    if (requested.current === focused && focused !== null) focusRow(focused)
    requested.current = null
  }, [focused])
  return { focused, setFocused }
}

/** A click with Shift chooses a range. On a phone a tap chooses too, once a row is chosen. */
export function chooseByClick(rows: RowSelection, phone: boolean) {
  const takes = ({ target, shiftKey }: MouseEvent): boolean =>
    target instanceof Element && target.closest('a') !== null && (shiftKey || (phone && rows.ids.size > 0))
  return {
    // The browser would select the text between the clicks.
    onMouseDown: (event: MouseEvent): void => {
      if (event.shiftKey) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent): void => {
      const id = rowIdOf(event.target)
      if (id === null || !takes(event)) return
      event.preventDefault()
      event.stopPropagation()
      rows.toggle(id, event.shiftKey)
    },
  }
}
