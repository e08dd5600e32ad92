import { type KeyboardEvent, useRef } from 'react'

export type LogListId = 'logs' | 'mensagens'

const LOG_LISTS: readonly { readonly qual: LogListId; readonly rotulo: string }[] = [
  { qual: 'logs', rotulo: 'Logs' },
  { qual: 'mensagens', rotulo: 'Mensagens' },
]

export interface LogListChoiceProps {
  readonly current: LogListId
  readonly onChoose: (qual: LogListId) => void
}

export const logTabId = (list: LogListId): string => `lista-${list}-aba`
export const LOG_PANEL_ID = 'lista-painel'

export function LogListChoice({ current, onChoose }: LogListChoiceProps) {
  const box = useRef<HTMLDivElement>(null)
  const advance = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other: LogListId = current === 'logs' ? 'mensagens' : 'logs'
    onChoose(other)
    box.current?.querySelector<HTMLElement>(`#${logTabId(other)}`)?.focus()
  }
  return (
    <div ref={box} role="tablist" aria-label="O que ver" className="flex gap-1">
      {LOG_LISTS.map(({ qual, rotulo }) => (
        <button
          key={qual}
          id={logTabId(qual)}
          type="button"
          role="tab"
          aria-selected={qual === current}
          aria-controls={LOG_PANEL_ID}
          tabIndex={qual === current ? 0 : -1}
          onClick={() => onChoose(qual)}
          onKeyDown={advance}
          className={`min-h-11 border-b-2 px-4 font-semibold ${qual === current ? 'border-brand text-ink' : 'border-transparent text-muted'}`}
        >
          {rotulo}
        </button>
      ))}
    </div>
  )
}
