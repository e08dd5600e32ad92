import type { ConversaReader } from '@balcao/contract/conversa-access'
import { ListFilter, Search } from 'lucide-react'
import { lazy, memo, type RefObject, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import type { ConversaListFilter, ConversaStatusFilter } from '#features/atendimento/lista/filters.ts'

const MoreFilters = lazy(async () => ({ default: (await import('./more-filters.tsx')).MoreFilters }))

const STATUS_FILTERS: readonly { readonly status: ConversaStatusFilter; readonly label: string }[] = [
  { status: 'todos', label: 'Todas' },
  { status: 'aguardando', label: 'Aguardando' },
  { status: 'em_atendimento', label: 'Em atendimento' },
  { status: 'finalizada', label: 'Finalizadas' },
  { status: 'bot', label: 'Com o bot' },
]

const PILL_CLASS =
  'min-h-11 flex-none rounded-full border px-3 text-sm lg:min-h-7 lg:px-2 lg:text-xs font-semibold text-muted hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink'

export interface FilterBarProps {
  readonly filter: ConversaListFilter
  readonly onChange: (filter: ConversaListFilter) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly own: ConversaReader | null
}

function SearchField({ filter, onChange, inputRef }: Omit<FilterBarProps, 'own'>) {
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

function MoreFiltersButton({ active, open, onToggle }: { active: boolean; open: boolean; onToggle: () => void }) {
  return (
    <IconButton
      label={active ? 'Filtros de pessoa e etiqueta (em uso)' : 'Filtros de pessoa e etiqueta'}
      size="touch"
      aria-expanded={open}
      className="aria-expanded:bg-brand-soft aria-expanded:text-brand-ink"
      icon={
        <span className="relative">
          <ListFilter size={18} aria-hidden />
          {active && <span aria-hidden className="absolute -top-1 -right-1 size-2 rounded-full bg-brand" />}
        </span>
      }
      onClick={onToggle}
    />
  )
}

export const FilterBar = memo(function FilterBar({ filter, onChange, inputRef, own }: FilterBarProps) {
  const [open, setOpen] = useState(false)
  const active = filter.etiqueta !== null || filter.operador !== null
  return (
    <div className="grid gap-1.5 border-b p-2">
      <div className="flex items-center gap-1">
        <SearchField {...{ filter, onChange, inputRef }} />
        <MoreFiltersButton active={active} open={open} onToggle={() => setOpen(!open)} />
      </div>
      {open && (
        <LazyPart name="os filtros">
          <MoreFilters filter={filter} onChange={onChange} />
        </LazyPart>
      )}
      <div
        role="group"
        aria-label="Status"
        className="relative -mx-2 flex gap-1.5 overflow-x-auto px-2 py-0.5 [scrollbar-width:none] lg:flex-wrap lg:gap-1"
      >
        {own !== null && (
          <button
            type="button"
            aria-pressed={filter.own !== null}
            onClick={() => onChange({ ...filter, own: filter.own === null ? own : null })}
            className={PILL_CLASS}
          >
            Meus setores
          </button>
        )}
        {STATUS_FILTERS.map(({ status, label }) => (
          <button
            key={status}
            type="button"
            aria-pressed={filter.status === status}
            onClick={() => onChange({ ...filter, status })}
            className={PILL_CLASS}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
})
