import { X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { RowSelection } from './use-row-selection.ts'

interface SelectionFrameProps {
  readonly rows: RowSelection
  /** The noun of the rows with its participle: 'conversas selecionadas'. */
  readonly label: string
  readonly count: string
  readonly max: number
  readonly listed: number
  readonly all: string
  readonly className: string
  readonly children: ReactNode
}

/** The bar leaves with the last chosen row. A focus inside it goes to the list. */
function useReturnFocus() {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const held = bar.current
    return () => {
      if (held?.contains(document.activeElement) !== true) return
      // An open dialog of the bar still blocks the list.
      requestAnimationFrame(() => {
        const row = document.querySelector<HTMLElement>('[data-linha] a, [data-linha] button')
        if (document.activeElement === document.body) row?.focus({ preventScroll: true })
      })
    }
  }, [])
  return bar
}

/** Acts on the chosen rows, in place of the bar above the list. */
export function SelectionFrame({ rows, label, count, max, listed, all, className, children }: SelectionFrameProps) {
  const bar = useReturnFocus()
  const size = rows.ids.size
  return (
    <div ref={bar} role="group" aria-label={label} className={className}>
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-label="Limpar seleção"
          className="grid size-9 flex-none place-items-center rounded-lg hover:bg-sunken"
          onClick={rows.clear}
        >
          <X size={18} aria-hidden />
        </button>
        <b className="min-w-0 flex-1 truncate text-sm tabular-nums">
          {size} {count}
        </b>
        <button
          type="button"
          className="min-h-9 flex-none rounded-lg px-2 text-sm font-semibold hover:bg-sunken"
          onClick={() => rows.fill(max)}
        >
          {all}
        </button>
      </div>
      {size > max ? (
        <p role="alert" className="px-3 pb-1 text-sm font-semibold text-warn-ink">
          O máximo é {max} de uma vez. Tire {size - max} da seleção.
        </p>
      ) : (
        size === max && listed > max && <p className="px-3 pb-1 text-sm text-muted">O máximo é {max} de uma vez.</p>
      )}
      {children}
    </div>
  )
}
