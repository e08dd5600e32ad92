import type { Log } from '@balcao/contract/entities/log'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import { formatDate, formatTime } from '#shared/format.ts'
import { LogBadge } from './log-badge.tsx'

const LogDetails = lazy(async () => ({ default: (await import('./log-details.tsx')).LogDetails }))

export interface LogRowProps {
  readonly log: Log
  readonly open: boolean
  /** Entries are older than today, so each shows its date. */
  readonly withDate: boolean
  readonly onToggle: (id: string) => void
}

export function LogRow({ log, open, withDate, onToggle }: LogRowProps) {
  const id = useId()
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onToggle(log.id)}
        className="relative flex min-h-11 w-full flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2.5 pr-12 text-left hover:bg-sunken sm:flex-nowrap"
      >
        <time dateTime={log.timestamp} className="mt-px text-sm whitespace-nowrap text-muted tabular-nums">
          {withDate && `${formatDate(log.timestamp).slice(0, 5)} `}
          {formatTime(log.timestamp)}
        </time>
        <span className="w-32 flex-none">
          <LogBadge tipo={log.tipo} />
        </span>
        <span
          className={`min-w-0 [overflow-wrap:anywhere] max-sm:w-full sm:flex-1 ${open ? 'whitespace-pre-wrap' : 'line-clamp-2'}`}
        >
          {log.mensagem}
        </span>
        <span className="absolute inset-y-0 right-0 grid w-11 place-items-center text-muted">
          <ChevronDown aria-hidden size={18} className={open ? 'rotate-180' : undefined} />
        </span>
      </button>
      <div id={id} hidden={!open} className="px-3 pb-3">
        {open && (
          <Suspense>
            <LogDetails log={log} />
          </Suspense>
        )}
      </div>
    </li>
  )
}
