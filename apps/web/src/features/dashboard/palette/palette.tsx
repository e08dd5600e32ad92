import { CornerDownLeft } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { filterCommands, type Command, panelCommands } from './panel-commands.ts'

function CommandRow({ id, command, active, onChoose, onPoint }: CommandRowProps) {
  const { title, icon: Icone, keys } = command
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // Focus stays in the search field (aria-activedescendant), so rows are not focusable.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the field's, see onTecla
    <div
      ref={ref}
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={active}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm font-semibold aria-selected:bg-brand-soft aria-selected:text-brand-ink"
      onClick={onChoose}
      onPointerMove={onPoint}
    >
      <Icone aria-hidden className="size-4.5 flex-none text-muted" />
      <span className="min-w-0 truncate">{title}</span>
      <span className="ml-auto flex items-center gap-2 text-xs font-normal text-muted">
        {keys !== undefined && <kbd className="font-mono">{keys}</kbd>}
        {active && <CornerDownLeft aria-hidden className="size-3.5" />}
      </span>
    </div>
  )
}

interface CommandRowProps {
  readonly id: string
  readonly command: Command
  readonly active: boolean
  readonly onChoose: () => void
  readonly onPoint: () => void
}

function nextIndex(tecla: string, atual: number, total: number): number | null {
  if (total === 0) return null
  switch (tecla) {
    case 'ArrowDown':
      return (atual + 1) % total
    case 'ArrowUp':
      return (atual - 1 + total) % total
    case 'Home':
      return 0
    case 'End':
      return total - 1
    default:
      return null
  }
}

export function Palette({ comandos, onFechar }: { comandos: readonly Command[]; onFechar: () => void }) {
  const dialogo = useRef<HTMLDialogElement>(null)
  const [search, setBusca] = useState('')
  const [index, setIndice] = useState(0)
  const id = useId()
  useEffect(() => {
    dialogo.current?.showModal()
  }, [])
  const found = filterCommands(comandos, search)
  const chosen = found[index]

  function execute(comando: Command): void {
    dialogo.current?.close()
    comando.run()
  }

  function onTecla(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen !== undefined) execute(chosen)
      return
    }
    const fresh = nextIndex(event.key, index, found.length)
    if (fresh === null) return
    event.preventDefault()
    setIndice(fresh)
  }

  return (
    <dialog
      ref={dialogo}
      aria-label="Buscar ou executar"
      className="mx-auto mt-[12dvh] mb-auto w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-2xl bg-surface p-0 text-ink shadow-pop backdrop:bg-black/45"
      onClose={onFechar}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <input
        autoFocus
        type="text"
        role="combobox"
        aria-label="Buscar ou executar"
        aria-expanded
        aria-controls={`${id}-lista`}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Ir para uma aba ou executar uma ação…"
        className="w-full border-b bg-transparent px-4 py-3.5 outline-none placeholder:text-muted"
        value={search}
        onChange={({ currentTarget }) => {
          setBusca(currentTarget.value)
          setIndice(0)
        }}
        onKeyDown={onTecla}
      />
      <div
        id={`${id}-lista`}
        role="listbox"
        aria-label="Comandos"
        className="relative max-h-[50dvh] overflow-y-auto p-2"
      >
        {found.map((comando, position) => (
          <CommandRow
            key={comando.id}
            id={`${id}-${comando.id}`}
            command={comando}
            active={position === index}
            onChoose={() => execute(comando)}
            onPoint={() => setIndice(position)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-4 pb-6 text-center text-sm text-muted">
          Nada encontrado para “{search}”. Tente uma palavra só, como “tema” ou “ajuda”.
        </p>
      )}
    </dialog>
  )
}

type PaletteInput = Parameters<typeof panelCommands>

interface PanelPaletteProps {
  readonly painel: PaletteInput[0]
  readonly theme: PaletteInput[1]
  readonly targets: PaletteInput[2]
  readonly onClose: () => void
}

export function PanelPalette({ painel, theme, targets, onClose }: PanelPaletteProps) {
  return <Palette comandos={panelCommands(painel, theme, targets)} onFechar={onClose} />
}
