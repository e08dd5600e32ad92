import type { Log } from '@balcao/contract/entities/log'
import { ArrowUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { LogRow } from './log-row.tsx'
import type { LogPause } from './use-pause.ts'

interface ToggledRows {
  readonly whenShown: boolean
  readonly ids: ReadonlySet<string>
}

export interface LogListProps {
  readonly pause: LogPause
  readonly showDetails: boolean
  readonly withDate: boolean
  readonly faded: boolean
}

export function LogList({ pause, showDetails, withDate, faded }: LogListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [viradas, setViradas] = useState<ToggledRows>({ whenShown: showDetails, ids: new Set() })
  // Changing the switch resets the rows toggled by hand.
  const ids = viradas.whenShown === showDetails ? viradas.ids : new Set<string>()
  const { shown, newCount, setReason, showNew } = pause
  const toggle = (id: string): void => {
    const fresh = new Set(ids)
    if (!fresh.delete(id)) fresh.add(id)
    setViradas({ whenShown: showDetails, ids: fresh })
  }
  return (
    <div
      ref={box}
      role="region"
      aria-label="Registros"
      aria-busy={faded}
      // A scrollable area must be reachable by keyboard.
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
