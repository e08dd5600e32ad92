import { ListFilter, Search, X } from 'lucide-react'
import { lazy, memo, type RefObject } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { isNarrowed, NO_CONVERSA_FILTER, type ConversaListFilter } from '#features/atendimento/lista/filters.ts'
import type { FilterPanelProps } from './setor-cards.tsx'
import { ViewTabs, type ViewTabsProps } from './view-tabs.tsx'

const FilterPanel = lazy(async () => ({ default: (await import('./filter-panel.tsx')).FilterPanel }))

export interface FilterBarProps extends ViewTabsProps, Pick<FilterPanelProps, 'conversas' | 'hasMore'> {
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly open: boolean
  readonly onToggle: () => void
}

function SearchField({ filter, onChange, inputRef }: Pick<FilterBarProps, 'filter' | 'onChange' | 'inputRef'>) {
  return (
    <label className="relative block min-w-0 flex-1">
      <span className="sr-only">Buscar por nome, telefone ou @nome</span>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <input
        ref={inputRef}
        type="search"
        className="field pl-9"
        placeholder="Nome, telefone ou @nome"
        autoComplete="off"
        value={filter.busca}
        onChange={({ currentTarget }) => onChange({ ...filter, busca: currentTarget.value })}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape' && filter.busca === '') currentTarget.blur()
        }}
      />
    </label>
  )
}

interface FiltersButtonProps {
  readonly active: boolean
  readonly open: boolean
  readonly onToggle: () => void
  /** On a phone the same button also shows the search and the acts of the list. */
  readonly phone?: boolean
}

function FiltersButton({ active, open, onToggle, phone = false }: FiltersButtonProps) {
  const name = phone ? 'Buscar e filtrar' : 'Filtros'
  const Icon = phone ? Search : ListFilter
  return (
    <IconButton
      label={active ? `${name} (em uso)` : name}
      size="touch"
      aria-expanded={open}
      className={`aria-expanded:bg-brand-soft aria-expanded:text-brand-ink ${phone ? 'lg:hidden' : 'max-lg:hidden'}`}
      icon={
        <span className="relative">
          <Icon size={18} aria-hidden />
          {active && <span aria-hidden className="absolute -top-1 -right-1 size-2 rounded-full bg-brand" />}
        </span>
      }
      onClick={onToggle}
    />
  )
}

function ActiveFilters({ onClear }: { readonly onClear: () => void }) {
  return (
    <p className="flex items-center justify-between bg-info-soft px-3 text-xs font-semibold text-info-ink">
      Lista filtrada
      <button type="button" className="flex min-h-8 items-center gap-1 underline" onClick={onClear}>
        <X aria-hidden className="size-3.5" /> Tirar filtros
      </button>
    </p>
  )
}

/** One band on a phone and two on a computer. Filters open below them. */
export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  const { filter, contagens, onChange, inputRef, open, onToggle, conversas, hasMore } = props
  const narrowed = isNarrowed(filter)
  const active = narrowed || filter.busca.trim() !== ''
  const clear = (): void => onChange({ ...NO_CONVERSA_FILTER, busca: filter.busca, visao: viewOf(filter) })
  return (
    <div className="border-b">
      <div className={`flex items-center gap-1 px-2 pt-1.5 ${open ? '' : 'max-lg:hidden'}`}>
        <SearchField {...{ filter, onChange, inputRef }} />
        <FiltersButton {...{ active: narrowed, open, onToggle }} />
      </div>
      {open && (
        <LazyPart name="os filtros">
          <FilterPanel {...{ filter, onChange, conversas, hasMore }} />
        </LazyPart>
      )}
      <div className="flex items-center">
        <ViewTabs {...{ filter, contagens, onChange }} />
        <FiltersButton {...{ active, open, onToggle }} phone />
      </div>
      {narrowed && !open && <ActiveFilters onClear={clear} />}
    </div>
  )
})

const viewOf = ({ visao }: ConversaListFilter): ConversaListFilter['visao'] =>
  visao === 'semResposta' ? 'todas' : visao
