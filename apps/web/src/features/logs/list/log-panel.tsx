import { Pause, Play, ListTree } from 'lucide-react'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import { useState } from 'react'
import { useSocketState } from '#shared/realtime/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { QueryState, EmptyState } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { LoadedLogs } from './use-logs.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import {
  type LogFilter,
  isFilteringLogs,
  DEFAULT_LOG_PERIOD,
  NO_LOG_FILTER,
} from '#features/logs/filters/log-filter.ts'
import { LogList, newLogsText } from './log-list.tsx'
import { FilterPanel } from '#features/logs/filters/filter-panel.tsx'
import type { LogPause } from './use-pause.ts'

interface LogQueryState {
  readonly data: LoadedLogs | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

export interface LogPanelProps {
  readonly filter: LogFilter
  readonly onFilter: (change: Partial<LogFilter>) => void
  readonly query: LogQueryState
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

interface NoLogsProps {
  readonly filter: LogFilter
  readonly onFilter: (change: Partial<LogFilter>) => void
}

function NoLogs({ filter, onFilter }: NoLogsProps) {
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
        Procure por outra palavra, outro tipo ou um período maior.
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
