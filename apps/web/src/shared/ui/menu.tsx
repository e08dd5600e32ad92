import { useId, useRef, type ReactNode } from 'react'

export interface MenuItem {
  /** Needed where labels may be equal. */
  readonly id?: string
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly refusal?: string | undefined
  readonly run: () => void
}

export interface MenuProps {
  readonly label: string
  readonly button: ReactNode
  readonly items: readonly MenuItem[]
  readonly className?: string
}

export function focusItem(list: HTMLElement | null, step: number): void {
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const current = buttons.findIndex((item) => item === document.activeElement)
  buttons[(current + step + buttons.length) % buttons.length]?.focus()
}

export const MENU_CLASS = 'fixed m-0 min-w-48 rounded-xl border border-line bg-surface p-1 text-ink shadow-pop'

function placePanel(panel: HTMLElement, source: DOMRect): void {
  const width = panel.offsetWidth
  const left = Math.min(Math.max(8, source.right - width), innerWidth - width - 8)
  const fitsBelow = source.bottom + panel.offsetHeight + 8 < innerHeight
  panel.style.left = `${left}px`
  panel.style.top = `${fitsBelow ? source.bottom + 4 : Math.max(8, source.top - panel.offsetHeight - 4)}px`
  panel.querySelector('button')?.focus()
}

export function MenuEntry({ item, onRun }: { item: MenuItem; onRun: () => void }) {
  const { label, icon, danger = false, refusal } = item
  const refused = refusal !== undefined
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={refused}
      className={`flex min-h-11 w-full lg:min-h-10 items-center gap-3 rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken ${danger ? 'text-danger-ink' : ''}`}
      onClick={refused ? undefined : onRun}
    >
      {icon}
      {refused ? (
        <span className="text-muted">
          <s>{label}</s>
          <span className="block font-normal">{refusal}</span>
        </span>
      ) : (
        label
      )}
    </button>
  )
}

export function Menu({ label, button, items, className = 'btn btn-outline' }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        className={className}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open' && trigger.current !== null)
            placePanel(currentTarget, trigger.current.getBoundingClientRect())
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          focusItem(list.current, event.key === 'ArrowDown' ? 1 : -1)
        }}
        className={MENU_CLASS}
      >
        {items.map((item) => (
          <MenuEntry
            key={item.id ?? item.label}
            item={item}
            onRun={() => {
              list.current?.hidePopover()
              trigger.current?.focus()
              item.run()
            }}
          />
        ))}
      </div>
    </>
  )
}
