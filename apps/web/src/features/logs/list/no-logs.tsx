import { ListTree } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import {
  type LogFilter,
  isFilteringLogs,
  DEFAULT_LOG_PERIOD,
  NO_LOG_FILTER,
} from '#features/logs/filters/log-filter.ts'

export interface NoLogsProps {
  readonly filter: LogFilter
  readonly onFilter: (change: Partial<LogFilter>) => void
}

export function NoLogs({ filter, onFilter }: NoLogsProps) {
  const icone = <ListTree size={22} aria-hidden />
  if (isFilteringLogs(filter)) {
    return (
      <EmptyState
        title="Nada com este filtro"
        icon={icone}
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
      <EmptyState title="Nenhum registro ainda" icon={icone}>
        Aqui aparece, na hora, o que o bot e as pessoas da conta fizerem. Os registros ficam por 90 dias.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={filter.periodo === DEFAULT_LOG_PERIOD ? 'Nenhum registro hoje' : 'Nenhum registro neste período'}
      icon={icone}
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
