import { CornerDownLeft } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Theme } from '#shared/hooks/use-theme.ts'
import type { DashboardState } from '#features/dashboard/shell/use-dashboard-state.ts'
import { MarkedText } from '#shared/busca/marked-text.tsx'
import { useSearchAll } from '#shared/busca/use-search-all.ts'
import { canView } from '#features/dashboard/shell/tab-list.ts'
import { type Command, filterCommands } from './command.ts'
import { type CommandTargets, foundCommands, panelCommands } from './panel-commands.ts'

function CommandRow({ id, command, active, onChoose, onPoint }: CommandRowProps) {
  const { title, icon: Icon, keys, detail, marcas = [], group } = command
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // Focus stays in the search field (aria-activedescendant), so rows are not focusable.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys, see onKeyDown
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
      <Icon aria-hidden className="size-4.5 flex-none text-muted" />
      <span className="min-w-0">
        <span className="block truncate">{title}</span>
        {detail !== undefined && (
          <span className="block truncate text-xs font-normal text-muted">
            <MarkedText text={detail} marcas={marcas} />
          </span>
        )}
      </span>
      <span className="ml-auto flex items-center gap-2 text-xs font-normal text-muted">
        {detail !== undefined && <span className="max-sm:sr-only">{group}</span>}
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

function nextIndex(key: string, current: number, total: number): number | null {
  if (total === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % total
    case 'ArrowUp':
      return (current - 1 + total) % total
    case 'Home':
      return 0
    case 'End':
      return total - 1
    default:
      return null
  }
}

export interface PaletteProps {
  readonly painel: DashboardState
  readonly theme: Theme
  readonly targets: CommandTargets
  readonly onClose: () => void
}

export function Palette({ painel, theme, targets, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [search, setSearch] = useState('')
  const [index, setIndex] = useState(0)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const { found: results, loading, error } = useSearchAll(search, canView(painel.viewer, 'atendimento'))
  const found = [...filterCommands(panelCommands(painel, theme, targets), search), ...foundCommands(results, targets)]
  const chosen = found[index]

  function execute(command: Command): void {
    dialog.current?.close()
    command.run()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen !== undefined) execute(chosen)
      return
    }
    const fresh = nextIndex(event.key, index, found.length)
    if (fresh === null) return
    event.preventDefault()
    setIndex(fresh)
  }

  return (
    <dialog
      ref={dialog}
      aria-label="Buscar ou executar"
      className="mx-auto mt-[12dvh] mb-auto w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-2xl bg-surface p-0 text-ink shadow-pop backdrop:bg-black/45"
      onClose={onClose}
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
        placeholder="Cliente, mensagem, protocolo, produto, tela ou ação…"
        className="w-full border-b bg-transparent px-4 py-3.5 outline-none placeholder:text-muted"
        value={search}
        onChange={({ currentTarget }) => {
          setSearch(currentTarget.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <CommandList id={id} commands={found} active={index} onChoose={execute} onPoint={setIndex} />
      <SearchState search={search} found={found.length} loading={loading} failed={error !== null} />
    </dialog>
  )
}

interface SearchStateProps {
  readonly search: string
  readonly found: number
  readonly loading: boolean
  readonly failed: boolean
}

function SearchState({ search, found, loading, failed }: SearchStateProps) {
  const text = failed
    ? 'A busca não respondeu. As telas e as ações continuam aqui.'
    : loading
      ? 'Buscando…'
      : `Nada encontrado para “${search}”. Tente uma palavra só, como um nome, “tema” ou “ajuda”.`
  if (found > 0 && !failed && !loading) return null
  return (
    <p role="status" className="px-4 pt-1 pb-4 text-center text-sm text-muted">
      {text}
    </p>
  )
}

interface CommandListProps {
  readonly id: string
  readonly commands: readonly Command[]
  readonly active: number
  readonly onChoose: (command: Command) => void
  readonly onPoint: (index: number) => void
}

function CommandList({ id, commands, active, onChoose, onPoint }: CommandListProps) {
  return (
    <div id={`${id}-lista`} role="listbox" aria-label="Comandos" className="relative max-h-[50dvh] overflow-y-auto p-2">
      {commands.map((command, index) => (
        <CommandRow
          key={command.id}
          id={`${id}-${command.id}`}
          command={command}
          active={index === active}
          onChoose={() => onChoose(command)}
          onPoint={() => onPoint(index)}
        />
      ))}
    </div>
  )
}
