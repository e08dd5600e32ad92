import type { Log, TipoLog } from '@balcao/contract/entities/log'
import {
  ArrowUp,
  ChevronDown,
  Bot,
  CircleAlert,
  CircleCheck,
  Info,
  type LucideIcon,
  TriangleAlert,
  UserRound,
} from 'lucide-react'
import { useRef, useId, useState, type CSSProperties } from 'react'
import { Button } from '#shared/ui/button.tsx'
import type { LogPause } from './use-logs.ts'
import { formatDate, formatTime, zonedFormat } from '#shared/format.ts'
import { useConfig } from '#shared/data/config/use-config.ts'
import { LOG_TYPES } from '#features/logs/log-filter.ts'

interface ToggledRows {
  readonly whenShown: boolean
  readonly ids: ReadonlySet<string>
}

interface LogListProps {
  readonly pause: LogPause
  readonly showDetails: boolean
  readonly withDate: boolean
  readonly faded: boolean
}

export function LogList({ pause, showDetails, withDate, faded }: LogListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [toggled, setToggled] = useState<ToggledRows>({ whenShown: showDetails, ids: new Set() })
  // Changing the switch resets the rows toggled by hand.
  const ids = toggled.whenShown === showDetails ? toggled.ids : new Set<string>()
  const { shown, newCount, setReason, showNew } = pause
  const toggle = (id: string): void => {
    const fresh = new Set(ids)
    if (!fresh.delete(id)) fresh.add(id)
    setToggled({ whenShown: showDetails, ids: fresh })
  }
  return (
    <div
      ref={box}
      role="region"
      aria-label="Registros"
      aria-busy={faded}
      tabIndex={0}
      className={`max-h-[min(38rem,75dvh)] overflow-y-auto transition-opacity ${faded ? 'opacity-60' : ''}`}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setReason('ponteiro', true)}
      onPointerLeave={() => setReason('ponteiro', false)}
      // Ignores focus from clicks: only keyboard focus pauses the list.
      onFocus={({ target }) => target.matches(':focus-visible') && setReason('foco', true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setReason('foco', false)
      }}
      onScroll={({ currentTarget }) => setReason('rolagem', currentTarget.scrollTop > 8)}
    >
      {newCount > 0 && (
        <div className="pointer-events-none sticky top-2 z-10 -mb-10 flex justify-center">
          <Button
            variant="primary"
            size="sm"
            className="pointer-events-auto min-h-10 shadow-pop"
            onClick={() => {
              box.current?.scrollTo({ top: 0 })
              box.current?.focus({ preventScroll: true })
              showNew()
            }}
          >
            <ArrowUp size={16} aria-hidden /> {newLogsText(newCount)}
          </Button>
        </div>
      )}
      <ul className="divide-y divide-line">
        {shown.map((log: Log) => (
          <LogRow key={log.id} log={log} open={showDetails !== ids.has(log.id)} withDate={withDate} onToggle={toggle} />
        ))}
      </ul>
    </div>
  )
}

export function newLogsText(count: number): string {
  return count === 1 ? '1 nova' : `${count} novas`
}

interface LogRowProps {
  readonly log: Log
  readonly open: boolean
  readonly withDate: boolean
  readonly onToggle: (id: string) => void
}

function LogRow({ log, open, withDate, onToggle }: LogRowProps) {
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
          <LogProtocol log={log} />
        </span>
        <span className="absolute inset-y-0 right-0 grid w-11 place-items-center text-muted">
          <ChevronDown aria-hidden size={18} className={open ? 'rotate-180' : undefined} />
        </span>
      </button>
      <div id={id} hidden={!open} className="px-3 pb-3">
        {open && <LogDetails log={log} />}
      </div>
    </li>
  )
}

/** The difference between equal lines. The log names no customer: the protocol leads to the conversa in the search. */
function LogProtocol({ log: { detalhes } }: { log: Log }) {
  const protocol = typeof detalhes === 'object' ? detalhes['protocolo'] : undefined
  if (typeof protocol !== 'string') return null
  return <span className="font-semibold tabular-nums"> Protocolo {protocol}.</span>
}

const formatWhen = zonedFormat({ dateStyle: 'short', timeStyle: 'medium' })

const DETAIL_NAME: Readonly<Record<string, string>> = {
  erro: 'Motivo',
  mensagemId: 'Mensagem',
  protocolo: 'Protocolo',
  setor: 'Setor',
  tentativa: 'Tentativa',
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function LogDetails({ log: { id, timestamp, detalhes } }: { log: Log }) {
  const setores = useConfig().config?.atendimento.setores ?? []
  // Log entries store the setor id, which survives a rename. The panel shows the name.
  const format = (name: string, value: unknown): string =>
    (name === 'setor' ? setores.find(({ id: setor }) => setor === value)?.nome : undefined) ?? toText(value)
  const fields = typeof detalhes === 'object' ? Object.entries(detalhes) : []
  const lines: readonly (readonly [string, string])[] = [
    ['Quando', formatWhen(timestamp)],
    ...(typeof detalhes === 'string' ? [['Detalhes', detalhes] as const] : []),
    ...fields.map(([name, value]) => [DETAIL_NAME[name] ?? name, format(name, value)] as const),
    ['Código', id],
  ]
  return (
    <dl className="grid gap-1 rounded-[10px] bg-sunken px-3 py-2.5 text-sm">
      {lines.map(([name, value]) => (
        <div key={name} className="flex gap-3">
          <dt className="w-20 flex-none text-muted">{name}</dt>
          <dd className="min-w-0 font-semibold [overflow-wrap:anywhere] whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const LOG_TYPE_ICON: Readonly<Record<TipoLog, LucideIcon>> = {
  info: Info,
  error: CircleAlert,
  success: CircleCheck,
  warning: TriangleAlert,
  bot: Bot,
  user: UserRound,
}

function LogBadge({ tipo }: { tipo: TipoLog }) {
  const { nome, matiz } = LOG_TYPES[tipo]
  const Icon = LOG_TYPE_ICON[tipo]
  const style: CSSProperties & Record<'--h', number> = { '--h': matiz }
  return (
    <span className="chip" style={style}>
      <Icon aria-hidden size={13} />
      {nome}
    </span>
  )
}
