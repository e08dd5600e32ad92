import { Search, X } from 'lucide-react'
import { useId } from 'react'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'
import { Field } from '#shared/ui/field.tsx'
import { Select } from '#shared/ui/select.tsx'
import { LOG_SEARCH_MAX, type LogFilter, LOG_PERIODS, LOG_TYPES, ORDERED_LOG_TYPES } from './log-filter.ts'
import { LOG_TYPE_ICON } from '#features/logs/list/log-badge.tsx'

export interface FilterPanelProps {
  readonly filter: LogFilter
  readonly onChange: (change: Partial<LogFilter>) => void
}

export function FilterPanel({ filter, onChange }: FilterPanelProps) {
  return (
    <search className="grid gap-3 border-b border-line p-3 sm:p-4">
      <div className="grid gap-3 sm:flex">
        <LogSearch written={filter.busca} onSearch={(busca) => onChange({ busca })} />
        <Select
          label="Período"
          className="min-h-11"
          value={filter.periodo}
          options={LOG_PERIODS}
          onChange={(periodo) => onChange({ periodo })}
        />
      </div>
      <TypeChoice tipo={filter.tipo} onChoose={(tipo) => onChange({ tipo })} />
    </search>
  )
}

function LogSearch({ written, onSearch }: { written: string; onSearch: (busca: string) => void }) {
  const { texto, setTexto, sair } = useTypedSearch(written, onSearch)
  return (
    <Field label="Pesquisar" className="min-w-0 sm:flex-1">
      {(link) => (
        <div className="relative">
          <Search
            aria-hidden
            size={18}
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
          />
          <input
            {...link}
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={LOG_SEARCH_MAX}
            placeholder="Texto da mensagem ou dos detalhes"
            className="field min-h-11 pr-12 pl-10"
            value={texto}
            onChange={({ currentTarget }) => setTexto(currentTarget.value)}
            onBlur={sair}
            onKeyDown={({ key }) => key === 'Enter' && onSearch(texto.trim())}
          />
          {texto !== '' && (
            <button
              type="button"
              aria-label="Limpar a pesquisa"
              className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-[10px] text-muted"
              onClick={() => {
                setTexto('')
                onSearch('')
              }}
            >
              <X aria-hidden size={18} />
            </button>
          )}
        </div>
      )}
    </Field>
  )
}

const TYPE_CLASS =
  'inline-flex min-h-10 items-center gap-1.5 rounded-full border border-line-strong bg-surface px-3 text-sm font-semibold has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-ink'

function TypeChoice({ tipo, onChoose }: { tipo: LogFilter['tipo']; onChoose: (tipo: LogFilter['tipo']) => void }) {
  const nome = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">Tipo</legend>
      <div className="flex flex-wrap gap-1.5">
        {([null, ...ORDERED_LOG_TYPES] as const).map((item) => {
          const Icon = item === null ? null : LOG_TYPE_ICON[item]
          return (
            <label key={item ?? 'todos'} className={TYPE_CLASS}>
              <input
                type="radio"
                name={nome}
                className="sr-only"
                checked={item === tipo}
                onChange={() => onChoose(item)}
              />
              {Icon !== null && <Icon aria-hidden size={15} />}
              {item === null ? 'Todos' : LOG_TYPES[item].nome}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
