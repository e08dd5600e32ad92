import type { Log } from '@balcao/contract/entities/log'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { formatDate, formatTime } from '#shared/format.ts'
import { Detalhes } from './detalhes.tsx'
import { Selo } from './selo.tsx'

export interface LinhaProps {
  readonly log: Log
  readonly aberta: boolean
  /** The list goes back before today: the day is said too. */
  readonly comDia: boolean
  readonly onAlternar: (id: string) => void
}

/** One entry: a press anywhere on it opens what it holds. */
export function Linha({ log, aberta, comDia, onAlternar }: LinhaProps) {
  const id = useId()
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={aberta}
        aria-controls={id}
        onClick={() => onAlternar(log.id)}
        className="flex min-h-11 w-full flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2.5 text-left hover:bg-sunken sm:flex-nowrap sm:px-4"
      >
        <time dateTime={log.timestamp} className="pt-px text-sm whitespace-nowrap text-muted tabular-nums">
          {comDia && `${formatDate(log.timestamp).slice(0, 5)} `}
          {formatTime(log.timestamp)}
        </time>
        <span className="flex-none sm:w-[7.25rem]">
          <Selo tipo={log.tipo} />
        </span>
        <span
          className={`order-last min-w-0 basis-full text-[0.94rem] [overflow-wrap:anywhere] sm:order-none sm:flex-1 sm:basis-0 ${aberta ? 'whitespace-pre-wrap' : 'line-clamp-2'}`}
        >
          {log.mensagem}
        </span>
        <ChevronDown
          aria-hidden
          size={18}
          className={`mt-0.5 ml-auto flex-none text-muted transition-transform ${aberta ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={id} hidden={!aberta} className="px-3 pb-3 sm:px-4">
        {aberta && <Detalhes log={log} />}
      </div>
    </li>
  )
}
