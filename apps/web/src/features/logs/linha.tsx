import type { Log } from '@balcao/contract/entities/log'
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import { formatDate, formatTime } from '#shared/format.ts'
import { Selo } from './selo.tsx'

const Detalhes = lazy(async () => ({ default: (await import('./detalhes.tsx')).Detalhes }))

export interface LinhaProps {
  readonly log: Log
  readonly aberta: boolean
  /** Entries are older than today, so each shows its date. */
  readonly comDia: boolean
  readonly onAlternar: (id: string) => void
}

export function Linha({ log, aberta, comDia, onAlternar }: LinhaProps) {
  const id = useId()
  return (
    <li>
      <button
        type="button"
        aria-expanded={aberta}
        aria-controls={id}
        onClick={() => onAlternar(log.id)}
        className="relative flex min-h-11 w-full flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2.5 pr-12 text-left hover:bg-sunken sm:flex-nowrap"
      >
        <time dateTime={log.timestamp} className="mt-px text-sm whitespace-nowrap text-muted tabular-nums">
          {comDia && `${formatDate(log.timestamp).slice(0, 5)} `}
          {formatTime(log.timestamp)}
        </time>
        <span className="w-32 flex-none">
          <Selo tipo={log.tipo} />
        </span>
        <span
          className={`min-w-0 [overflow-wrap:anywhere] max-sm:w-full sm:flex-1 ${aberta ? 'whitespace-pre-wrap' : 'line-clamp-2'}`}
        >
          {log.mensagem}
        </span>
        <span className="absolute inset-y-0 right-0 grid w-11 place-items-center text-muted">
          <ChevronDown aria-hidden size={18} className={aberta ? 'rotate-180' : undefined} />
        </span>
      </button>
      <div id={id} hidden={!aberta} className="px-3 pb-3">
        {aberta && (
          <Suspense>
            <Detalhes log={log} />
          </Suspense>
        )}
      </div>
    </li>
  )
}
