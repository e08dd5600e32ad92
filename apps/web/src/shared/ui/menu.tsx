import { useId, useRef, type ReactNode } from 'react'

export interface MenuItem {
  readonly label: string
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly run: () => void
}

export interface MenuProps {
  readonly label: string
  readonly button: ReactNode
  readonly items: readonly MenuItem[]
  readonly className?: string
}

export function Menu({ label, button: botao, items, className = 'btn btn-outline' }: MenuProps) {
  const id = useId()
  const lista = useRef<HTMLDivElement>(null)
  const gatilho = useRef<HTMLButtonElement>(null)
  const walk = (step: number): void => {
    const buttons = [...(lista.current?.querySelectorAll('button') ?? [])]
    const atual = buttons.findIndex((item) => item === document.activeElement)
    buttons[(atual + step + buttons.length) % buttons.length]?.focus()
  }
  const place = (open: boolean): void => {
    const painel = lista.current
    const source = gatilho.current?.getBoundingClientRect()
    if (!open || painel === null || source === undefined) return
    const width = painel.offsetWidth
    const esquerda = Math.min(Math.max(8, source.right - width), innerWidth - width - 8)
    const cabeEmbaixo = source.bottom + painel.offsetHeight + 8 < innerHeight
    painel.style.left = `${esquerda}px`
    painel.style.top = `${cabeEmbaixo ? source.bottom + 4 : Math.max(8, source.top - painel.offsetHeight - 4)}px`
    painel.querySelector('button')?.focus()
  }
  return (
    <>
      <button
        ref={gatilho}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        popoverTarget={id}
        className={className}
      >
        {botao}
      </button>
      <div
        ref={lista}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={({ newState }) => place(newState === 'open')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          walk(event.key === 'ArrowDown' ? 1 : -1)
        }}
        className="fixed m-0 min-w-48 rounded-xl border border-line bg-surface p-1 text-ink shadow-pop"
      >
        {items.map(({ label: text, icon, danger = false, run }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={`flex min-h-10 w-full items-center gap-3 rounded-lg px-3 text-left text-sm font-semibold hover:bg-sunken ${danger ? 'text-danger-ink' : ''}`}
            onClick={() => {
              lista.current?.hidePopover()
              gatilho.current?.focus()
              run()
            }}
          >
            {icon}
            {text}
          </button>
        ))}
      </div>
    </>
  )
}
