import { ListTree, Pause, Play, Search, X } from 'lucide-react'
import { useId, useState } from 'react'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import { useSocketState } from '#shared/realtime/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, QueryState } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import {
  DEFAULT_LOG_PERIOD,
  LOG_PERIODS,
  LOG_SEARCH_MAX,
  LOG_TYPES,
  type LogFilter,
  NO_LOG_FILTER,
  ORDERED_LOG_TYPES,
  isFilteringLogs,
} from '#features/logs/log-filter.ts'
import { useTypedSearch } from '#shared/hooks/use-typed-search.ts'
import { LinhaSelect } from '#shared/conta/linha-select.tsx'
import { Field } from '#shared/ui/field.tsx'
import { Select } from '#shared/ui/select.tsx'
import { ListSkeleton } from './live-list.tsx'
import { LOG_TYPE_ICON, LogList, newLogsText } from './log-list.tsx'
import type { LogPause, useLogs } from './use-logs.ts'

interface FilterPanelProps {
  readonly filter: LogFilter
  readonly onChange: (change: Partial<LogFilter>) => void
}

function FilterPanel({ filter, onChange }: FilterPanelProps) {
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
        <LinhaSelect value={filter.linha} onChange={(linha) => onChange({ linha })} className="min-h-11" />
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

export interface LogPanelProps {
  readonly filter: LogFilter
  readonly onFilter: (change: Partial<LogFilter>) => void
  readonly query: ReturnType<typeof useLogs>
  readonly pause: LogPause
}

export function LogPanel({ filter, onFilter, query, pause }: LogPanelProps) {
  const [details, setDetails] = useState(false)
  const { isPlaceholderData } = query
  return (
    <div className="card min-w-0 overflow-hidden">
      <FilterPanel filter={filter} onChange={onFilter} />
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-b border-line px-3 py-2 text-sm sm:px-4">
        <LiveState filter={filter} pause={pause} />
        <Switch label="Mostrar detalhes" on={details} onChange={setDetails} />
      </div>
      <QueryState query={query} skeleton={<ListSkeleton label="Carregando os registros" />}>
        {({ logs, proximoCursor }) =>
          logs.length === 0 && pause.shown.length === 0 ? (
            <NoLogs filter={filter} onFilter={onFilter} />
          ) : (
            <>
              <LogList
                pause={pause}
                showDetails={details}
                withDate={filter.periodo !== 'hoje'}
                faded={isPlaceholderData}
              />
              {(proximoCursor !== undefined || logs.length >= LOGS_MANTIDOS) && (
                <p className="border-t border-line px-3 py-2 text-sm text-muted sm:px-4">
                  Aqui ficam os {LOGS_MANTIDOS} mais recentes. Para ver outros, filtre ou exporte.
                </p>
              )}
            </>
          )
        }
      </QueryState>
    </div>
  )
}

function LiveState({ filter, pause }: { filter: LogFilter; pause: LogPause }) {
  const { tipo } = useSocketState()
  if (filter.periodo === 'ontem') return <p className="text-muted">Registros de ontem: não mudam mais.</p>
  const { paused, requested, newCount, setReason } = pause
  const state = tipo !== 'online' ? 'Sem conexão em tempo real' : paused ? 'Em pausa' : 'Ao vivo'
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="inline-flex items-center gap-2 font-semibold">
        <span
          aria-hidden
          className={`size-2 rounded-full ${tipo !== 'online' ? 'bg-danger' : paused ? 'bg-warn-fill' : 'bg-brand'}`}
        />
        {state}
        {newCount > 0 && <span className="font-normal text-muted">({newLogsText(newCount)})</span>}
      </p>
      <Button variant="ghost" size="sm" className="min-h-9" onClick={() => setReason('pedido', !requested)}>
        {requested ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        {requested ? 'Continuar' : 'Pausar a lista'}
      </Button>
    </div>
  )
}

function NoLogs({ filter, onFilter }: { filter: LogFilter; onFilter: (change: Partial<LogFilter>) => void }) {
  const icon = <ListTree size={22} aria-hidden />
  if (isFilteringLogs(filter)) {
    return (
      <EmptyState
        title="Nada com este filtro"
        icon={icon}
        action={
          <Button className="min-h-11" onClick={() => onFilter(NO_LOG_FILTER)}>
            Limpar filtros
          </Button>
        }
      >
        {filter.linha === null
          ? 'Procure por outra palavra, outro tipo ou um período maior.'
          : 'Procure por outra palavra, outro tipo, outra linha ou um período maior.'}
      </EmptyState>
    )
  }
  if (filter.periodo === 'todos') {
    return (
      <EmptyState title="Nenhum registro ainda" icon={icon}>
        Aqui aparece, na hora, o que o bot e as pessoas da conta fizerem. Os registros ficam por 90 dias.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={filter.periodo === DEFAULT_LOG_PERIOD ? 'Nenhum registro hoje' : 'Nenhum registro neste período'}
      icon={icon}
      action={
        <Button className="min-h-11" onClick={() => onFilter({ periodo: 'todos' })}>
          Ver todos os períodos
        </Button>
      }
    >
      O que acontecer com o bot aparece aqui na hora.
    </EmptyState>
  )
}
