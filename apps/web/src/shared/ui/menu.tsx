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
  const walk = (passo: number): void => {
    const botoes = [...(lista.current?.querySelectorAll('button') ?? [])]
    const atual = botoes.findIndex((item) => item === document.activeElement)
    botoes[(atual + passo + botoes.length) % botoes.length]?.focus()
  }
  const place = (aberto: boolean): void => {
    const painel = lista.current
    const origem = gatilho.current?.getBoundingClientRect()
    if (!aberto || painel === null || origem === undefined) return
    const largura = painel.offsetWidth
    const esquerda = Math.min(Math.max(8, origem.right - largura), innerWidth - largura - 8)
    const cabeEmbaixo = origem.bottom + painel.offsetHeight + 8 < innerHeight
    painel.style.left = `${esquerda}px`
    painel.style.top = `${cabeEmbaixo ? origem.bottom + 4 : Math.max(8, origem.top - painel.offsetHeight - 4)}px`
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
        onKeyDown={(evento) => {
          if (evento.key !== 'ArrowDown' && evento.key !== 'ArrowUp') return
          evento.preventDefault()
          walk(evento.key === 'ArrowDown' ? 1 : -1)
        }}
        className="fixed m-0 min-w-48 rounded-xl border border-line bg-surface p-1 text-ink shadow-pop"
      >
        {items.map(({ label: texto, icon, danger = false, run }) => (
          <button
            key={texto}
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
            {texto}
          </button>
        ))}
      </div>
    </>
  )
}
